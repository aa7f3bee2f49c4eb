"""The curve of a step as the cubic through both ends and their rates, for methods without one of
their own.

    y(t + theta h) = (1 - theta) y + theta new + theta (1 - theta) ((1 - theta) a - theta b),
    a = h y' - (new - y),  b = h new' - (new - y).
"""

from __future__ import annotations

from ...tracer.python import Reals


def bends(size: int, h: float, y: Reals, new: Reals, first: Reals, last: Reals, ab: Reals) -> None:
    """a and b, one behind the other, by the rates at both ends."""
    for i in range(size):
        moved = new[i] - y[i]
        ab[i] = h * first[i] - moved
        ab[size + i] = h * last[i] - moved


def cubic(size: int, theta: float, y: Reals, new: Reals, ab: Reals, out: Reals) -> None:
    """The state at t + theta h."""
    rest = 1.0 - theta
    for i in range(size):
        bend = rest * ab[i] - theta * ab[size + i]
        out[i] = rest * y[i] + theta * new[i] + theta * rest * bend
