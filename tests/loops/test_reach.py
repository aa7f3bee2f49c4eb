"""Motors of closed chains that bring stations to their places: closed forms, and statics."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from linkages import four_bar


def test_a_five_bar_reaches_as_two_circles_say() -> None:
    robot, (x, y) = supple.load("five-bar"), (0.9, -0.9)
    found = supple.reach(robot, {"distal1": (x, y, None)})
    for motor, base, upper, lower in (("motor1", 0.0, 0.6, 1.1), ("motor2", 1.2, 0.7, 1.2)):
        far = np.hypot(x - base, y)
        off = np.arccos((upper**2 + far**2 - lower**2) / (2 * upper * far))
        ways = np.arctan2(y, x - base) + off * np.array([-1, 1])
        assert np.abs(np.exp(1j * ways) - np.exp(1j * found.joints[motor])).min() < 1e-9
    assert np.abs(supple.closure(robot, found.q)).max() < 1e-12


def test_where_it_reaches_it_is_at_rest_under_its_load() -> None:
    robot, load = supple.load("four-bar-flexible"), {"coupler.tip": [2.0, -3.0, 0.0]}
    found = supple.reach(robot, {"coupler.tip": (0.25, None, None)}, load)
    again = supple.statics(robot, {"crank_joint": found.joints["crank_joint"]}, load)
    assert found.position("coupler.tip")[0] == pytest.approx(0.25, abs=1e-10)
    assert np.abs(found.q - again.q).max() < 1e-10
    assert np.abs(found.tau - again.tau).max() < 1e-9
    assert found.multipliers == pytest.approx(again.multipliers, abs=1e-8)


def test_a_stewart_platform_and_a_delta_robot_reach_in_space() -> None:
    for name, where, to in (
        ("stewart", "platform.hold1", (0.3, -0.28, 0.75)),
        ("delta", "platform", (0.05, 0.02, None)),
    ):
        found = supple.reach(supple.load(name), {where: to})
        there = [x for x in to if x is not None]
        assert found.position(where)[: len(there)] == pytest.approx(there, abs=1e-10)


def test_what_cannot_be_reached_is_said() -> None:
    with pytest.raises(supple.SimulationError, match=r"the best ends 3\.4"):
        supple.reach(supple.load("five-bar"), {"distal1": (5.0, 0.9, None)})
    idle = supple.build(four_bar(actuated=[]))
    with pytest.raises(supple.InputError, match="has no motor; there is nothing to reach with"):
        supple.reach(idle, {"coupler": (0.5, None, None)})
