"""Machine code kept on disk is never that of other sources, other functions, other numbers."""

from __future__ import annotations

import gc
import inspect
import os
import shutil
import subprocess
import sys
import weakref
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest

import supple
from supple.engine import cache, traced
from supple.engine.fingerprint import fingerprint, motion_fingerprint
from supple.recursion import gravity_force
from supple.tracer import source_hash

PACKAGE = Path(supple.__file__).parent
SLOPE = """
import supple
robot = supple.load("lin-lewis-rr")
print(supple.compile(robot, "gravity_force")(robot.neutral() + 0.3).tolist())
"""
TWICE = """
_once = gravity_force
def gravity_force(*given, **named):
    return 2.0 * _once(*given, **named)
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SUPPLE_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


def run(package: Path) -> np.ndarray:
    """What a new process prints that finds the package there."""
    words = {**os.environ, "PYTHONPATH": str(package.parent)}
    done = subprocess.run(
        [sys.executable, "-c", SLOPE], env=words, capture_output=True, text=True, check=True
    )
    return np.array(eval(done.stdout))


def test_a_changed_source_is_compiled_anew(home: Path, tmp_path: Path) -> None:
    copy = tmp_path / "other" / "supple"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    before = run(copy)
    source = Path(inspect.getsourcefile(gravity_force) or "").relative_to(PACKAGE)
    with open(copy / source, "a") as file:
        file.write(TWICE)
    assert len(list(home.glob("*.supple"))) > 0
    assert np.abs(before).max() > 1.0
    assert np.allclose(run(copy), 2.0 * before)


def test_every_source_counts(tmp_path: Path) -> None:
    """All of them are listed; of those that are listed, one of each folder is changed."""
    assert len(source_hash.sources(PACKAGE)) == len(list(PACKAGE.rglob("*.py")))
    copy = tmp_path / "supple"
    for path in {p.parent: p for p in PACKAGE.rglob("*.py")}.values():
        target = copy / path.relative_to(PACKAGE)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    seen = {source_hash.content_hash(copy)}
    files = [Path(path) for path in source_hash.sources(copy)]
    assert len(files) > 10
    for path in files:
        path.write_bytes(path.read_bytes() + b"\n")
        seen.add(source_hash.content_hash(copy))
    files[0].rename(files[0].with_name("moved.py"))
    seen.add(source_hash.content_hash(copy))
    assert len(seen) == len(files) + 2


def test_what_old_sources_compile_is_not_kept(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sources that were changed after this process had imported them."""
    monkeypatch.setattr(source_hash, "_at_import", [])
    source_hash.source_hash.cache_clear()
    try:
        f = supple.compile(supple.load("lin-lewis-rr"), "mass_matrix")
        assert f(np.zeros(2)).shape == (2, 2)
        assert not home.exists()
    finally:
        source_hash.source_hash.cache_clear()


def inside(make: Callable[[float], Any], number: float) -> Any:
    """A function as if it were defined in the package."""
    function: FunctionType = make(number)
    function.__module__ = "supple.somewhere"
    return function


def times(number: float) -> Any:
    return lambda x: number * x


def test_what_a_function_took_in_is_part_of_its_name(home: Path) -> None:
    three, four = (traced(inside(times, k), (2,), ("times",)) for k in (3.0, 4.0))
    again = traced(inside(times, 3.0), (2,), ("times",))
    assert [f(np.ones(2))[0] for f in (three, four, again)] == [3.0, 4.0, 3.0]
    assert len(list(home.glob("*.supple"))) == 2


def test_a_function_from_outside_is_always_traced(home: Path) -> None:
    space: dict[str, Any] = {}
    found = []
    for text in ("lambda x: x + x", "lambda x: x * x"):
        exec(f"f = {text}", space)  # the same name, the same place, another text
        found.append(traced(space["f"], (1,), ("mine",))(np.array([5.0]))[0])
    assert found == [10.0, 25.0]


def test_a_name_without_bytes_is_refused(home: Path) -> None:
    for thing in (object(), np.array([object()]), print):
        with pytest.raises(TypeError, match="compiled code c"):
            fingerprint(("a", thing))
        with pytest.raises(TypeError, match="compiled code c"):
            traced(inside(times, 2.0), (1,), ("times", thing))


def test_values_that_look_alike_have_other_fingerprints() -> None:
    values = [
        *((1, 23), (12, 3), ("1", 23), (1, (23,)), ((1, 23),), (1.0, 23), (True, 23)),
        *({1: 23}, {1, 23}, np.array([1, 23]), np.array([1.0, 23.0]), np.array([[1, 23]])),
        *("12", b"12", 12, None, "None", slice(1, 23), np.array([1, 23], np.int32)),
    ]
    assert len({fingerprint(x) for x in values}) == len(values)
    assert fingerprint({3, 1}) == fingerprint({1, 3})
    assert cache.key("a", "b") != cache.key("ab") != cache.key("a'", "'b")


def other(value: Any) -> Any:
    """Anything else of the same kind."""
    if isinstance(value, np.ndarray):
        return value + 1.0 if value.size else np.ones((1, *value.shape[1:]))
    if isinstance(value, str | float | int):
        return value + type(value)(1)
    if isinstance(value, dict):
        return {} if value else {"x": 1.0}
    return {slice: slice(7, 9), tuple: ("x",), type(None): np.ones(3)}[type(value)]


def changed(whole: Any) -> dict[str, Any]:
    """The same with one field changed, by the field's name; fields of parts with theirs."""
    out = {}
    for f in (f for f in fields(whole) if f.compare):
        value = getattr(whole, f.name)
        if is_dataclass(value):
            out |= {
                f"{f.name}.{n}": replace(whole, **{f.name: x}) for n, x in changed(value).items()
            }
        elif f.name not in ("joint", "links"):
            out[f.name] = replace(whole, **{f.name: other(value)})
    return out


def test_every_field_of_a_link_is_part_of_its_name() -> None:
    robot = supple.load("canadarm-spatial")
    first, *rest = robot.links
    parts = (robot, first, first.body, first.mount, first.drive)
    beside = {f.name for part in parts for f in fields(part) if not f.compare}  # no equations
    words = {"spec", "units", "description", "source", "notes", "motions", "folder"}
    assert beside == {"line", "parts", "limits", "massless", "visuals"} | words
    robots = {n: replace(robot, links=(x, *rest)) for n, x in changed(first).items()}
    robots |= {n: x for n, x in changed(robot).items() if n != "name"}
    assert {"frame", "body.c2", "body.E", "mount.R0", "drive.rest", "gravity"} <= set(robots)
    same = fingerprint(robot)
    assert [n for n, x in robots.items() if fingerprint(x) == same] == []
    moved = motion_fingerprint(robot)
    assert [n for n, x in robots.items() if motion_fingerprint(x) == moved] == ["body.stations"]
    assert fingerprint(replace(robot, name="other")) == same


def test_a_robot_that_was_named_stays_as_it_is() -> None:
    """Its bytes are found once; so no number of it may change behind them."""
    robot = supple.load("lin-lewis-rr")
    before = fingerprint(robot)
    with pytest.raises(ValueError, match="read-only"):
        robot.gravity[2] = 1.0
    with pytest.raises(ValueError, match="read-only"):
        robot.links[0].body.c0[0] = 1.0
    assert fingerprint(replace(robot, gravity=np.array([0.0, 0.0, 1.0]))) != before


@pytest.mark.filterwarnings("ignore::supple.SuppleWarning")
def test_what_is_remembered_of_a_robot_goes_with_it() -> None:
    robot = supple.load("lin-lewis-rf").replace(description="not the shipped one, which stays")
    supple.simulate(robot, None, 0.01, samples=3)
    gone = weakref.ref(robot)
    del robot
    gc.collect()
    assert gone() is None
