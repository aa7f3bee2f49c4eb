"""Orthogonal clamped polynomials, the default family."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, perm
from typing import ClassVar

import numpy as np
from scipy.special import eval_jacobi

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
        n, order, L = np.arange(float(count))[:, None], line.order, line.length

        def formula(x: Array, derivative: int) -> Array:
            # Leibniz: (xi^order P)^(d) = sum_i C(d, i) (xi^order)^(i) P^(d-i)
            values = np.zeros((count, len(x)))
            for i in range(min(order, derivative) + 1):
                power = perm(order, i) * (x / L) ** (order - i)
                other = jacobi(n, 2 * order, x / L, derivative - i)
                values += comb(derivative, i) * power * other
            return values / L**derivative

        return Shapes(count, formula, order + 1)


def jacobi(n: Array, b: int, xi: Array, d: int) -> Array:
    """d^d/dxi^d P_n^(0,b)(2 xi - 1) = (n+b+1) ... (n+b+d) P_{n-d}^(d,b+d)(2 xi - 1)."""
    rising = np.ones(n.shape)
    for i in range(1, d + 1):
        rising = rising * (n + b + i)
    lower = eval_jacobi(np.maximum(n - d, 0), d, b + d, 2.0 * xi - 1.0)
    values: Array = np.where(n >= d, rising * lower, 0.0)
    return values
