"""Motors that turn a root which shapes turn too."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from agree import assert_near
from sliders import pinned_beam


def test_a_limited_motor_on_a_root_that_shapes_turn_works_on_the_shapes_too() -> None:
    """Cut to 2 the torque is as one of 2: in every coordinate that it turns."""
    robot = pinned_beam()
    cut, plain = (
        supple.simulate(robot, law, 0.05, samples=3) for law in (supple.limited([7.0], 2.0), [2.0])
    )
    assert_near(cut["tau"], plain["tau"], 1e-12)
    assert_near(cut["q"], plain["q"], 1e-9)


def test_feed_forward_of_a_bending_arm_on_pinned_shapes_holds_it_as_statics_says() -> None:
    """There the motor's torque works on the shapes too."""
    robot = pinned_beam().replace(gravity=(0, -9.81, 0))
    still = supple.quintic(robot, {"hub": (0.3, 0.3)}, 1.0)
    tau = supple.feedforward(robot, still, model="flexible")(0.3, np.zeros(0), np.zeros(0))
    rest = supple.statics(robot, {"hub": 0.3})
    (motor,) = rest.torques.values()
    assert tau == pytest.approx(motor * robot.input_matrix[:, 0], rel=1e-6)
