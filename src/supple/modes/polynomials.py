"""Polynomials: orthogonal clamped ones, the default family, and powers of x."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from math import comb, perm
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .base import Array, Family, Line, Shapes


@dataclass(frozen=True)
class Orthogonal(Family):
    """Clamped polynomials, orthogonal under int phi_j phi_k dx, with phi_k(L) = 1.

    bending         phi_k = xi^2 P_{k-1}^(0,4)(2 xi - 1),   xi = x / L
    torsion, axial  phi_k = xi   P_{k-1}^(0,2)(2 xi - 1)

    P^(a,b) are the Jacobi polynomials.
    """

    name: ClassVar[str] = "orthogonal"
    meaning: ClassVar[str] = "polynomials (the default) converge whatever loads the tip"

    def shapes(self, count: int, line: Line) -> Shapes:
        formula = partial(_clamped, count, line.order, line.length)
        return Shapes(count, formula, line.order + 1)


@dataclass(frozen=True)
class Polynomial(Family):
    """phi_k = x^(k+1) in bending, x^k in torsion and extension; x in metres.

    Ill conditioned beyond a handful; `orthogonal` spans the same space.
    Reference: [Piedboeuf], eq. (44).
    """

    name: ClassVar[str] = "polynomial"
    meaning: ClassVar[str] = "are powers of x"

    def shapes(self, count: int, line: Line) -> Shapes:
        power = np.arange(1, count + 1)[:, None] + line.order - 1
        return Shapes(count, partial(_powers, power), line.order + 1)


def _clamped(count: int, order: int, L: float, x: Array, derivative: int) -> Array:
    # Leibniz: (xi^order P)^(d) = sum_i C(d, i) (xi^order)^(i) P^(d-i)
    values = np.zeros((count, len(x)))
    for i in range(min(order, derivative) + 1):
        power = perm(order, i) * (x / L) ** (order - i)
        other = jacobi(count, 2 * order, x / L, derivative - i)
        values += comb(derivative, i) * power * other
    return values / L**derivative


def jacobi(count: int, b: int, xi: Array, d: int) -> Array:
    """d^d/dxi^d P_n^(0,b)(2 xi - 1) = (n+b+1) ... (n+b+d) P_{n-d}^(d,b+d)(2 xi - 1) for the
    first n: (count, len(xi))."""
    values = np.zeros((count, len(xi)))
    for n, lower in zip(range(d, count), polynomials(d, b + d, 2.0 * xi - 1.0), strict=False):
        values[n] = perm(n + b + d, d) * lower
    return values


def polynomials(a: int, b: int, x: Array) -> Iterator[Array]:
    """P_0^(a,b)(x), P_1^(a,b)(x), ... by their recurrence, with c = 2n + a + b:

    2n (n+a+b) (c-2) P_n = (c-1) [c (c-2) x + a^2 - b^2] P_{n-1} - 2 (n+a-1) (n+b-1) c P_{n-2}
    """
    last, now = np.ones_like(x), a + 1.0 + 0.5 * (a + b + 2) * (x - 1.0)
    yield last
    for n in itertools.count(2):
        yield now
        c = 2 * n + a + b
        rise = (c - 1) * (c * (c - 2) * x + (a * a - b * b)) * now
        fall = 2 * (n + a - 1) * (n + b - 1) * c * last
        last, now = now, (rise - fall) / (2 * n * (n + a + b) * (c - 2))


def _powers(power: NDArray[np.int_], x: Array, derivative: int) -> Array:
    falling = np.ones(power.shape)
    for d in range(derivative):
        falling = falling * (power - d)
    return np.asarray(falling * x ** np.maximum(power - derivative, 0))
