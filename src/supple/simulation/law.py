"""A law: generalised forces that act on a robot in the course of a run.

A solver that takes long steps does not see what happens between them. So a law knows its
breaks, the instants where its value or slope jumps (`breaks.py`), and the solver starts anew at
each of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..errors import SimulationError
from ..types import Floats

Torque = Callable[[float, Floats, Floats], Floats]
"""Generalised forces (nv,) at time t, configuration q, velocity qd."""


class LawError(SimulationError):
    """A law has no value where it was asked. `final`: a shorter step would not help."""

    def __init__(self, message: str, final: bool = False) -> None:
        super().__init__(message)
        self.final = final


@dataclass(frozen=True)
class Law:
    """Forces as a function of (t, q, qd), and the instants at which they jump or kink."""

    force: Torque
    breaks: tuple[float, ...] = ()
    feedback: bool = False  # whether it looks at q and qd

    def __call__(self, t: float, q: Floats, qd: Floats) -> Floats:
        return self.force(t, q, qd)

    def __add__(self, other: Law) -> Law:
        return Law(
            lambda t, q, qd: self(t, q, qd) + other(t, q, qd),
            (*self.breaks, *other.breaks),
            self.feedback or other.feedback,
        )


def constant(force: Floats) -> Law:
    """The same forces all the time."""
    return Law(lambda t, q, qd: force)
