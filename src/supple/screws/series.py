"""Stumpff functions: what the exponential of a rotation is made of, smooth at zero.

    c_k(s) = sum_i (-s)^i / (k + 2 i)!,   c_1 = sin(a)/a, c_2 = (1 - cos a)/a^2, s = a^2.
Summed as polynomials they need no branch, so they trace and differentiate as they stand.
Seven terms are exact to rounding up to an angle of one, far past any bending link.
"""

from __future__ import annotations

from math import factorial

from ..types import Scalar

TERMS = 7
FACTORS = {k: [1.0 / factorial(k + 2 * i) for i in range(TERMS)] for k in (4, 5)}


def stumpff(s: Scalar) -> tuple[Scalar, Scalar, Scalar, Scalar, Scalar]:
    """(c_1, c_2, c_3, c_4, c_5) at s; c_k' = (k c_{k+2} - c_{k+1}) / 2."""
    c4, c5 = _series(4, s), _series(5, s)
    c3, c2 = 1.0 / 6.0 - s * c5, 0.5 - s * c4
    return 1.0 - s * c3, c2, c3, c4, c5


def _series(k: int, s: Scalar) -> Scalar:
    total: Scalar = FACTORS[k][-1]
    for factor in FACTORS[k][-2::-1]:
        total = factor - s * total
    return total
