"""Desks and the workers that keep them; whole studies are in tests/sweeps."""

import subprocess
import sys

import numpy as np
import pytest

from supple.desks import Outcomes, worker


def test_a_worker_imports_nothing_that_computes():
    code = "import sys, supple.desks.worker as w; print(*(m for m in sys.modules if 'supple' in m))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    rooms = {name.split(".")[1] for name in found.stdout.split() if "." in name}
    assert rooms == {"desks", "errors", "types"}


class Counted:
    """A desk that says which it is."""

    made = 0
    one_by_one = False

    def __init__(self, study, limit):
        Counted.made += 1
        self.number, self.closed = Counted.made, False

    def started(self):
        pass

    def run(self, points):
        return Outcomes({"desk": np.full(len(points), float(self.number))}, [""] * len(points))

    def close(self):
        self.closed = True


@pytest.fixture
def desks(monkeypatch):
    monkeypatch.setattr(worker, "Desk", Counted)
    monkeypatch.setattr(worker, "_IDLE", {})
    monkeypatch.setattr(Counted, "made", 0)
    return worker._IDLE


def block(session):
    return worker.compute(b"", session, 1.0, ("x",), np.zeros((2, 1)))[0]["desk"].tolist()


def test_a_desk_that_is_idle_is_used_again_and_one_at_work_is_not(desks):
    worker.prepare(b"", "a", 1.0)
    assert block("a") == block("a") == [1.0, 1.0]
    with worker._desk(b"", "a", 1.0):
        assert block("a") == [2.0, 2.0]
    assert len(desks["a"]) == 2


def test_each_session_has_its_own_desks_and_those_of_old_ones_are_closed(desks):
    old = [block("a"), desks["a"][0]][1]
    assert (block("b"), block("a"), block("c")) == ([2.0] * 2, [1.0] * 2, [3.0] * 2)
    assert list(desks) == ["a", "c"]
    assert not old.closed
    block("d")
    assert old.closed
