"""Which integrator a run gets when it is left to Supple."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import supple
from supple.simulation import SimulatedRobot, StateRate, constant
from supple.simulation.stiffness import choose


def arm(**joint: Any) -> supple.Robot:
    words = {"links": {"a": {"rigid": {"mass": 1.0, "inertia": 1.0}}}}
    return supple.build(words | {"joints": [{"type": "revolute", "child": "a"} | joint]})


def chosen(robot: supple.Robot) -> str:
    y = np.concatenate([robot.neutral(), np.zeros(robot.nv + 2)])
    return choose(
        StateRate(SimulatedRobot(robot, constant(np.zeros(robot.nv)))), 0.0, y, 10.0, None
    ).method


@pytest.mark.parametrize(
    ("joint", "method"),
    [
        ({}, "explicit"),
        ({"stiffness": 1e4}, "explicit"),  # 100 rad/s for 10 s: a thousand radians
        ({"stiffness": 1e12}, "rosenbrock"),  # a million rad/s
        ({"stiffness": 1.0, "damping": 1e6}, "rosenbrock"),
        ({"stiffness": 1.0, "friction": {"viscous": 1e6}}, "rosenbrock"),
    ],
)
def test_fast_modes_and_strong_damping_get_an_implicit_method(joint: Any, method: str) -> None:
    assert chosen(arm(**joint)) == method


def test_the_papers_arm_keeps_its_vibration() -> None:
    assert chosen(supple.load("canadarm")) == "explicit"


def test_hertz_are_turns_a_second() -> None:
    found = supple.frequencies(arm(stiffness=4.0))
    assert np.isclose(found.omega[0], 2.0)
    assert np.isclose(found.hertz[0], 1.0 / np.pi)
