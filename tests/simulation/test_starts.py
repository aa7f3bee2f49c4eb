"""Where a run starts: by all coordinates, by the joints alone, by name, on a motion, at rest."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import supple
from supple import InputError


def started(robot: supple.Robot, **given: Any) -> tuple[Any, Any]:
    run = supple.simulate(robot, None, 1e-3, samples=2, **given)
    return run["q"][0], run["qd"][0]


def test_joints_alone_names_and_all_coordinates_start_alike() -> None:
    robot = supple.load("canadarm")
    q, qd = np.zeros(9), np.zeros(9)
    q[robot.joint_indices] = [0.1, -0.2, 0.3]
    qd[robot.joint_indices] = [0.3, 0.2, 0.1]
    ways = (
        {"q0": q, "qd0": qd},
        {"q0": [0.1, -0.2, 0.3], "qd0": [0.3, 0.2, 0.1]},
        {
            "q0": {"joint1": 0.1, "joint2": -0.2, "joint3": 0.3},
            "qd0": {"joint3": 0.1, "joint2": 0.2, "joint1": 0.3},
        },
    )
    for way in ways:
        a, b = started(robot, **way)
        assert a == pytest.approx(q)
        assert b == pytest.approx(qd)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"q0": {"joint9": 1.0}}, "no coordinate named 'joint9'"),
        ({"q0": {"joint1": "x"}}, "q0 of joint1 is 'x'"),
        ({"qd0": {"joint1": np.inf}}, "qd0 of joint1 is inf"),
        ({"qd0": [1.0]}, r"shape \(1,\)"),
        ({"at_rest": "yes"}, "at_rest is 'yes'"),
        ({"external": [1]}, "external is"),
        ({"external": {"link9": [0, 0, 1]}}, "no link named"),
        ({"external": {"link3": [0, 0]}}, "external load at link3"),
        ({"external": {"link3": lambda t: [0, 0]}}, "external load at link3"),
        ({"external": {"link3": lambda t: 1 / 0}}, "external load at link3 failed"),
    ],
)
def test_a_wrong_start_or_load_is_one_message(given: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        started(supple.load("canadarm"), **given)


def moving(formula: str) -> supple.Robot:
    words = {"links": {"a": {"rigid": {"mass": 1.0, "inertia": 2.0}}}}
    joint = {"name": "j1", "type": "revolute", "child": "a"}
    motions = {"go": {"duration": 2, "joints": {"j1": formula}}}
    return supple.build(words | {"joints": [joint], "motions": motions})


def test_a_motion_that_starts_with_a_rate_starts_with_it() -> None:
    run = supple.simulate(moving("t"), motion="go", samples=3)
    assert run["q"][:, 0] == pytest.approx(run.time)
    run = supple.simulate(moving("0.3 + sin(t)"), motion="go", samples=3)
    assert run["q"][:, 0] == pytest.approx(0.3 + np.sin(run.time), abs=1e-6)


@pytest.mark.parametrize("formula", ["abs(t - 1)", "abs(t-1)/(t-1)", "sqrt(t)", "tan(t)"])
def test_a_motion_with_a_jump_a_kink_or_a_pole_is_refused(formula: str) -> None:
    with pytest.raises(InputError, match=r"j1"):
        supple.simulate(moving(formula), motion="go", samples=3)


def test_a_robot_started_at_rest_does_not_ring() -> None:
    """Held by its torques of statics it stays; started straight it swings by twice the sag."""
    beam = {"length": 2.0, "mass": 3.0, "EI": 4e3, "modes": {"bending_y": 3}}
    words = {"gravity": [0, -9.81, 0], "links": {"a": {"beam": beam}}}
    robot = supple.build(words | {"joints": [{"name": "j", "type": "revolute", "child": "a"}]})
    hold, load = {"j": "0.4"}, {"a.tip": [0.0, -5.0, 0.0]}
    sag = supple.statics(robot, [0.4], load).q[1:]
    still = supple.simulate(robot, None, 1.0, prescribed=hold, external=load, at_rest=True)
    assert np.abs(still["q"][:, 1:] - sag).max() < 1e-6 * np.abs(sag).max()
    rings = supple.simulate(robot, None, 1.0, prescribed=hold, external=load)
    assert np.abs(rings["q"][:, 1]).max() > 1.8 * abs(sag[0])


def test_a_constant_load_does_the_work_of_its_path() -> None:
    robot, push = supple.load("canadarm"), np.array([0.3, -0.4, 0.0])
    run = supple.simulate(robot, None, 2.0, external={"link3.tip": push}, samples=21)
    path = run["tip"][:, -1] - run["tip"][0, -1]
    assert run["work"] == pytest.approx(path @ push, abs=1e-9)
    assert run.energy_error < 1e-8
