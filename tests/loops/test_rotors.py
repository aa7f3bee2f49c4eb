"""Rotors of joints without motors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import supple
from loops.mechanisms import consistent, five_bar
from loops.minimum_order import minimum_order


def test_rotors_of_joints_without_motors_are_in_the_minimum_order() -> None:
    """K^T J (K u_dot + K_dot u): what the inverse dynamics of the tree with its cuts says."""
    plain, q = five_bar()
    drives = [replace(x.drive, rotor_inertia=0.1 * (i + 1)) for i, x in enumerate(plain.links)]
    pairs = zip(plain.links, drives, strict=True)
    robot = replace(plain, links=tuple(replace(x, drive=d) for x, d in pairs), spec=None)
    qd, qdd = consistent(robot, q, np.random.default_rng(6))
    at = minimum_order(robot, q, qd)
    motors = list(at.matrices.motors)
    tau = supple.inverse_dynamics(robot, q, qd, qdd)[motors]
    assert at.I @ qdd[motors] + at.h == pytest.approx(tau, rel=1e-9)
