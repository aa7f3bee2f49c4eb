"""A law: generalised forces that act on a robot in the course of a run.

A solver that takes long steps does not see what happens between them. So a law knows its
breaks, the instants where its value or slope jumps; those that a user does not tell are looked
for, and the solver starts anew at each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from ..errors import SimulationError
from ..types import Floats

Torque = Callable[[float, Floats, Floats], Floats]
"""Generalised forces (nv,) at time t, configuration q, velocity qd."""
OfTime = Callable[[float], Floats]

LOOKS = 4999  # stretches of a run in which a law of time is looked at
MOST = 2000  # breaks that are kept of those found
_ZOOM = 33  # points in a stretch that is looked at more closely
_FINEST = 1e-13  # of the run: how closely a break is located


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


def of_time(function: OfTime, breaks: Iterable[float] = ()) -> Law:
    """A law that looks at the time alone."""
    return Law(lambda t, q, qd: function(t), tuple(breaks))


def constant(force: Floats) -> Law:
    """The same forces all the time."""
    return Law(lambda t, q, qd: force)


def find_breaks(function: OfTime, duration: float) -> list[float]:
    """Instants in (0, duration) where a function of time jumps, kinks, or begins to move.

    At a smooth place the second difference u(t-h) - 2 u(t) + u(t+h) is much like its
    neighbours; at a jump or kink it stands out. Such stretches are looked at ever more closely.
    """
    t = np.linspace(0.0, duration, LOOKS + 1)
    values = _values(function, t)
    size = np.ptp(values, axis=0) if np.all(np.isfinite(values)) else _finite_range(values)
    found: list[float] = []
    for a, b in _stretches(t, values, size)[:MOST]:
        found.append(_located(function, a, b, size, _FINEST * duration))
    return [x for x in found if 0.0 < x < duration]


def _values(function: OfTime, t: Floats) -> Floats:
    """The function at these times, NaN where it has no value: (n, components)."""
    out = []
    for at in t:
        try:
            out.append(np.ravel(function(float(at))))
        except SimulationError as error:
            if getattr(error, "final", False):
                raise
            out.append(np.array([np.nan]))
    width = max(len(x) for x in out)
    return np.array([x if len(x) == width else np.full(width, np.nan) for x in out], dtype=float)


def _finite_range(values: Floats) -> Floats:
    return np.array([np.ptp(c[np.isfinite(c)]) if np.isfinite(c).any() else 0.0 for c in values.T])


def _stretches(t: Floats, values: Floats, size: Floats) -> list[tuple[float, float]]:
    """Neighbouring instants between which the function is not smooth, seen at this distance."""
    with np.errstate(all="ignore"):
        bend = np.abs(np.diff(values, 2, axis=0)) / np.where(size > 0.0, size, np.inf)
    bend = np.where(np.isfinite(bend), bend, 1.0)
    quiet = np.pad(bend, ((3, 3), (0, 0)), mode="edge")
    around = np.maximum(quiet[:-6], quiet[6:])  # three places off, on either side
    odd = np.any((bend > 6.0 * around) & (bend > 1e-9), axis=1)
    out: list[tuple[float, float]] = []
    for k in np.flatnonzero(odd):
        a, b = float(t[k]), float(t[k + 2])
        if out and a <= out[-1][1]:
            a = out.pop()[0]
        out.append((a, b))
    return out


def _located(function: OfTime, a: float, b: float, size: Floats, finest: float) -> float:
    """Where in (a, b) the function's second difference is largest, ever more closely."""
    while b - a > finest + 4.0 * np.spacing(b):
        t = np.linspace(a, b, _ZOOM)
        with np.errstate(all="ignore"):
            bend = np.abs(np.diff(_values(function, t), 2, axis=0))
            bend = (bend / np.where(size > 0.0, size, np.inf)).max(axis=1)
        bend = np.where(np.isfinite(bend), bend, np.inf)
        rest = np.partition(bend, -4)[:-4]
        if bend.max() < 1e-12 or bend.max() < 4.0 * rest.max(initial=0.0):
            return a  # smooth after all, seen from near: begin anew where it begins
        k = int(np.argmax(bend))
        a, b = float(t[k]), float(t[k + 2])
    return 0.5 * (a + b)
