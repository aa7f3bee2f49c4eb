"""Studies and their worker processes: interrupted, killed, without Dask, locked."""

import errno
import os
import signal
import socket
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

from supple.errors import FileError
from supple.sweeps import executor, load_sweep, run, sweep

FUNCTION = """
import os, subprocess, sys, time
def f(robot, point):
    x = point["x"]
    child = os.getpid()
    if x >= 2:  # a program of the function's own
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]).pid
    with open("started", "a") as log:
        log.write(f"{int(x)} {os.getpid()} {child}\\n")
    if x >= 2:
        time.sleep(600)
    return x**2
"""
STUDY = """name: waits
robot: lin-lewis-rr
block: 1
vary: {x: [0, 1, 2, 3]}
experiment: {function: {file: mine.py, name: f}}
"""
SCRIPT = "from supple.sweeps import sweep\nsweep('study.yaml', out='s', workers=2{more})\n"


def until(what, seconds=60.0):
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


def alive(pid):
    """Whether a process runs; one that ended and was not asked after yet does not."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


linux = pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="there is no /proc here")


@pytest.fixture
def waiting(tmp_path):
    """A study whose points 2 and 3 wait for ever: begun, and its process."""
    (tmp_path / "mine.py").write_text(FUNCTION)
    (tmp_path / "study.yaml").write_text(STUDY)
    (tmp_path / "main.py").write_text(SCRIPT.format(more=""))
    made = subprocess.Popen(
        [sys.executable, "main.py"], cwd=tmp_path, stderr=subprocess.PIPE, text=True
    )
    log = tmp_path / "started"
    until(lambda: log.exists() and len(log.read_text().split("\n")) == 5)
    until(lambda: len(list((tmp_path / "s").glob("block-*"))) == 2)
    made.pids = [int(pid) for line in log.read_text().splitlines() for pid in line.split()[1:]]
    yield made
    made.kill()
    made.wait()


@linux
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGKILL"])
def test_a_study_that_is_stopped_leaves_no_process_and_keeps_what_is_done(waiting, tmp_path, name):
    waiting.send_signal(getattr(signal, name))
    _, words = waiting.communicate(timeout=20)
    assert (words.splitlines() or [""])[-1] == ("KeyboardInterrupt" if name == "SIGINT" else "")
    until(lambda: not any(map(alive, waiting.pids)), 20)
    assert load_sweep(tmp_path / "s")["outcome"].tolist() == [0, 1]


def test_what_is_done_but_not_kept_yet_is_kept_when_the_study_is_stopped(tmp_path, monkeypatch):
    compute, done = executor.compute, []
    monkeypatch.setattr(executor, "compute", lambda *x: [compute(*x), done.append(x)][0])

    def stop(at):
        until(lambda: len(done) == 4)
        time.sleep(0.2)  # until the last of them is handed over
        raise KeyboardInterrupt

    study = {"robot": "lin-lewis-rr", "vary": {"x": [0, 1, 2, 3]}}
    with pytest.raises(KeyboardInterrupt):
        sweep(study, experiment=lambda r, p: p["x"], out=tmp_path, workers=2, progress=stop)
    assert load_sweep(tmp_path)["outcome"].tolist() == [0, 1, 2, 3]


@linux
def test_a_point_that_takes_too_long_ends_with_all_it_started(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(FUNCTION)
    (tmp_path / "study.yaml").write_text(STUDY)
    found = sweep("study.yaml", out="s", workers=1, limit=0.5)
    assert {k: "longer than the limit" in x for k, x in found.failed.items()} == {2: True, 3: True}
    log = (tmp_path / "started").read_text().splitlines()
    until(lambda: not any(alive(pid) for line in log for pid in line.split()[1:]), 20)


def test_a_script_needs_no_guard_no_dask_and_files_beside_it_may_have_any_name(tmp_path):
    (tmp_path / "mine.py").write_text("def f(robot, point):\n    return point['x'] + 1\n")
    (tmp_path / "study.yaml").write_text(STUDY)
    (tmp_path / "queue.py").write_text("raise SystemExit('this is no queue')\n")
    hidden = "import sys\nsys.modules.update(dask=None, distributed=None)\nsys.path.pop(0)\n"
    (tmp_path / "main.py").write_text(hidden + SCRIPT.format(more=""))
    words = [sys.executable, "main.py"]
    subprocess.run(words, cwd=tmp_path, check=True, timeout=120)
    assert load_sweep(tmp_path / "s")["outcome"].tolist() == [1, 2, 3, 4]


def test_a_study_on_this_machine_opens_no_port(tmp_path, monkeypatch):
    monkeypatch.setattr(socket.socket, "listen", lambda *x: pytest.fail("a port was opened"))
    study = {"robot": "lin-lewis-rr", "vary": {"x": [3]}}
    found = sweep(study, experiment=lambda robot, point: point["x"], out=tmp_path, workers=1)
    assert found["outcome"].tolist() == [3]


def test_workers_share_the_cores_not_each_takes_all(tmp_path, monkeypatch):
    def threads(robot, point):
        return {n.lower(): int(os.environ[n]) for n in names}

    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    for name in names:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(names[0], "2")  # the user's own word
    study = {"robot": "lin-lewis-rr", "vary": {"x": [0]}}
    found = sweep(study, experiment=threads, out=tmp_path, workers=1)
    assert [float(found[n.lower()][0]) for n in names] == [2, 1, 1]


@pytest.mark.parametrize("code", [errno.ENOLCK, errno.ENOSYS, errno.EACCES, errno.EIO])
def test_a_lock_that_fails_says_why(tmp_path, monkeypatch, code):
    fcntl = pytest.importorskip("fcntl", reason="this system locks otherwise")

    def refuse(*_):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(FileError, match=rf"cannot lock .*: {os.strerror(code)}") as error:  # noqa: SIM117
        with run._alone(tmp_path):
            pass
    assert "another process" not in str(error.value)
    assert "give --out a folder on another" in str(error.value)


def test_a_lock_that_another_process_has_is_told_and_ends_with_it(tmp_path):
    pytest.importorskip("fcntl", reason="this system locks otherwise")
    code = "import sys; from pathlib import Path; from supple.sweeps.run import _alone\n"
    code += "with _alone(Path(sys.argv[1])): print('held', flush=True); input()"
    words = [sys.executable, "-c", code, str(tmp_path)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline() == "held\n"
        with pytest.raises(FileError, match="another process is writing"), run._alone(tmp_path):
            pass
        other.kill()
    with run._alone(tmp_path):
        pass


def test_windows_locks_the_folder_too(tmp_path, monkeypatch):
    held = []

    def locking(handle, mode, count):
        if held:
            raise PermissionError(errno.EACCES, "Permission denied")
        held.append((mode, count))

    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(locking=locking, LK_NBLCK=2))
    monkeypatch.setattr(run.sys, "platform", "win32")
    with run._alone(tmp_path):
        assert held == [(2, 1)]
        with pytest.raises(FileError, match="another process is writing"), run._alone(tmp_path):
            pass
