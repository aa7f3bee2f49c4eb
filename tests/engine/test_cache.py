"""Compiled code on disk: found again, never trusted blindly, never in the way."""

from __future__ import annotations

import multiprocessing
import os
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import supple
from supple.engine import cache, request


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SUPPLE_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


def gravity(name: str = "lin-lewis-rr") -> np.ndarray:
    robot = supple.load(name)
    return np.asarray(supple.compile(robot, "gravity_force")(np.array([0.3, -0.4])))


EXPECTED = [9.81 * (1.5 * np.cos(0.3) + 0.5 * np.cos(-0.1)), 9.81 * 0.5 * np.cos(-0.1)]


def test_the_second_time_nothing_is_traced(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gravity()
    assert len(list(home.glob("*.supple"))) == 1
    monkeypatch.setattr(request, "with_base_inertia", None)  # tracing would now fail
    assert np.allclose(gravity(), EXPECTED)


def test_other_robots_quantities_and_options_have_other_entries(home: Path) -> None:
    robot = supple.load("lin-lewis-rr")
    supple.compile(robot, "gravity_force")
    supple.compile(robot.replace(gravity=(0, -3.0, 0)), "gravity_force")
    supple.compile(robot, "mass_matrix")
    supple.compile(robot, "pose", station="link1.tip")
    supple.compile(robot, "pose", station="link2.tip")
    assert len(list(home.glob("*.supple"))) == 5


@pytest.mark.parametrize("harm", ["cut", "flip", "empty", "junk", "folder", "foreign"])
def test_a_harmed_entry_is_compiled_anew(home: Path, harm: str) -> None:
    gravity()
    (entry,) = home.glob("*.supple")
    data = bytearray(entry.read_bytes())
    if harm == "cut":
        entry.write_bytes(data[: len(data) // 2])
    elif harm == "flip":
        data[-100] ^= 0xFF
        entry.write_bytes(data)
    elif harm == "empty":
        entry.write_bytes(b"")
    elif harm == "junk":
        entry.write_bytes(os.urandom(5000))
    elif harm == "folder":
        entry.unlink()
        entry.mkdir()
    else:  # a good entry of another name
        supple.compile(supple.load("puma"), "gravity_force")
        other = next(p for p in home.glob("*.supple") if p != entry)
        entry.write_bytes(other.read_bytes())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert np.allclose(gravity(), EXPECTED)


def test_a_folder_that_cannot_be_written_only_costs_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("SUPPLE_CACHE", str(tmp_path / "file" / "kept"))
    with pytest.warns(UserWarning, match="SUPPLE_CACHE"):
        assert np.allclose(gravity(), EXPECTED)


def test_a_user_without_a_home_still_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for word in ("SUPPLE_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(word, raising=False)
    monkeypatch.setattr(Path, "home", nowhere)
    cache._complain.cache_clear()
    with pytest.warns(UserWarning, match="no home folder"):
        f = supple.compile(supple.load("lin-lewis-rr"), "mass_matrix")
    assert f(np.zeros(2)).shape == (2, 2)
    assert cache.entries() == []
    assert cache.clear() == 0


def test_a_full_disk_leaves_nothing_behind(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.warns(UserWarning, match="No space left"):
        assert np.allclose(gravity(), EXPECTED)
    assert list(home.iterdir()) == []


def _work(folder: str, queue: object) -> None:
    os.environ["SUPPLE_CACHE"] = folder
    queue.put(gravity().tolist())  # type: ignore[attr-defined]


@pytest.mark.skipif(
    sys.platform == "win32",
    reason="missing: a trial on Windows, where a file that another process reads is not replaced",
)
def test_processes_may_compile_the_same_at_once(home: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    queue = spawn.Queue()
    workers = [spawn.Process(target=_work, args=(str(home), queue)) for _ in range(2)]
    [w.start() for w in workers]
    results = [queue.get(timeout=120) for _ in workers]
    [w.join() for w in workers]
    assert all(np.allclose(r, EXPECTED) for r in results)
    assert len(list(home.glob("*.supple"))) == 1
    assert not list(home.glob(".new-*"))


def test_entries_can_be_listed_and_cleared(home: Path) -> None:
    gravity()
    ((_, about, size),) = cache.entries()
    assert about["what"] == "gravity_force"
    assert size > 500
    assert cache.clear() == 1
    assert cache.entries() == []
