"""A law: generalised forces that act on a robot in the course of a run.

A solver that takes long steps does not see what happens between them. So a law knows its
breaks, the instants where its value or slope jumps (`breaks.py`), and the solver starts anew at
each of them.

A law that is `written` down can become native code: the same function serves numbers and symbols.
What changes from break to break (the rows of a table) are its `numbers`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..errors import SimulationError
from ..types import Array, Floats, Scalar

Torque = Callable[[float, Floats, Floats], Floats]
"""Generalised forces (nv,) at time t, configuration q, velocity qd."""


class LawError(SimulationError):
    """A law has no value where it was asked. `final`: a shorter step would not help."""

    def __init__(self, message: str, final: bool = False) -> None:
        super().__init__(message)
        self.final = final


@dataclass(frozen=True)
class Written:
    """A law for any scalar: of(t, q, qd, numbers), and its `count` numbers between the instants a
    and b: numbers(a, b)."""

    of: Callable[[Scalar, Array, Array, Array], Array]
    count: int = 0
    numbers: Callable[[float, float], Floats] = lambda a, b: np.zeros(0)

    def __add__(self, other: Written) -> Written:
        here = self.count
        return Written(
            lambda t, q, qd, n: self.of(t, q, qd, n[:here]) + other.of(t, q, qd, n[here:]),
            here + other.count,
            lambda a, b: np.concatenate([self.numbers(a, b), other.numbers(a, b)]),
        )


def together(parts: Sequence[Written | None]) -> Written | None:
    """The values of all parts one after the other; None if one of them is not written."""
    known = [part for part in parts if part is not None]
    if len(known) != len(parts):
        return None
    edges = np.cumsum([0, *(part.count for part in known)])
    spans = [slice(a, b) for a, b in pairwise(edges)]

    def of(t: Scalar, q: Array, qd: Array, numbers: Array) -> Array:
        values = [p.of(t, q, qd, numbers[span]) for p, span in zip(known, spans, strict=True)]
        return np.concatenate([np.zeros(0), *values])

    def numbers(a: float, b: float) -> Floats:
        return np.concatenate([np.zeros(0), *(part.numbers(a, b) for part in known)])

    return Written(of, int(edges[-1]), numbers)


@dataclass(frozen=True)
class Law:
    """Forces as a function of (t, q, qd), and the instants at which they jump or kink."""

    force: Torque
    breaks: tuple[float, ...] = ()
    feedback: bool = False  # whether it looks at q and qd
    written: Written | None = None

    def __call__(self, t: float, q: Floats, qd: Floats) -> Floats:
        return self.force(t, q, qd)

    def __add__(self, other: Law) -> Law:
        both = self.written is not None and other.written is not None
        return Law(
            lambda t, q, qd: self(t, q, qd) + other(t, q, qd),
            (*self.breaks, *other.breaks),
            self.feedback or other.feedback,
            self.written + other.written if both else None,  # type: ignore[operator]
        )


def constant(force: Floats) -> Law:
    """The same forces all the time."""
    written = Written(lambda t, q, qd, n: n, len(force), lambda a, b: force)
    return Law(lambda t, q, qd: force, written=written)
