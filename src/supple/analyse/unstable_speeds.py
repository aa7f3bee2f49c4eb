"""A robot that turns steadily at a speed: its modes there; and speeds over which it is not stable,
also those that lie between the given ones.

A rotor without damping that is stiffer in one plane than in the other diverges between two
speeds, at each of which it loses its stiffness in one more direction. So where the number of
these directions differs at two stable speeds, there may be unstable ones between them.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

import numpy as np

from ..errors import SuppleWarning
from ..robot import Robot
from ..types import Floats
from .frequencies import growth
from .linear import LinearModel, linearise
from .linear.operating_point import Places
from .whirl import turning_stiffness

FINE = 1e-7  # of the range of speeds: how well the ends of an unstable range are known


@dataclass(frozen=True)
class TurningState:
    """A pole of each mode (n,), its imaginary part zero where it does not vibrate; shapes in
    columns."""

    poles: np.ndarray
    shapes: np.ndarray
    model: LinearModel
    told: tuple[str, ...]

    @property
    def omega(self) -> Floats:
        """Frequencies (n,); NaN where a mode does not vibrate."""
        return np.where(self.poles.imag > 0.0, self.poles.imag, np.nan)

    @property
    def growth(self) -> float:
        """Of the motion that grows fastest [1/s]; 0 where none does."""
        return growth(self.model.A, self.model.inertia)

    @property
    def grows(self) -> str:
        """The coordinate that moves most in it."""
        return max(self.model.modes(), key=lambda pole: pole.value.real).name

    @property
    def soft(self) -> int:
        """In how many directions there is no stiffness."""
        return int((turning_stiffness(self.model, 0.0)[0] < 0.0).sum())

    def like(self, other: TurningState) -> TurningState:
        """The same, modes in the order of those of the other state that they resemble most."""
        from scipy.optimize import linear_sum_assignment

        M = self.model.inertia
        alike = np.abs(_normed(other.shapes, M).conj().T @ M @ _normed(self.shapes, M)) ** 2
        return self.sorted(linear_sum_assignment(-alike)[1])

    def nearest(self, shape: np.ndarray, omega: float) -> int:
        """The mode that a motion is: of those like it, the one nearest to its frequency."""
        M = self.model.inertia
        alike = np.abs(_normed(self.shapes, M).conj().T @ M @ shape)
        off = np.where(alike > 0.3 * alike.max(), np.abs(self.poles.imag - omega), np.inf)
        return int(np.argmin(off))

    def sorted(self, order: np.ndarray) -> TurningState:
        return TurningState(self.poles[order], self.shapes[:, order], self.model, self.told)


def _normed(shapes: np.ndarray, M: Floats) -> np.ndarray:
    sizes = np.sqrt(np.abs(np.einsum("ik,ij,jk->k", shapes.conj(), M, shapes)))
    return np.asarray(shapes / np.where(sizes > 0.0, sizes, 1.0))


@dataclass(frozen=True)
class Turning:
    """The robot with one joint at a steady speed, the others held."""

    robot: Robot
    joint: str
    q: Places | None

    def __call__(self, speed: float) -> TurningState:
        links, behind = self.robot.links, self.robot.geared  # elastic gears: motors are held
        held = [x.joint_name for i, x in enumerate(links) if x.joint.nv and i not in behind]
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always", SuppleWarning)
            model = linearise(
                self.robot, self.q, {self.joint: float(speed)}, inputs=[], outputs=[], held=held
            )
        n = len(model.A) // 2
        values, vectors = np.linalg.eig(model.A)
        vibrates = np.abs(values.imag) > 1e-9 * np.abs(values).max(initial=0.0)
        values = np.where(vibrates, values, values.real)
        moving = [k for k in np.argsort(values.imag) if values[k].imag > 0.0]
        still = [k for k in np.argsort(-values.real) if not vibrates[k]]
        places = [*moving, *still][:n]  # of two real poles the one that grows more
        words = tuple(str(x.message) for x in told)
        return TurningState(values[places], vectors[:n, places], model, words)

    def frequency(self, near: TurningState, k: int, speed: float) -> float:
        """That of mode k of a state nearby; 0 where it does not vibrate."""
        return float(self(speed).like(near).poles[k].imag)


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


__all__ = ["Turning", "TurningState", "UnstableSpeeds", "unstable_speeds"]
