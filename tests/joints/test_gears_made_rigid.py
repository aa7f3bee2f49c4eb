"""An elastic gear made rigid is a rigid drive."""

from __future__ import annotations

import pytest

import supple


def test_a_gear_made_rigid_has_the_motor_of_a_rigid_drive_fading_at_its_speeds() -> None:
    from supple.recursion import rigid_gears

    limits = {"torque_limit": 3.0, "speed_limit": 40.0, "full_torque_speed": 30.0}
    words = {"gear_ratio": 5.0, "rotor_inertia": 1e-3} | limits
    found = []
    for more in ({}, {"stiffness": 500.0}):
        joint = {"name": "j", "type": "revolute", "child": "a", "drive": words | more}
        link = {"rigid": {"mass": 1.0, "inertia": 0.4}}
        robot = supple.build({"links": {"a": link}, "joints": [joint]})
        robot = rigid_gears(robot)
        found.append([supple.motor_torque(robot, [w], [99.0])[0] for w in (5.0, 7.0, 9.0)])
    assert found[1] == pytest.approx(found[0])
    assert found[0] == pytest.approx([15.0, 7.5, 0.0])
