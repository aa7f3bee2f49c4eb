"""Small studies, and clusters of two workers."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time

import pytest

COUNTED = """
import os, time
def counted(robot, point):
    with open({log!r}, "a") as log:
        log.write(str(int(point["x"])) + "\\n")
    time.sleep({pause})
    return {{"square": point["x"] ** 2}}
"""


@pytest.fixture
def counted(tmp_path):
    """A study of a function that writes down each of its calls: counted(points) -> its words."""
    log = tmp_path / "calls.txt"

    def words(points, pause=0.0, block=2):
        (tmp_path / "mine.py").write_text(COUNTED.format(log=str(log), pause=pause))
        study = tmp_path / "study.yaml"
        study.write_text(
            f"name: counting\nrobot: lin-lewis-rr\nblock: {block}\n"
            f"vary: {{x: {{linspace: [0, {points - 1}, {points}]}}}}\n"
            f"experiment: {{function: {{file: mine.py, name: counted}}}}\n"
        )
        return study

    words.log = log
    return words


QUIET = {  # workers only wait for their processes: nobody need look at them many times a second
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "1s",
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "10s",
}


class Cluster:
    """A scheduler and workers, each a process of its own. Tests may kill them: what is gone is
    started again for the next one."""

    def __init__(self):
        self.address, self.scheduler, self.workers = "", None, []

    def started(self, workers):
        """With so many workers at least."""
        if self.scheduler is None or self.scheduler.poll() is not None:
            self.close()
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                port = free.getsockname()[1]
            self.address = f"tcp://127.0.0.1:{port}"
            self.scheduler = _dask("scheduler", "--port", str(port), "--no-jupyter")
        self.workers = [worker for worker in self.workers if worker.poll() is None]
        options = ("--nthreads", "1", "--nworkers", "1", "--death-timeout", "30", "--no-nanny")
        while len(self.workers) < workers:
            self.workers.append(_dask("worker", self.address, *options))
        return self

    def close(self):
        for process in filter(None, (*self.workers, self.scheduler)):
            process.kill()
            process.wait()


def _dask(kind, *options):
    return subprocess.Popen(
        [
            *(sys.executable, "-m", f"distributed.cli.dask_{kind}", *options),
            *("--host", "127.0.0.1", "--no-dashboard"),
        ],
        env=os.environ | QUIET,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@pytest.fixture(scope="session")
def machines():
    """The one cluster of all tests."""
    made = Cluster()
    yield made
    made.close()


@pytest.fixture
def cluster(machines):
    """Two workers."""
    return machines.started(2)


@pytest.fixture
def shared(machines):
    """The address of a cluster that a test leaves alive: one worker does, and has one process."""
    return machines.started(1).address


def until(what, seconds=60.0):
    """Wait for a thing to be so."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)
