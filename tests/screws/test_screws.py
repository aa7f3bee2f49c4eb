"""Vectors, rotations and inertias against their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.linalg import expm

from supple.bodies import Station, node
from supple.screws import (
    ArticulatedInertia,
    FullRotation,
    RigidInertia,
    Rotation,
    Turn,
    cross,
    quaternion_matrix,
    rotation_from_axes as frame_on,
    rpy_matrix,
    skew,
)
from supple.screws.dual import Dual, dual_part, seed
from supple.screws.series import stumpff

SEEDS = st.integers(0, 10_000)


def random_rotation(rng: np.random.Generator) -> Rotation:
    k = int(rng.integers(3))
    a = rng.normal()
    R = expm(skew(rng.normal(size=3)))
    return Rotation((Turn(k, np.cos(a), np.sin(a)), FullRotation(R), Turn((k + 1) % 3, 0.6, 0.8)))


@given(SEEDS)
def test_a_product_of_turns_acts_like_its_matrix(number: int) -> None:
    rng = np.random.default_rng(number)
    rotation, v, X = random_rotation(rng), rng.normal(size=3), rng.normal(size=(3, 3))
    R, S = rotation.matrix(), X + X.T
    assert np.allclose(R @ R.T, np.eye(3), atol=1e-13)
    assert np.allclose(rotation.forth(v), R @ v)
    assert np.allclose(rotation.back(v), R.T @ v)
    assert np.allclose(rotation.general(X), R @ X @ R.T)
    assert np.allclose(rotation.symmetric(S), R @ S @ R.T)


@given(SEEDS)
def test_shifting_and_turning_an_inertia_keeps_its_energy(number: int) -> None:
    rng = np.random.default_rng(number)
    A = rng.normal(size=(6, 6))
    X, r, rotation = ArticulatedInertia.of(A @ A.T), rng.normal(size=3), random_rotation(rng)
    w, v = rng.normal(size=3), rng.normal(size=3)  # at the new point, in the outer frame
    t_old = np.concatenate([rotation.back(w), rotation.back(v + cross(w, r))])
    t_new = np.concatenate([w, v])
    Y = X.turned(rotation).shifted(r).matrix()
    assert np.isclose(t_old @ X.matrix() @ t_old, t_new @ Y @ t_new)
    I = A[:3, :3] @ A[:3, :3].T  # noqa: E741
    body = RigidInertia(I, rng.normal(size=3), 2.0)
    Z = body.turned(rotation).shifted(r)
    assert np.isclose(t_old @ body.matrix() @ t_old, t_new @ Z.matrix() @ t_new)
    n, f = Z.wrench(w, v)
    assert np.allclose(Z.matrix() @ t_new, np.concatenate([n, f]))


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-4, 0.1, 0.3, 0.7, 1.0])
def test_stumpff_series_are_sine_and_cosine(angle: float) -> None:
    c1, c2, c3, c4, c5 = stumpff(angle**2)
    if angle > 0.01:
        assert np.isclose(c1, np.sin(angle) / angle, rtol=1e-14)
        assert np.isclose(c2, (1 - np.cos(angle)) / angle**2, rtol=1e-12)
    s = angle**2
    assert np.isclose(c3, 1 / 6 - s * c5, rtol=1e-15)
    assert np.isclose(c2, 1 / 2 - s * c4, rtol=1e-15)
    assert np.isclose(c3, (1 - c1) / s if angle > 0.01 else 1 / 6 - s / 120, rtol=1e-11)


@given(SEEDS)
def test_a_bent_node_turns_by_the_exponential_at_its_true_rate(number: int) -> None:
    rng = np.random.default_rng(number)
    Theta, d, dd = rng.normal(size=(2, 3)), rng.normal(size=2), rng.normal(size=2)
    d = 0.9 * rng.random() * d / np.linalg.norm(d @ Theta)
    station = Station(np.zeros(3), np.zeros((2, 3)), Theta)
    bend = node(station, d, dd).bend
    assert np.allclose(bend.R.matrix(), expm(skew(d @ Theta)), atol=1e-13)
    R_dot = dual_part(node(station, seed(d, dd), dd).bend.R.matrix())
    assert np.allclose(R_dot @ bend.R.matrix().T, skew(bend.w), atol=1e-12)
    w_dot = dual_part(node(station, seed(d, dd), dd).bend.w)
    assert np.allclose(w_dot, bend.dw, atol=1e-12)


def test_frames_on_coordinate_axes_are_exact() -> None:
    for z in (*np.eye(3), *-np.eye(3)):
        R = frame_on(z)
        assert np.array_equal(R[:, 2], z)
        assert np.array_equal(R @ R.T, np.eye(3))
        assert np.linalg.det(R) == 1.0
    R = frame_on(np.array([0.6, 0.0, 0.8]))
    assert np.allclose(R.T @ R, np.eye(3))
    assert np.isclose(np.linalg.det(R), 1.0)


@pytest.mark.parametrize("size", [1e-3, 1e-8, 1e-9, 1e-14])
def test_a_constant_rotation_keeps_its_smallest_angles(size: float) -> None:
    for k in range(3):
        angles = size * np.array([1.0, -2.0, 3.0])
        angles[k] = 0.7
        R = expm(skew(angles))
        assert np.allclose(Rotation.constant(R).matrix(), R, rtol=1e-14 / size, atol=1e-28)
        tilted = expm(skew(angles - 0.7 * np.eye(3)[k]))  # small angles alone
        assert np.array_equal(Rotation.constant(tilted).matrix(), tilted)


def test_a_constant_rotation_is_three_turns_and_the_last_joins_a_joint() -> None:
    rng = np.random.default_rng(2)
    joint = Turn.by(2, 0.4)
    for angles in [*rng.uniform(-3.0, 3.0, (20, 3)), (0.3, np.pi / 2, 0.0), (np.pi / 2, 0.2, 0.0)]:
        R = rpy_matrix(*angles)
        turns = Rotation.constant(R)
        assert 2 <= len(turns.factors) <= 3
        assert np.abs(turns.matrix() - R).max() < 1e-15
        both = turns.joined(joint)
        if both is not None:
            whole = both[0].matrix() @ both[1].matrix()
            assert len(both[0].factors) == len(turns.factors) - 1
            assert np.abs(whole - R @ joint.matrix()).max() < 1e-15
    swapped = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    assert isinstance(Rotation.constant(swapped).factors[0], FullRotation)
    assert Rotation.constant(swapped).joined(joint) is None


def test_a_constant_turn_about_a_coordinate_axis_stays_a_turn() -> None:
    assert Rotation.constant(np.eye(3)) == Rotation()
    for k in range(3):
        for angle in (1e-9, 0.3, np.pi / 2, 3.0, -2.0):
            R = Turn(k, np.cos(angle), np.sin(angle)).matrix()
            (factor,) = Rotation.constant(R).factors
            assert isinstance(factor, Turn)
            assert np.array_equal(factor.matrix(), R)
        flip = np.diag([1.0 if i == k else -1.0 for i in range(3)])
        assert Rotation.constant(flip).factors == (Turn(k, -1.0, 0.0),)


def test_quaternions_of_any_length_turn_alike() -> None:
    p = np.array([0.3, -0.4, 0.5, 0.2])
    R = quaternion_matrix(p)
    assert np.allclose(R, quaternion_matrix(7.0 * p))
    assert np.allclose(R @ R.T, np.eye(3))
    half = np.pi / 5
    turn = quaternion_matrix(np.array([np.cos(half), 0.0, 0.0, np.sin(half)]))
    assert np.allclose(turn, Turn(2, np.cos(2 * half), np.sin(2 * half)).matrix())


@given(st.floats(-2, 2), st.floats(0.1, 2))
def test_dual_numbers_differentiate(x: float, y: float) -> None:
    a, b = Dual(x, 1.0), Dual(y, 0.0)
    got = (a * b - 1.0 / b + np.sin(a) * np.cos(a)) / (b + np.sqrt(b)) + np.tanh(2.0 - a)
    c = y + np.sqrt(y)
    slope = (y + np.cos(2 * x)) / c - (1 - np.tanh(2 - x) ** 2)
    assert np.isclose(got.b, slope, rtol=1e-12, atol=1e-12)
