"""Dual lines, screws and wrenches: what changes of point, frame and time do to them."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from hypothesis import given, strategies as st

from agree import assert_near
from supple.screws import cross, skew
from supple.screws.dual import (
    Dual,
    DualArray,
    DualRotation,
    DualTransform,
    ad,
    couple,
    differentiation_operator,
    dual_part,
    frame_change,
    line,
    power,
    ray,
    reference_change,
    rotation_exp,
    screw,
    stacked,
    stacked_matrix,
    wrench,
)

near = partial(assert_near, tolerance=1e-12, least=1.0)
SEEDS = st.integers(0, 10_000)


def dual(rng: np.random.Generator, *shape: int) -> DualArray:
    return DualArray(rng.normal(size=shape), rng.normal(size=shape))


@given(SEEDS)
def test_dual_arrays_are_arrays_of_dual_numbers(number: int) -> None:
    rng = np.random.default_rng(number)
    a, b, v = dual(rng, 2, 3), dual(rng, 3, 4), dual(rng, 3)
    product = (a @ b).numbers()
    one_by_one = a.numbers() @ b.numbers()
    assert all(
        np.isclose([x.a, x.b], [y.a, y.b]).all()
        for x, y in zip(product.flat, one_by_one.flat, strict=True)
    )
    near((a @ v).matrix(), a.matrix() @ v.matrix())
    near((a @ b).matrix(), a.matrix() @ b.matrix())
    near((a - 2.0 * a + np.ones(3) * a).matrix(), np.zeros((4, 6)))
    near(a.swapped().swapped().matrix(), a.matrix())


@given(SEEDS)
def test_point_then_frame_is_the_adjoint(number: int) -> None:
    """V = R-bar U, eqs. (2), (59)-(66), is Ad of the inverse transformation."""
    rng = np.random.default_rng(number)
    Y, t = DualTransform.exp(dual(rng, 6)), dual(rng, 6)
    X = Y.X.inverse()
    V = frame_change(X) @ reference_change(-Y.v)
    near((V @ t).matrix(), (Y.inverse().adjoint() @ t).matrix())
    near(stacked_matrix(V) @ stacked(t), stacked(V @ t))


@given(SEEDS)
def test_the_dual_part_of_a_line_is_its_change_by_a_small_deflection(number: int) -> None:
    """The line of a joint seen from a bent link's end, against the finite rotation."""
    rng = np.random.default_rng(number)
    r, theta, d, a, p = (rng.normal(size=3) for _ in range(5))
    Y = DualTransform.elastic(r, theta, d)
    seen = Y.inverse().adjoint() @ line(a, p)
    small = np.array([Dual(0.0, 1.0)])
    R = rotation_exp(small[0] * theta)
    moved = R.T @ (cross(p - r - small[0] * d, a))
    nonlinear = np.concatenate([R.T @ a, moved])
    near(seen.d, dual_part(nonlinear))
    near(seen.r, np.concatenate([a, cross(p - r, a)]))


@given(SEEDS)
def test_differentiation_operator_is_the_time_derivative(number: int) -> None:
    """L_dot = [d] L, eqs. (76)-(77), where the frame and the elastic states move."""
    rng = np.random.default_rng(number)
    u, r, theta, d = (rng.normal(size=3) for _ in range(4))
    u_dot, r_dot, theta_dot, d_dot = (rng.normal(size=3) for _ in range(4))
    L = dual(rng, 6)

    def at(u: Any, r: Any, theta: Any, d: Any) -> DualTransform:
        return DualTransform(DualRotation(rotation_exp(u), theta), DualArray(r, d))

    e = Dual(0.0, 1.0)
    moving = at(u + e * u_dot, r + e * r_dot, theta + e * theta_dot, d + e * d_dot)
    seen = moving.inverse().adjoint() @ L
    Y = at(u, r, theta, d)
    A_dot = dual_part(rotation_exp(u + e * u_dot))
    W = Y.X.A.T @ A_dot
    omega = np.array([W[2, 1], W[0, 2], W[1, 0]])
    t = screw(Y.X.right_velocity(omega, theta_dot), Y.X.inverse() @ DualArray(r_dot, d_dot))
    rate = differentiation_operator(t) @ (Y.inverse().adjoint() @ L)
    near(rate.r, dual_part(seen.r))
    near(rate.d, dual_part(seen.d))
    near((ad(t) @ t).matrix(), np.zeros(12))


@given(SEEDS)
def test_power_does_not_depend_on_point_or_frame(number: int) -> None:
    rng = np.random.default_rng(number)
    Y, t, w = DualTransform.exp(dual(rng, 6)), dual(rng, 6), wrench(dual(rng, 3), dual(rng, 3))
    V = Y.adjoint()
    before, after = power(t, w), power(V @ t, ray(V @ ray(w)))
    assert np.isclose(before.a, after.a)
    assert np.isclose(before.b, after.b)


def test_lines_and_couples() -> None:
    a, p = np.array([0.0, 0.0, 1.0]), np.array([2.0, 0.0, 0.0])
    assert np.array_equal(line(a, p).r, [0.0, 0.0, 1.0, 0.0, -2.0, 0.0])
    assert np.array_equal(line(a).r, [0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
    assert np.array_equal(couple(a).r, [0.0, 0.0, 0.0, 0.0, 0.0, 1.0])
    assert np.array_equal((reference_change(p) @ line(a)).r, line(a, p).r)
    assert np.array_equal(skew(p) @ a, cross(p, a))
