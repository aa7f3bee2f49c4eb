"""Springs, dampers, friction and rotors against their formulas."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import supple

LINK = {"rigid": {"mass": 1.0, "com": [0.1, 0.2, 0.3], "inertia": [0.2, 0.3, 0.4]}}
WORDS = {
    "stiffness": 5.0,
    "rest": 0.3,
    "damping": 0.7,
    "friction": {"coulomb": 2.0, "viscous": 0.11, "smoothing": 0.2},
    "rotor_inertia": 0.9,
}


def joint(kind: str, **words: Any) -> supple.Robot:
    listed = [{"type": kind, "child": "a", "axis": [0, 0, 1]} | words]
    return supple.build({"gravity": [0, 0, 0], "links": {"a": LINK}, "joints": listed})


@pytest.mark.parametrize("kind", ["revolute", "prismatic"])
def test_what_acts_on_a_joint_by_itself(kind: str) -> None:
    robot, q, u = joint(kind, **WORDS), 1.1, -0.25
    spring, resist = 5.0 * (q - 0.3), (0.7 + 0.11) * u + 2.0 * np.tanh(u / 0.2)
    assert supple.elastic_force(robot, [q]) == pytest.approx(spring)
    assert supple.passive_force(robot, [q], [u]) == pytest.approx(spring + resist)
    assert supple.potential_energy(robot, [q]) == pytest.approx(0.5 * 5.0 * (q - 0.3) ** 2)
    bare = 1.0 if kind == "prismatic" else 0.4 + 0.1**2 + 0.2**2
    assert supple.mass_matrix(robot, [q]) == pytest.approx(bare + 0.9)
    tau = supple.inverse_dynamics(robot, [q], [u], [1.5])
    assert tau == pytest.approx((bare + 0.9) * 1.5 + spring + resist)


def test_damping_at_rest_is_the_slope_of_what_resists() -> None:
    robot, h = joint("revolute", **WORDS), 1e-6
    slope = (supple.passive_force(robot, [0.3], [h]) - supple.passive_force(robot, [0.3], [-h])) / h
    assert robot.links[0].drive.damping_at_rest == pytest.approx(0.5 * slope[0], rel=1e-9)


def test_friction_saturates_at_coulombs_force() -> None:
    robot = joint("revolute", friction={"coulomb": 2.0, "smoothing": 1e-3})
    for u in (-3.0, -0.1, 0.1, 3.0):
        assert supple.passive_force(robot, [0.4], [u]) == pytest.approx(2.0 * np.sign(u))
