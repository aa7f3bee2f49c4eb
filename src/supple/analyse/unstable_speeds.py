"""Speeds over which a turning robot is not stable, also those that lie between the given ones.

A rotor without damping that is stiffer in one plane than in the other diverges between two
speeds, at each of which it loses its stiffness in one more direction. So where the number of
these directions differs at two stable speeds, there may be unstable ones between them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Protocol

from ..types import Floats

FINE = 1e-7  # of the range of speeds: how well the ends of an unstable range are known


class TurningState(Protocol):
    """What is known of a robot at one speed."""

    @property
    def growth(self) -> float:
        """Of the motion that grows fastest [1/s]; 0 where none does."""

    @property
    def grows(self) -> str:
        """The coordinate that moves most in it."""

    @property
    def soft(self) -> int:
        """In how many directions there is no stiffness."""


Turning = Callable[[float], TurningState]
Seen = tuple[float, TurningState]  # a speed, and the state there


@dataclass(frozen=True)
class UnstableSpeeds:
    """From `first` to `last` [rad/s] a small push grows: fastest, at the rate growth [1/s], at
    `speed`, and most in one coordinate (of its kinetic energy)."""

    first: float
    last: float
    growth: float
    speed: float
    coordinate: str


def unstable_speeds(
    turning: Turning, at: Floats, found: Sequence[TurningState]
) -> tuple[UnstableSpeeds, ...]:
    """All ranges of speeds, from slow to fast."""
    fine = FINE * float(at[-1] - at[0])
    seen = _with_hidden(turning, list(zip(at.tolist(), found, strict=True)), fine)
    out = []
    for grows, group in groupby(range(len(seen)), lambda k: seen[k][1].growth > 0.0):
        if grows:
            places = list(group)
            out.append(_range(turning, seen, places[0], places[-1], fine))
    return tuple(out)


def _with_hidden(turning: Turning, seen: list[Seen], fine: float) -> list[Seen]:
    """With one more speed wherever an unstable one lies hidden between two stable ones."""
    out = seen[:1]
    for a, b in pairwise(seen):
        out += [*_hidden(turning, a, b, fine), b]
    return out


def _hidden(turning: Turning, a: Seen, b: Seen, fine: float) -> Iterator[Seen]:
    stable = a[1].growth == b[1].growth == 0.0
    while stable and a[1].soft != b[1].soft and b[0] - a[0] > fine:
        speed = 0.5 * (a[0] + b[0])
        middle = (speed, turning(speed))
        if middle[1].growth > 0.0:
            yield middle
            return
        a, b = (middle, b) if middle[1].soft == a[1].soft else (a, middle)


def _range(turning: Turning, seen: list[Seen], i: int, k: int, fine: float) -> UnstableSpeeds:
    """The range of the unstable speeds seen[i : k + 1]."""
    first = _end(turning, seen[i - 1][0], seen[i][0], fine) if i else seen[0][0]
    last = _end(turning, seen[k + 1][0], seen[k][0], fine) if k + 1 < len(seen) else seen[-1][0]
    top = max(range(i, k + 1), key=lambda j: seen[j][1].growth)
    low = seen[top - 1][0] if top > i else first
    high = seen[top + 1][0] if top < k else last
    speed, state = max([seen[top], _highest(turning, low, high)], key=lambda x: x[1].growth)
    return UnstableSpeeds(first, last, state.growth, speed, state.grows)


def _end(turning: Turning, stable: float, unstable: float, fine: float) -> float:
    """Where stability ends between two speeds."""
    while abs(unstable - stable) > fine:
        middle = 0.5 * (stable + unstable)
        if turning(middle).growth > 0.0:
            unstable = middle
        else:
            stable = middle
    return unstable


def _highest(turning: Turning, low: float, high: float) -> Seen:
    """Where a push grows fastest between two speeds."""
    from scipy.optimize import minimize_scalar

    if low == high:
        return low, turning(low)
    fitted = minimize_scalar(lambda s: -turning(s).growth, bounds=(low, high), method="bounded")
    return float(fitted.x), turning(float(fitted.x))


__all__ = ["UnstableSpeeds", "unstable_speeds"]
