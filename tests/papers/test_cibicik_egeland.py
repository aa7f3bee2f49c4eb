"""The 4-DOF arm of [CibicikEgeland]: constants, and its dynamics in the undeformed shape."""

from __future__ import annotations

from typing import Any

import numpy as np

import supple

ORDER = [0, 1, 8, 15, *range(2, 8), *range(9, 15)]  # the paper's: joints, link 2, link 3


def test_stiffness_and_locked_frequencies(reference: Any) -> None:
    robot, given = supple.load("cibicik-arm").replace(gravity=(0, 0, 0)), reference("cibicik_arm")
    K = np.zeros((16, 16))
    for link in robot.links:
        K[link.e, link.e] = link.body.K
    assert np.abs(K[np.ix_(ORDER, ORDER)] - given["K"]).max() < 1e-9 * np.abs(K).max()
    q = np.zeros(16)
    q[[0, 1, 8, 15]] = [0.0, np.pi / 6, 2 * np.pi / 3, np.pi / 6]
    omega = supple.frequencies(robot, q, locked=True).omega
    assert np.abs(omega / given["locked_joint_frequencies_start_pose"] - 1.0).max() < 1e-9


def test_dynamics_in_the_undeformed_shape(reference: Any) -> None:
    """With d = 0 every definition of the elastic rotation agrees."""
    robot = supple.load("cibicik-arm")
    s = reference("cibicik_arm")["states"][0]
    q, u = np.zeros(16), np.zeros(16)
    q[ORDER], u[ORDER] = s["q"], s["u"]
    assert not np.any(np.array(s["q"])[4:])
    M = supple.mass_matrix(robot, q)[np.ix_(ORDER, ORDER)]
    assert np.abs(M - s["nonlinear"]["M"]).max() < 1e-10 * np.abs(M).max()
    gravity = supple.gravity_force(robot, q)[ORDER]
    assert np.abs(gravity - s["nonlinear"]["gravity"]).max() < 1e-10 * np.abs(gravity).max()
