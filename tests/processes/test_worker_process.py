"""Worker processes and who supervises them; whole studies are in tests/sweeps."""

import os
import subprocess
import sys
from types import SimpleNamespace

import cloudpickle
import numpy as np
import pytest

from supple import worker_process as worker
from supple.worker_process import Outcomes, Points, WorkerDiedError, WorkerProcess, block_of


def test_a_worker_imports_nothing_that_computes():
    code = (
        "import sys, supple.worker_process as w; print(*(m for m in sys.modules if 'supple' in m))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    rooms = {name.split(".")[1] for name in found.stdout.split() if "." in name}
    assert rooms == {"worker_process", "errors", "types"}


class Counted:
    """A process that says which it is."""

    made = 0
    one_by_one = False

    def __init__(self, study, limit):
        Counted.made += 1
        self.number, self.closed, self.busy = Counted.made, False, False

    def started(self):
        pass

    def run(self, points):
        return Outcomes({"worker": np.full(len(points), float(self.number))}, [""] * len(points))

    def close(self):
        self.closed = True


@pytest.fixture
def workers(monkeypatch):
    monkeypatch.setattr(worker, "WorkerProcess", Counted)
    monkeypatch.setattr(worker, "_WORKERS", {})
    monkeypatch.setattr(Counted, "made", 0)
    return worker._WORKERS


def block(session):
    return (
        worker.compute(b"", session, 1.0, Points(("x",), np.zeros((2, 1))))[0]
        .columns["worker"]
        .tolist()
    )


def test_a_process_that_is_idle_is_used_again_and_one_at_work_is_not(workers):
    worker.compute(b"", "a", 1.0)
    assert block("a") == block("a") == [1.0, 1.0]
    with worker._worker(b"", "a", 1.0):
        assert block("a") == [2.0, 2.0]
    assert len(workers["a"]) == 2


def test_each_session_has_its_own_processes_and_those_of_old_ones_are_closed(workers):
    old = [block("a"), workers["a"][0]][1]
    assert (block("b"), block("a"), block("c")) == ([2.0] * 2, [1.0] * 2, [3.0] * 2)
    assert list(workers) == ["a", "c"]
    assert not old.closed
    block("d")
    assert old.closed


class Dies:
    """A process that dies so many times, at points that are asked for together."""

    one_by_one = False

    def __init__(self, times):
        self.left, self.asked = times, []

    def started(self):
        pass

    def run(self, points):
        self.asked.append(len(points))
        self.left -= 1
        if self.left >= 0:
            raise WorkerDiedError("its process died (signal 9)")
        return Outcomes({"y": points.values[:, 0]}, [""] * len(points))


def test_points_whose_process_was_killed_are_tried_once_more_as_they_were():
    points = Points(("x",), np.arange(4.0)[:, None])
    once, twice = Dies(1), Dies(2)
    found = block_of(once, points)
    assert found.trouble == [""] * 4
    assert once.asked == [4, 4]  # not taken apart
    block_of(twice, points)
    assert twice.asked == [4, 4, 2, 2]


def test_a_process_that_is_killed_while_it_starts_is_started_once_more(tmp_path, monkeypatch):
    flag = tmp_path / "was-killed"
    die = f"import os; f = {str(flag)!r}\nif not os.path.exists(f): open(f, 'w'); os.abort()"
    monkeypatch.setattr(worker, "START", f"{die}\n{worker.START}")
    made = WorkerProcess(experiment(), 10.0)
    assert made.started().poll() is None
    made.kill()
    assert flag.exists()
    monkeypatch.setattr(worker, "START", "import os; os._exit(3)")
    with pytest.raises(WorkerDiedError, match=r"while it started \(exit code 3\)"):
        made.started()


def experiment(run=None):
    """What a process is sent, without a study."""
    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    return cloudpickle.dumps(lambda: SimpleNamespace(one_by_one=False, run=run))


def forks(points):
    """What a function may do that does not know what a fork is: both go on."""
    own = os.fork() != 0
    if not own and points.values[0, 0]:
        raise ValueError("of the child")
    return Outcomes({"y": np.full(len(points), float(own))}, [""] * len(points))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_function_that_forks_gives_one_answer():
    made = WorkerProcess(experiment(forks), 10.0)
    for x in (0.0, 1.0, 1.0):
        assert block_of(made, Points(("x",), np.array([[x]]))).columns["y"] == [1.0]
    made.kill()
