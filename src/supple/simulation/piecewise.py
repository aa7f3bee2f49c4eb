"""A law of a joint in pieces, each a polynomial and a sine: exact rates, exact breaks, native code.

    x(t) = c_0 + c_1 s + ... + c_5 s^5 + a sin(w s),   s = t - t_k,   t_k <= t <= t_k+1

Before the first piece and after the last the joint stands still.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..types import Array, Floats, Scalar
from .law import TraceableLaw
from .motion import TraceableJointLaw

DEGREE = 5
COUNT = DEGREE + 4  # numbers of a piece: where it begins, c, a, w


@dataclass(frozen=True)
class Piece:
    """From when, and its numbers."""

    begins: float
    c: tuple[float, ...]  # c_0, c_1, ...
    a: float = 0.0
    w: float = 0.0

    @property
    def row(self) -> Floats:
        more = DEGREE + 1 - len(self.c)
        return np.array([self.begins, *self.c, *[0.0] * more, self.a, self.w])


def piecewise(pieces: list[Piece], end: float) -> TraceableJointLaw:
    """The law of these pieces, the last of which ends at `end`."""
    begins = np.array([piece.begins for piece in pieces])
    rows = np.array([piece.row for piece in pieces])
    first = _still(float(curve(begins[0], rows[0])[0]))
    last = _still(float(curve(end, rows[-1])[0]))

    def row(t: float) -> Floats:
        if t < begins[0] or t > end:
            return first if t < begins[0] else last
        found: Floats = rows[int(np.searchsorted(begins, t, side="right")) - 1]
        return found

    def value(t: float) -> tuple[float, float, float]:
        x, v, a = curve(t, row(t))
        return float(x), float(v), float(a)

    def many(t: Floats) -> Floats:
        return np.array([value(float(at)) for at in t])

    written = TraceableLaw(lambda t, q, qd, n: curve(t, n), COUNT, lambda a, b: row(0.5 * (a + b)))
    return TraceableJointLaw(value, written, many, tuple(float(t) for t in (*begins, end)))


def _still(place: float) -> Floats:
    return Piece(0.0, (place,)).row


def curve(t: Scalar, n: Array) -> Array:
    """Place, rate and acceleration of the piece with these numbers."""
    s, c, a, w = t - n[0], n[1 : DEGREE + 2], n[DEGREE + 2], n[DEGREE + 3]
    x, v, acc = c[DEGREE], 0.0 * c[DEGREE], 0.0 * c[DEGREE]
    for k in range(DEGREE - 1, -1, -1):  # Horner's rule, differentiated
        x, v, acc = c[k] + s * x, x + s * v, 2.0 * v + s * acc
    sine, cosine = np.sin(w * s), np.cos(w * s)
    return np.array([x + a * sine, v + a * w * cosine, acc - a * w * w * sine])
