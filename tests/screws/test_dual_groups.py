"""G1 and G2 are groups, with the exponential and logarithm of their matrices."""

from __future__ import annotations

from functools import partial
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import given, strategies as st
from scipy.linalg import expm

from agree import assert_near
from supple.engine import traced
from supple.screws import skew
from supple.screws.dual import (
    DualArray,
    DualRotation,
    DualTransform,
    ad,
    dual_left_jacobian,
    dual_part,
    left_jacobian,
    rotation_exp,
    seed,
    stacked,
    stacked_matrix,
    unstacked,
    wedge,
)
from supple.screws.dual.so3 import left_jacobian_slope, stumpff
from supple.tracer import quickly

near = partial(assert_near, tolerance=1e-13, least=1.0)
SEEDS = st.integers(0, 10_000)


def dual(rng: np.random.Generator, n: int, scale: float = 1.0) -> DualArray:
    return DualArray(scale * rng.normal(size=n), rng.normal(size=n))


def element(rng: np.random.Generator) -> DualTransform:
    return DualTransform.exp(dual(rng, 6, 2.0))


def hat(t: DualArray) -> Any:
    """[t]^ (7, 7) of g2, written out: eq. (55)."""
    out = np.zeros((7, 7))
    out[:6, :6], out[:6, 6] = wedge(t[:3]).matrix(), t[3:].matrix()
    return out


def in_group(X: DualRotation, tolerance: float = 1e-13) -> bool:
    """A^T A = 1, det A = 1, and the dual part is a skew matrix times A: eq. (8)."""
    M = X.matrix()
    A, theta = M[:3, :3], M[3:, :3] @ M[:3, :3].T
    size = tolerance * (1.0 + np.abs(theta).max())
    return bool(
        np.abs(A.T @ A - np.eye(3)).max() < tolerance
        and np.linalg.det(A) > 0.0
        and np.abs(theta + theta.T).max() < size
    )


@given(SEEDS)
def test_products_stay_in_the_group_and_associate(number: int) -> None:
    rng = np.random.default_rng(number)
    a, b, c = element(rng), element(rng), element(rng)
    assert in_group((a @ b).X)
    near(((a @ b) @ c).matrix(), (a @ (b @ c)).matrix())
    near((a @ b).matrix(), a.matrix() @ b.matrix())
    near((a.X @ b.X).matrix(), a.X.matrix() @ b.X.matrix())


@given(SEEDS)
def test_identity_and_inverse(number: int) -> None:
    a, one = element(np.random.default_rng(number)), DualTransform.identity()
    assert np.array_equal(one.matrix(), np.eye(7))
    near((a @ one).matrix(), a.matrix())
    near((one @ a).matrix(), a.matrix())
    near((a @ a.inverse()).matrix(), np.eye(7))
    near((a.inverse() @ a).matrix(), np.eye(7))
    near(a.inverse().matrix(), np.linalg.inv(a.matrix()), tolerance=1e-11)
    near((a.X.inverse() @ a.X).matrix(), np.eye(6))
    near(DualTransform.of(a.matrix()).matrix(), a.matrix())


@given(SEEDS)
def test_adjoints_are_what_conjugation_does(number: int) -> None:
    """Eqs. (12), (18) and the bracket of g2."""
    rng = np.random.default_rng(number)
    a, t, s = element(rng), dual(rng, 6), dual(rng, 6)
    Y, Yi = a.matrix(), a.inverse().matrix()
    near(hat(a.adjoint() @ t), Y @ hat(t) @ Yi, tolerance=1e-12)
    near(stacked_matrix(a.adjoint()) @ stacked(t), stacked(a.adjoint() @ t))
    near(stacked(unstacked(stacked(t))), stacked(t))
    w = t[:3]
    near(
        wedge(a.X.adjoint() @ w).matrix(),
        a.X.matrix() @ wedge(w).matrix() @ a.X.inverse().matrix(),
        tolerance=1e-12,
    )
    near(hat(ad(t) @ s), hat(t) @ hat(s) - hat(s) @ hat(t), tolerance=1e-12)


@given(SEEDS, st.sampled_from([0.0, 1e-9, 1e-3, 0.3, 1.0, 2.0, 6.0]))
def test_exponential_is_that_of_the_matrix(number: int, angle: float) -> None:
    rng = np.random.default_rng(number)
    t = dual(rng, 6)
    u = t.r[:3] / np.linalg.norm(t.r[:3])
    t = DualArray(np.concatenate([angle * u, t.r[3:]]), t.d)
    near(DualTransform.exp(t).matrix(), expm(hat(t)), tolerance=1e-12)
    near(DualRotation.exp(t[:3]).matrix(), expm(wedge(t[:3]).matrix()), tolerance=1e-12)


@given(SEEDS)
def test_g1_is_so3_over_dual_numbers(number: int) -> None:
    """exp run on dual numbers is the exponential of G1; so is the left Jacobian's slope."""
    rng = np.random.default_rng(number)
    t = dual(rng, 3)
    A = rotation_exp(seed(t.r, t.d))
    near(dual_part(A), DualRotation.exp(t).array().d)
    near(dual_part(left_jacobian(seed(t.r, t.d))), left_jacobian_slope(t.r, t.d))


@given(SEEDS)
def test_the_slope_of_the_left_jacobian_is_the_papers_Q(number: int) -> None:
    """Eq. (144) as printed, and the series (142)."""
    rng = np.random.default_rng(number)
    phi, gamma = 2.0 * rng.normal(size=3), rng.normal(size=3)
    a, f, g = np.linalg.norm(phi), skew(phi), skew(gamma)
    k = (1 - a**2 / 2 - np.cos(a)) / a**4
    Q = g / 2 + (a - np.sin(a)) / a**3 * (f @ g + g @ f + f @ g @ f)
    Q = Q - k * (f @ f @ g + g @ f @ f - 3 * f @ g @ f)
    half = (k - 3 * (a - np.sin(a) - a**3 / 6) / a**5) / 2
    Q = Q - half * (f @ g @ f @ f + f @ f @ g @ f)
    near(left_jacobian_slope(phi, gamma), Q, tolerance=1e-10)
    big = dual_left_jacobian(DualArray(phi, gamma)).matrix()
    M, term, total = wedge(DualArray(phi, gamma)).matrix(), np.eye(6), np.eye(6)
    for i in range(1, 60):
        term = term @ M / (i + 1)
        total = total + term
    near(big, total, tolerance=1e-10)


@given(SEEDS)
def test_right_velocity_is_the_rate_of_the_element(number: int) -> None:
    """X_dot = X [w]^, eqs. (9)-(11), with X_dot by dual numbers."""
    rng = np.random.default_rng(number)
    u, w, theta, rate = (rng.normal(size=3) for _ in range(4))
    X = DualRotation(rotation_exp(u), theta)
    A_dot = dual_part(rotation_exp(seed(u, w)))
    X_dot = DualArray(A_dot, skew(rate) @ X.A + skew(theta) @ A_dot).matrix()
    omega = X.A.T @ left_jacobian(u) @ w
    near(X_dot, X.matrix() @ wedge(X.right_velocity(omega, rate)).matrix(), tolerance=1e-12)


ANGLES = [0.0, 1e-12, 1e-8, 1e-5, 1e-2, 1.0, 2.5, 3.1]
ANGLES += [float(np.pi - d) for d in (1e-2, 1e-4, 1e-6, 1e-8, 1e-10)]


@pytest.mark.parametrize("angle", ANGLES)
def test_logarithm_is_exact_near_zero_and_near_pi(angle: float) -> None:
    """Against exponentials made with fifty digits and rounded to doubles."""
    for number in range(4):
        rng = np.random.default_rng(number)
        axis = rng.normal(size=3) if number else np.array([0.0, 0.0, 1.0])
        u = angle * axis / np.linalg.norm(axis)
        t = DualArray(np.concatenate([u, rng.normal(size=3)]), rng.normal(size=6))
        with mpmath.workdps(50):
            Y = np.array(mpmath.expm(mpmath.matrix(hat(t))).tolist(), dtype=float)
        back = DualTransform.of(Y).log()
        near(back.matrix(), t.matrix(), tolerance=1e-10)
        near(DualRotation.of(Y[:6, :6]).log().matrix(), t[:3].matrix(), tolerance=1e-10)
        assert np.abs(back.r[:3] - u).max() <= 1e-15 + 1e-12 * angle


def test_logarithm_at_a_half_turn_is_one_of_two() -> None:
    for number in range(20):
        rng = np.random.default_rng(number)
        axis = np.eye(3)[number % 3] if number < 3 else rng.normal(size=3)
        u = np.pi * axis / np.linalg.norm(axis)
        a = DualTransform.exp(DualArray(np.concatenate([u, rng.normal(size=3)]), np.ones(6)))
        log = a.log()
        assert np.abs(np.abs(log.r[:3]) - np.abs(u)).max() < 1e-13
        near(DualTransform.exp(log).matrix(), a.matrix(), tolerance=1e-13)


@pytest.mark.parametrize("s", [0.9999999, 1.0, 1.0000001, 2.0, 9.0, 39.0])
def test_stumpff_functions_join_at_one_radian(s: float) -> None:
    with mpmath.workdps(40):
        exact = [
            mpmath.nsum(lambda i, k=k: (-s) ** i / mpmath.factorial(k + 2 * i), [0, 40])
            for k in range(1, 6)
        ]
    assert np.abs(np.array(stumpff(s)) - np.array(exact, dtype=float)).max() < 1e-15


def test_a_million_products_stay_in_the_group() -> None:
    """Renormalised once every hundred products: off the group by less than 1e-14, and near
    the exact product, which is known where all factors are the same."""
    step = DualArray(np.array([3e-6, -2e-6, 1e-6, 1e-6, 0.0, 2e-6]), 1e-6 * np.arange(1.0, 7.0))
    factors = [DualTransform.exp(step)] * 100
    rng = np.random.default_rng(0)
    others = [DualTransform.exp(dual(rng, 6)) for _ in range(10)] * 10
    for hundred in (factors, others):
        Y = _run(hundred, 10_000)
        assert in_group(Y.X, 1e-14)
        if hundred is factors:
            exact = DualTransform.exp(1e6 * step)
            near(Y.matrix(), exact.matrix(), tolerance=1e-9)


def test_without_renormalisation_products_drift() -> None:
    """What `renormalised` is for: an element off the group by 1e-6 comes back in two steps."""
    X = DualRotation.exp(DualArray(np.array([0.3, -0.8, 0.5]), np.ones(3)))
    off = DualRotation(X.A * (1.0 + 1e-6), X.theta)
    assert not in_group(off, 1e-7)
    assert in_group(off.renormalised(), 1e-11)
    assert in_group(off.renormalised().renormalised(), 2e-15)


def _run(factors: list[DualTransform], rounds: int) -> DualTransform:
    """(... Y F1 F2 ... Fk renormalised ...) as native code, so that a million take seconds."""

    def chain(x: Any) -> Any:
        Y = DualTransform(DualRotation(x[:9].reshape(3, 3), x[9:12]), DualArray(x[12:15], x[15:18]))
        for F in factors:
            Y = Y @ F
        return flat(Y.renormalised())

    def flat(Y: DualTransform) -> Any:
        return np.concatenate([Y.X.A.ravel(), Y.X.theta, Y.v.r, Y.v.d])

    with quickly():
        code = traced(chain, (18,))
    x = flat(DualTransform.identity())
    for _ in range(rounds):
        x = code(x)
    return DualTransform(DualRotation(x[:9].reshape(3, 3), x[9:12]), DualArray(x[12:15], x[15:18]))


def test_the_groups_work_on_symbols() -> None:
    """The product of two symbolic elements, and exp of a symbolic vector."""
    q, a, b = sympy.symbols("q a b", real=True)
    c, s = sympy.cos(q), sympy.sin(q)
    A = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    X = DualRotation(A, np.array([a, 0, 0])) @ DualRotation(
        np.eye(3, dtype=int), np.array([b, 0, 0])
    )
    assert list(X.theta) == [a + b * c, b * s, 0]
    E = DualRotation.exp(DualArray(np.array([0, 0, q]), np.array([a, b, 0])))
    number = {q: 0.7, a: 0.3, b: -0.2}
    plain = DualRotation.exp(DualArray(np.array([0, 0, 0.7]), np.array([0.3, -0.2, 0.0])))
    got = sympy.Matrix(E.matrix()).subs(number)
    near(np.array(got.tolist(), dtype=float), plain.matrix(), tolerance=1e-14)
