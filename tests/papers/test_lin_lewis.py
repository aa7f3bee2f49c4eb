"""The arms of [LinLewis]."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import supple

ORDER = [0, 1, 3, 2]  # the paper's (theta1, theta2, theta3, v) from our link by link order


@pytest.mark.parametrize("angle", ["chord", "slope"])
def test_rfr_arm(angle: str, reference: Any) -> None:
    given = reference("lin_lewis_rfr")["numeric"][angle]
    words = copy.deepcopy(supple.load("lin-lewis-rfr").spec)
    words["links"]["link2"]["beam"]["tip_angle"] = angle
    robot = supple.build(words)
    put = np.eye(4)[:, ORDER]
    for s in given["states"]:
        q, qd = np.array(s["q"])[ORDER], np.array(s["qd"])[ORDER]
        M = put.T @ supple.mass_matrix(robot, q) @ put
        assert np.abs(M - s["M"]).max() < 1e-9
        assert np.abs(put.T @ supple.coriolis_force(robot, q, qd) - s["coriolis"]).max() < 1e-9
        assert np.abs(put.T @ supple.elastic_force(robot, q) - s["stiffness_force"]).max() < 1e-9


def test_pinned_modes_are_driven_by_the_joint_torque() -> None:
    """B^T = [1 phi_1'(0) phi_2'(0)]."""
    robot = supple.load("lin-lewis-f").with_modes(family="pinned_pinned")
    assert np.allclose(robot.input_matrix[:, 0], [1.0, np.pi / 47.0, 2.0 * np.pi / 47.0])
    clamped = supple.load("lin-lewis-f")
    assert np.array_equal(clamped.input_matrix[:, 0], [1.0, 0.0, 0.0])


def test_pinned_eigenvalues_are_exact() -> None:
    """EI/(rho A) (k pi / L)^4, 15 modes; erratum: 2320.64 is printed for 2312.83."""
    robot = supple.load("lin-lewis-f").with_modes(15, family="pinned_pinned")
    body = robot.links[0].body
    values = np.linalg.eigvalsh(np.linalg.solve(body.Mdd, body.K))
    exact = 4120.0 / (2.54e-4 * 0.14) * (np.arange(1, 16) * np.pi / 47.0) ** 4
    assert np.abs(values / exact - 1.0).max() < 1e-10
    assert abs(values[0] - 2312.83) < 0.005


def test_lower_modes_are_blocks_of_the_higher() -> None:
    robot = supple.load("lin-lewis-f")
    few, many = (robot.with_modes(n).links[0].body for n in (5, 10))
    assert np.allclose(many.Mdd[:5, :5], few.Mdd, rtol=1e-12, atol=1e-15)
    assert np.allclose(many.K[:5, :5], few.K, rtol=1e-12, atol=1e-10)


def test_rigid_two_link_arm_is_the_textbooks() -> None:
    """Spong and Vidyasagar: d11 = m1 lc1^2 + m2 (l1^2 + lc2^2 + 2 l1 lc2 cos q2) + I1 + I2."""
    robot = supple.load("lin-lewis-rr")
    q, qd = np.array([0.3, -0.8]), np.array([0.7, -1.1])
    c2, s2 = np.cos(q[1]), np.sin(q[1])
    d12 = 0.25 + 0.5 * c2 + 1 / 12
    M = [[0.25 + 1.25 + c2 + 1 / 6, d12], [d12, 0.25 + 1 / 12]]
    h = -0.5 * s2
    C = [2 * h * qd[0] * qd[1] + h * qd[1] ** 2, -h * qd[0] ** 2]
    g2 = 9.81 * 0.5 * np.cos(q.sum())
    assert np.allclose(supple.mass_matrix(robot, q), M, rtol=1e-14)
    assert np.allclose(supple.coriolis_force(robot, q, qd), C, rtol=1e-13)
    assert np.allclose(supple.gravity_force(robot, q), [9.81 * 1.5 * np.cos(q[0]) + g2, g2])
