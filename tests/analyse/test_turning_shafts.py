"""Shafts that turn: the textbook's unstable window, and critical speeds of both ways to turn."""

from __future__ import annotations

import numpy as np
import pytest

import supple


def shaft(y: float, z: float) -> supple.Robot:
    """A beam along the axis it turns about, one shape in each plane."""
    beam = {"length": 2.0, "mass": 6.0, "EIz": y, "EIy": z, "rotary_inertia": False}
    beam |= {"rpy": [0, -np.pi / 2, 0], "modes": {"bending_y": 1, "bending_z": 1}}
    words = {"gravity": [0, 0, 0], "links": {"a": {"beam": beam, "hub": {"inertia": 0.1}}}}
    return supple.build(words | {"joints": [{"name": "hub", "type": "revolute", "child": "a"}]})


def test_between_its_two_speeds_an_uneven_shaft_falls_as_the_textbook_says() -> None:
    """s^4 + (a^2 + b^2 + 2 W^2) s^2 + (a^2 - W^2)(b^2 - W^2) = 0: one s > 0 where a < W < b."""
    robot = shaft(48.0, 96.0)
    a, b = supple.frequencies(robot, locked=True).omega
    W = 0.5 * (a + b)
    squares = np.roots([1.0, a**2 + b**2 + 2 * W**2, (a**2 - W**2) * (b**2 - W**2)])
    found = supple.frequencies(robot, rates={"hub": W}).omega
    assert found == pytest.approx([-np.sqrt(squares.max()), np.sqrt(-squares.min())], rel=1e-6)


def test_a_joint_that_turns_backwards_has_the_same_critical_speeds() -> None:
    robot = shaft(48.0, 48.0)
    w = supple.frequencies(robot, locked=True).omega[0]
    back, forth = (
        supple.campbell(robot, "hub", speeds, orders=[2]).crossings
        for speeds in (np.linspace(-0.9 * w, -0.1 * w, 5), np.linspace(0.1 * w, 0.9 * w, 5))
    )
    assert [c.speed for c in back] == pytest.approx([-c.speed for c in reversed(forth)], rel=1e-6)
    assert [c.omega for c in back] == pytest.approx([c.omega for c in reversed(forth)], rel=1e-6)
    assert {c.whirl for c in back} == {c.whirl for c in forth} == {"forward", "backward"}
    assert forth[0].omega == pytest.approx(w, rel=1e-6)


@pytest.mark.parametrize("count", [11, 26])
def test_a_round_shaft_has_its_critical_speed_once_each_way(count: int) -> None:
    """Seen from the ground its modes whirl at w forward and backward: order 1 meets both at w."""
    robot = shaft(48.0, 48.0)
    w = supple.frequencies(robot, locked=True).omega[0]
    speeds = np.linspace(0.0, 1.5 * w, count)
    found = supple.campbell(robot, "hub", speeds, orders=[1])
    assert [c.speed for c in found.crossings] == pytest.approx([w, w], rel=1e-7)
    assert {c.whirl for c in found.crossings} == {"forward", "backward"}
    assert found.warnings == ()
