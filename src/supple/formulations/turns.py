"""Rotations whose angles add: turns about the same axis become one turn by the sum.

cos(a) cos(b) - sin(a) sin(b) is a cosine of a sum that nobody wants to see written out. So
a rotation is kept as a list of factors, neighbours about one axis are merged, and a vector
that is carried from frame to frame keeps the last turn pending until another axis comes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..types import Array, Floats, Scalar

ElasticAngle = Literal["exact", "quadratic", "linear"]
"""How far sine and cosine of an elastic angle are kept: all of it, to second or first order."""

StumpffSeries = Callable[[Scalar], tuple[Scalar, Scalar, Scalar]]
"""The Stumpff functions c1, c2, c3 of an argument."""

_CYCLE = ((1, 2), (2, 0), (0, 1))
_ORDER = {"exact": None, "quadratic": 2, "linear": 1}


@dataclass(frozen=True)
class AngleTurn:
    """Rotation about coordinate axis k by a joint's angle, an elastic one and right angles,
    which are counted so that their zeros stay zeros."""

    k: int
    angle: Scalar = 0.0
    elastic: Scalar = 0.0
    kept: ElasticAngle = "exact"
    quarters: int = 0

    def __mul__(self, other: AngleTurn) -> AngleTurn:
        kept = self.kept if _is(self.elastic) else other.kept
        quarters = (self.quarters + other.quarters) % 4
        return AngleTurn(
            self.k, self.angle + other.angle, self.elastic + other.elastic, kept, quarters
        )

    def cos_sin(self) -> tuple[Scalar, Scalar]:
        """(cos, sin) of the whole angle; a small elastic part is expanded when asked."""
        c, s = self._cos_sin()
        for _ in range(self.quarters):
            c, s = -s, c
        return c, s

    def _cos_sin(self) -> tuple[Scalar, Scalar]:
        order, e = _ORDER[self.kept], self.elastic
        if not (_is(self.angle) or _is(e)):
            return 1.0, 0.0
        if order is None or not _is(e):
            return np.cos(self.angle + e), np.sin(self.angle + e)
        c, s = (np.cos(self.angle), np.sin(self.angle)) if _is(self.angle) else (1.0, 0.0)
        more = (0.5 * (e * e)) if order == 2 else 0.0
        return c - e * s - more * c, s + e * c - more * s

    def matrix(self) -> Array:
        (i, j), (c, s) = _CYCLE[self.k], self.cos_sin()
        rows: list[list[Scalar]] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
        rows[i][i], rows[i][j], rows[j][i], rows[j][j] = c, -s, s, c
        return np.array(rows, dtype=object)

    def inverse(self) -> AngleTurn:
        return AngleTurn(self.k, -self.angle, -self.elastic, self.kept, -self.quarters % 4)

    @property
    def idle(self) -> bool:
        """Whether it turns nothing."""
        return not (_is(self.angle) or _is(self.elastic) or self.quarters)


@dataclass(frozen=True)
class MatrixTurn:
    """Rotation by its matrix."""

    R: Array

    def matrix(self) -> Array:
        return self.R

    def inverse(self) -> MatrixTurn:
        return MatrixTurn(self.R.T)


Factor = AngleTurn | MatrixTurn
Chain = tuple[Factor, ...]


def constant(R: Floats) -> Chain:
    """A fixed rotation: nothing, a turn about a coordinate axis, or its matrix."""
    for k, (i, j) in enumerate(_CYCLE):
        if R[k, k] == 1.0:
            angle = float(np.arctan2(R[j, i], R[i, i]))
            quarters = round(angle / (np.pi / 2))
            rest = angle - quarters * (np.pi / 2)
            turn = AngleTurn(k, quarters=quarters % 4) if rest == 0.0 else AngleTurn(k, angle)
            return () if turn.idle else (turn,)
    return (MatrixTurn(R),)


def merged(chain: Chain) -> Chain:
    """Neighbours about one axis made one; turns by nothing left out."""
    out: list[Factor] = []
    for f in chain:
        if isinstance(f, AngleTurn) and out and isinstance(out[-1], AngleTurn) and f.k == out[-1].k:
            f = out.pop() * f  # type: ignore[operator]
        if isinstance(f, MatrixTurn) or not f.idle:
            out.append(f)
    return tuple(out)


def inverse(chain: Chain) -> Chain:
    return tuple(f.inverse() for f in reversed(chain))


def matrix(chain: Chain) -> Array:
    """The product of all factors."""
    return applied(chain, np.eye(3))


def applied(chain: Chain, X: Array) -> Array:
    """R X for (3,) or (3, n)."""
    for f in reversed(merged(chain)):
        X = f.matrix() @ X
    return X


@dataclass(frozen=True)
class PendingTurns:
    """A sum of vectors (3, n), each with one turn still to be taken."""

    parts: tuple[tuple[AngleTurn | None, Array], ...] = ()

    @classmethod
    def of(cls, X: Array) -> PendingTurns:
        return cls(((None, X),)) if nonzero(X) else cls()

    def __add__(self, other: PendingTurns) -> PendingTurns:
        return PendingTurns(self.parts + other.parts)._gathered()

    def through(self, chain: Chain) -> PendingTurns:
        """R times the sum. What is left of a chain of parallel axes is one pending turn."""
        moved = []
        for turn, X in self.parts:
            factors = merged(chain if turn is None else (*chain, turn))
            first = factors[0] if factors and isinstance(factors[0], AngleTurn) else None
            moved.append((first, applied(factors[1:] if first else factors, X)))
        return PendingTurns(tuple(moved))._gathered()

    def _gathered(self) -> PendingTurns:
        """Parts with the same pending turn added up; a turn about an axis along which the
        vector lies is none."""
        sums: dict[object, tuple[AngleTurn | None, Array]] = {}
        for turn, X in self.parts:
            if turn is not None and not nonzero(X[list(_CYCLE[turn.k])]):
                turn = None
            key = None if turn is None else _key(turn)
            sums[key] = (turn, sums[key][1] + X) if key in sums else (turn, X)
        return PendingTurns(tuple(sums.values()))

    def value(self, shape: tuple[int, ...]) -> Array:
        """The vectors themselves."""
        out: Array = np.zeros(shape)
        for turn, X in self.parts:
            out = out + (X if turn is None else turn.matrix() @ X)
        return out


def expanded(theta: Array, kept: ElasticAngle, series: StumpffSeries) -> tuple[Array, Array]:
    """R = exp(theta~) and its left Jacobian J: all of them by `series`, or to an order."""
    t = np.array(
        [[0.0, -theta[2], theta[1]], [theta[2], 0.0, -theta[0]], [-theta[1], theta[0], 0.0]]
    )
    if kept == "linear":
        return np.eye(3) + t, np.eye(3) + 0.5 * t
    tt = t @ t
    if kept == "quadratic":
        return np.eye(3) + t + 0.5 * tt, np.eye(3) + 0.5 * t + (1.0 / 6.0) * tt
    c1, c2, c3 = series(theta @ theta)
    return np.eye(3) + c1 * t + c2 * tt, np.eye(3) + c2 * t + c3 * tt


def nonzero(X: Array) -> bool:
    return any(_is(x) for x in np.ravel(X))


def _is(x: Scalar) -> bool:
    """Whether a scalar can differ from zero."""
    return not (isinstance(x, (int, float, np.floating)) and x == 0.0)


def _key(turn: AngleTurn) -> tuple[object, ...]:
    angles = (getattr(x, "number", x) for x in (turn.angle, turn.elastic))
    return turn.k, turn.quarters, *angles
