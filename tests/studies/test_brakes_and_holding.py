"""What a brake takes, and what holding still asks for."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from sliders import sagging_arm


def test_the_peak_power_of_a_brake_is_what_it_takes() -> None:
    """4 rad/s against -3 N m of a wheel of 2 kg m^2: power from -12 W up."""
    link = {"rigid": {"mass": 1.0, "inertia": 2.0}}
    joint = {"name": "j", "type": "revolute", "child": "a"}
    robot = supple.build({"gravity": [0, 0, 0], "links": {"a": link}, "joints": [joint]})
    run = supple.simulate(robot, [-3.0], 3.0, qd0=[4.0], samples=61)
    found = supple.energy_study(run).joints[0]
    assert found.peak_power == pytest.approx(-12.0)
    assert found.energy_back == pytest.approx(0.5 * 2.0 * 4.0**2, rel=1e-6)


def test_along_a_motion_that_stands_still_a_sagging_arm_takes_the_torque_of_rest() -> None:
    """It begins with the shapes of rest: nothing rings."""
    robot = sagging_arm()
    found = supple.inverse_along(robot, supple.quintic(robot, {"hub": (0.3, 0.3)}, 0.5), samples=11)
    (rest,) = supple.statics(robot, {"hub": 0.3}).torques.values()
    assert found.data["bending"].values[:, 0] == pytest.approx(np.full(11, rest), rel=1e-6)
