"""Motions from point to point, each with exact rates, accelerations and breaks.

A target is the joint's last place, from where the robot stands by itself, or (first, last).
All joints begin and end together: x(t) = first + (last - first) s(t), s from 0 to 1. The law of a
joint is in pieces, each a polynomial and a sine,

    x(t) = c_0 + c_1 s + ... + c_5 s^5 + a sin(w s),   s = t - t_k,   t_k <= t <= t_k+1,

with exact breaks, and becomes native code. Before the first piece and after the last the joint
stands still.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .. import checks
from ..errors import InputError, brief, unknown_name
from ..robot import MotionPoints, MotionTargets, Robot
from ..types import Array, Floats, Scalar
from .law import TraceableLaw
from .motion import (
    JointLaw,
    Motion,
    TraceableJointLaw,
    check_times,
    columns_motion,
    motion_names,
    motion_of,
)

DEGREE = 5
COUNT = DEGREE + 4  # numbers of a piece: where it begins, c, a, w
Targets = Mapping[str, float | tuple[float, float]]


def cycloidal(robot: Robot, to: Targets, duration: float, start: float = 0.0) -> Motion:
    """s = tau/T - sin(2 pi tau/T) / (2 pi), tau = t - start: no acceleration at either end.

    With it [MohanSaha] move their arm, eq. (44).
    """
    T, begins = _time(duration, "duration"), _moment(start)
    ramp = Piece(begins, (0.0, 1.0 / T), -0.5 / np.pi, 2.0 * np.pi / T)
    return _moved(robot, to, [ramp], begins, begins + T)


def quintic(robot: Robot, to: Targets, duration: float, start: float = 0.0) -> Motion:
    """s = 10 x^3 - 15 x^4 + 6 x^5, x = (t - start)/T: least jerk, no rate and no acceleration at
    either end."""
    T, begins = _time(duration, "duration"), _moment(start)
    c = (0.0, 0.0, 0.0, 10.0 / T**3, -15.0 / T**4, 6.0 / T**5)
    return _moved(robot, to, [Piece(begins, c)], begins, begins + T)


def trapezoidal(
    robot: Robot,
    to: Targets,
    rate: float | Mapping[str, float],
    acceleration: float | Mapping[str, float],
    start: float = 0.0,
) -> Motion:
    """As fast as the limits of rate and acceleration let all joints go together: constant
    acceleration, constant rate, constant deceleration; without the middle where the way is short.

    The joint that needs longest sets the pace, v = min rate/|way| and a = min acceleration/|way|.
    """
    begins, ways = _moment(start), _ways(robot, to)
    lengths = {name: abs(b - a) for name, (a, b) in ways.items() if a != b}
    if not lengths:
        raise InputError("a trapezoidal motion needs a joint that moves; every target is its start")
    v = min(_limit(rate, n, "rate") / x for n, x in lengths.items())
    a = min(_limit(acceleration, n, "acceleration") / x for n, x in lengths.items())
    ramp = min(v / a, np.sqrt(1.0 / a))
    v = a * ramp
    T = 1.0 / v + ramp
    pieces = [
        Piece(begins, (0.0, 0.0, 0.5 * a)),
        Piece(begins + ramp, (0.5 * a * ramp**2, v)),
        Piece(begins + T - ramp, (1.0 - 0.5 * a * ramp**2, v, -0.5 * a)),
    ]
    if T - 2.0 * ramp < 1e-9 * T:  # no time at constant rate
        del pieces[1]
    return _moved(robot, to, pieces, begins, begins + T)


def through(robot: Robot, times: ArrayLike, places: Mapping[str, ArrayLike]) -> Motion:
    """Cubic splines through points: a row of places for each joint, one for each time."""
    checks.check_robot(robot)
    t = check_times(times, "times of the points")
    if not isinstance(places, Mapping) or not places:
        raise InputError(f"places is {brief(places)}; give {{joint: places, one for each time}}")
    columns = {str(name): _column(str(name), given, len(t)) for name, given in places.items()}
    return columns_motion(robot, t, columns)


def kept_motion(robot: Robot, kept: MotionTargets | MotionPoints) -> Motion:
    """A motion as a model file keeps it."""
    if isinstance(kept, MotionPoints):
        return through(robot, kept.times, kept.places)
    return COURSES[kept.kind](robot, kept.to, **kept.numbers)


COURSES: dict[str, Callable[..., Motion]] = {
    "cycloidal": cycloidal,
    "quintic": quintic,
    "trapezoidal": trapezoidal,
}


def _column(name: str, given: object, count: int) -> Floats:
    values = checks.real_numbers(given)
    if values.shape != (count,) or not np.all(np.isfinite(values)):
        raise InputError(f"places of {name}: expected {count} finite numbers, got {brief(given)}")
    return values


def _moved(robot: Robot, to: Targets, pieces: Sequence[Piece], begins: float, end: float) -> Motion:
    """Every joint along the same course from 0 to 1."""
    laws: dict[str, JointLaw] = {}
    for name, (first, last) in _ways(robot, to).items():
        way = last - first
        mine = [
            Piece(p.begins, (first + way * p.c[0], *(way * c for c in p.c[1:])), way * p.a, p.w)
            for p in pieces
        ]
        laws[name] = piecewise(mine, end)
    return motion_of(robot, laws, end, (*(p.begins for p in pieces), end))


def _ways(robot: Robot, to: object) -> dict[str, tuple[float, float]]:
    """First and last place of each joint that is named."""
    checks.check_robot(robot)
    names, home = motion_names(robot), robot.home()
    if not isinstance(to, Mapping) or not to:
        raise InputError(
            f"targets are {brief(to)}; give {{joint: last place}} or {{joint: (first, last)}}, "
            f"e.g. {{{(*names, 'joint1')[0]!r}: 0.5}}"
        )
    out = {}
    for name, given in to.items():
        if name not in names:
            raise unknown_name("joint", str(name), names, where=f"robot {robot.name}")
        pair = isinstance(given, tuple | list | np.ndarray) and np.shape(given) == (2,)
        first, last = given if pair else (home[_place(robot, str(name))], given)
        out[str(name)] = (_finite(first, f"target of {name}"), _finite(last, f"target of {name}"))
    return out


def _place(robot: Robot, joint: str) -> int:
    return int(next(link.q.start for link in robot.links if link.joint_name == joint))


def _finite(given: object, what: str) -> float:
    value = checks.number(given, what, "a number, or (first, last)")
    if not abs(value) <= checks.LARGEST:
        raise InputError(f"{what} is {value:g}; it must be finite, and at most {checks.LARGEST:g}")
    return value


def _above_zero(given: object, what: str, allowed: str) -> float:
    value = _finite(given, what)
    if value < 1.0 / checks.LARGEST:
        raise InputError(f"{what} is {value:g}; it must be {allowed}")
    return value


def _time(given: object, what: str) -> float:
    return _above_zero(given, what, "a positive number of seconds")


def _moment(given: object) -> float:
    value = _finite(given, "start")
    if value < 0.0:
        raise InputError(f"start is {value:g}; a motion cannot begin before t = 0")
    return value


def _limit(given: object, name: str, what: str) -> float:
    """Of one joint: a number for all, or one for each."""
    if isinstance(given, Mapping):
        if name not in given:
            raise InputError(f"{what} has no limit for {name}; it moves, so give it one")
        given = given[name]
    return _above_zero(given, f"{what} of {name}", "positive, as limits are")


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
