"""Small studies, and clusters of two workers."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from contextlib import contextmanager

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


@pytest.fixture
def cluster():
    """The address of a scheduler with two workers, each a process of its own, and all of them: a
    cluster that a test may kill."""
    with started() as processes:
        yield processes


@pytest.fixture(scope="session")
def shared():
    """The address of a cluster that tests leave alive."""
    with started() as (address, _, _):
        yield address


@contextmanager
def started():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address, quiet = f"tcp://127.0.0.1:{port}", {"stderr": subprocess.DEVNULL}
    dask = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    options = ["--host", "127.0.0.1", "--port", str(port), "--no-dashboard", "--no-jupyter"]
    run = subprocess.Popen([*dask, *options], stdout=subprocess.DEVNULL, **quiet)
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--no-dashboard"]
    worker += ["--nthreads", "1", "--nworkers", "1", "--host", "127.0.0.1", "--death-timeout", "30"]
    workers = [
        subprocess.Popen([*worker, "--no-nanny"], stdout=subprocess.DEVNULL, **quiet)
        for _ in range(2)
    ]
    try:
        yield address, run, workers
    finally:
        for process in (*workers, run):
            process.kill()
            process.wait()


def until(what, seconds=60.0):
    """Wait for a thing to be so."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)
