"""What the next shapes would have done is told without them, and held against runs with them."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import supple
from supple import SuppleWarning
from supple.simulation import Tolerances
from supple.simulation.run import prepared
from supple.simulation.truncation import along, left_on, richer


def quietly(*args: Any, **options: Any) -> supple.Result:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SuppleWarning)
        return supple.simulate(*args, **options)


def blade(shapes: int) -> supple.Robot:
    beam = {"length": 10.0, "mass_per_length": 1.2, "EI": 1.4e4, "modes": {"bending_y": shapes}}
    link = {"beam": beam, "payload": {"mass": 2.0}}
    words = {"gravity": [0, -9.81, 0], "links": {"blade": link}}
    return supple.build(words | {"joints": [{"name": "hub", "type": "revolute", "child": "blade"}]})


def estimated(run: supple.Result) -> float:
    values = {check.name: check.value for check in run.checks}
    return float(np.hypot(values["next shapes"], values["vibration in step"]))


def differ(robot: supple.Robot, more: supple.Robot, a: supple.Result, b: supple.Result) -> float:
    """How far links are apart in two runs, moved or turned, beside how far they are at all."""
    shares = []
    for k in (0, 1):
        apart, all_ = [], []
        for link, other in zip(robot.links, more.links, strict=True):
            one = np.einsum("td,dgi->tgi", a["q"][:, link.d], along(link)[k])
            two = np.einsum("td,dgi->tgi", b["q"][:, other.d], along(other)[k])
            apart.append(np.linalg.norm(one - two, axis=2).max(initial=0.0))
            all_.append(np.linalg.norm(one, axis=2).max(initial=0.0))
        shares.append(max(apart) / max(all_))
    return float(max(shares))


SWING = {"duration": 4.0, "prescribed": {"hub": "0.3*(1-cos(t))"}, "at_rest": True}
RUNS = {
    "arm": (lambda: supple.load("canadarm"), {"motion": "paper"}),
    "arm of one shape": (lambda: supple.load("canadarm").with_modes(1), {"motion": "paper"}),
    "blade of one shape": (lambda: blade(1), SWING),
    "blade of two": (lambda: blade(2), SWING),
    "linkage": (lambda: supple.load("four-bar-flexible"), {"duration": 0.05}),
}


@pytest.mark.parametrize("name", RUNS)
def test_the_estimate_is_what_a_run_with_one_more_shape_differs_by(name: str) -> None:
    make, how = RUNS[name]
    robot = make()
    next_one = richer(robot)
    assert not isinstance(next_one, str)
    run = quietly(robot, **how)
    actual = differ(robot, next_one.robot, run, quietly(next_one.robot, **how))
    assert actual / 2 < estimated(run) < 2 * actual


def test_too_few_shapes_are_told_and_enough_are_not() -> None:
    with pytest.warns(SuppleWarning, match=r"one more shape of each kind link blade .* too few"):
        supple.simulate(blade(1), **SWING)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SuppleWarning)
        run = supple.simulate(blade(2), **SWING)
    assert next(c for c in run.checks if c.name == "next shapes").ok


def test_a_family_without_next_shapes_says_so() -> None:
    beam = {"length": 1.0, "mass": 1.0, "EI": 50.0}
    shapes = {"family": "functions", "functions": ["(x/L)**2"]}
    words = {"links": {"a": {"beam": beam | {"modes": {"bending_y": shapes}}}}}
    robot = supple.build(words | {"joints": [{"name": "j", "type": "revolute", "child": "a"}]})
    run = quietly(robot, None, 0.1, samples=5)
    check = next(c for c in run.checks if c.name == "next shapes")
    assert np.isnan(check.value)
    assert check.words.startswith("not estimated: ")


def pinned() -> supple.Robot:
    """Shapes that turn its root, so that the motor drives them too."""
    modes = {"family": "pinned_pinned", "bending_y": 2}
    links = {"a": {"beam": {"length": 1.0, "mass": 1.0, "EI": 50.0, "modes": modes}}}
    joint = {"name": "j", "type": "revolute", "child": "a"}
    return supple.build({"links": links, "joints": [joint], "gravity": [0, 0, 0]})


@pytest.mark.parametrize("name", ["canadarm", "four-bar-flexible", "lin-lewis-rf", "pinned"])
def test_nothing_is_left_on_the_shapes_that_the_run_has(name: str) -> None:
    """Their equations are solved by the run: with loads, torques, cuts and pinned roots."""
    robot = pinned() if name == "pinned" else supple.load(name)
    push = {f"{robot.links[-1].name}.tip": [0.3, -0.2, 0.0]}
    torque = [0.1] * len(robot.joint_indices)
    run = quietly(robot, torque, 0.05, external=push, samples=6, keep="acceleration")
    drive = prepared(robot, torque, run.time, Tolerances(), external=push)
    more = richer(robot)
    assert not isinstance(more, str)
    on_new = left_on(drive, run, run["acceleration"], more)
    on_old = left_on(drive, run, run["acceleration"], replace(more, new=more.old))
    for k in (0, 3, 5):
        new, old = on_new(k), on_old(k)
        assert np.abs(old).max() < 3e-3 * np.abs(new).max()  # damping by ratio changes a little


def test_a_robot_too_long_for_an_estimate_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("supple.simulation.run_checks.MANY", 1)
    run = quietly(blade(1), duration=0.1, samples=5)
    check = next(c for c in run.checks if c.name == "next shapes")
    assert check.words == "not estimated: the robot has too many degrees of freedom"
