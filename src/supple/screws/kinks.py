"""Functions with a kink, of any scalar: what acts on one side only (stops, backlash, limits).

At the kink itself the derivative is the one of the side that does not act.
"""

from __future__ import annotations

import math

from ..types import Scalar


def larger(a: Scalar, b: Scalar) -> Scalar:
    """The larger of the two; NaN stays NaN."""
    if hasattr(a, "larger"):
        return a.larger(b)
    if hasattr(b, "larger"):
        return b.larger(a)
    return b if b > a or b != b else a


def smaller(a: Scalar, b: Scalar) -> Scalar:
    """The smaller of the two."""
    return -larger(-a, -b)


def positive(x: Scalar) -> Scalar:
    """x where it is above zero, else zero."""
    return larger(x, 0.0)


def step(x: Scalar) -> Scalar:
    """1 where x is above zero, else 0: the derivative of `positive`."""
    return x.step() if hasattr(x, "step") else float(x > 0.0)


def above_zero(x: Scalar) -> Scalar:
    """x where it is above zero, else NaN: of numbers that mean nothing where they are not."""
    if hasattr(x, "above_zero"):
        return x.above_zero()
    return x if x.real > 0.0 else math.nan
