"""Statics where a gear gives way, has a gap, or shapes turn the root."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from agree import assert_near
from sliders import pinned_beam
from supple.analyse import compliance


def with_middle(robot: supple.Robot) -> supple.Robot:
    link = dict(robot.spec["links"]["arm"]) | {"stations": {"middle": {"x": 0.4}}}
    return robot.replace(links={"arm": link})


def test_inside_a_pinned_beam_compliance_is_the_difference_quotient_of_statics() -> None:
    """At its ends pinned shapes do not move: only inside is there something to see."""
    robot, h = with_middle(pinned_beam()), 1e-4
    C = compliance(supple.statics(robot), "arm.middle")
    ends = [supple.statics(robot, None, {"arm.middle": [0.0, s * h, 0.0]}) for s in (1, -1)]
    moved = (ends[0].position("arm.middle") - ends[1].position("arm.middle")) / (2 * h)
    assert np.abs(moved).max() > 1e-5
    assert_near(C[:, 1], moved, 1e-6)


def test_a_beam_behind_a_gear_in_its_gap_is_not_buckled() -> None:
    """Nothing holds it there, and nothing has taken its stiffness away."""
    beam = {"length": 1, "mass": 1, "EI": 50, "modes": {"bending_y": 2}}
    drive = {"gear_ratio": 50.0, "rotor_inertia": 1e-3, "stiffness": 500.0, "backlash": 0.02}
    joint = {"name": "j", "type": "revolute", "child": "a", "drive": drive}
    robot = supple.build({"gravity": [0, 0, 0], "links": {"a": {"beam": beam}}, "joints": [joint]})
    assert supple.statics(robot, {"j": 0.1}).warnings == ()
    held = np.sort(supple.zeros(robot, ["j.motor"], inputs=["j.motor"]).eigenvalues)
    assert held == pytest.approx(supple.frequencies(robot, locked=True).omega ** 2, abs=1e-6)


def test_in_linear_statics_the_motor_carries_what_its_gear_is_wound_up_by() -> None:
    """k delta / R: to first order in what the gear gives way, as the joint itself."""
    words = {"gear_ratio": 50.0, "rotor_inertia": 1e-3, "stiffness": 5e4}
    link = {"rigid": {"mass": 2.0, "com": [0.5, 0, 0], "inertia": 0.01}}
    joint = {"name": "j", "type": "revolute", "child": "a", "drive": words}
    robot = supple.build({"gravity": [0, -9.81, 0], "links": {"a": link}, "joints": [joint]})
    rest = supple.statics(robot, {"j": 0.4}, linear=True)
    assert rest.torques["j.motor"] == pytest.approx(5e4 * (0.4 - rest.joints["j"]) / 50.0)
