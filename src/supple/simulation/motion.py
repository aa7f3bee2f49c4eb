"""Desired joint motions: formulas in t, or tables; each gives q, qd and qdd."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite, nan

import numpy as np
from numpy.typing import ArrayLike

from ..checks import real_numbers
from ..errors import InputError, brief, unknown_name
from ..expressions import array_functions, derivative_functions, symbol_functions
from ..frozen import Portable
from ..recursion.gears import rigid_gears
from ..robot import MotionFormulas, Robot
from ..types import Array, Floats, Scalar
from .law import LawError, TraceableLaw, together

JointLaw = Callable[[float], tuple[float, float, float]]
"""Position, rate and acceleration of one joint at time t."""


@dataclass(frozen=True)
class TraceableJointLaw:
    """A law of a joint that can become native code as well: `written` gives the same three for
    any scalar t."""

    value: JointLaw
    written: TraceableLaw | None
    # the three at many instants: (n, 3); None where they are to be asked one by one
    many: Callable[[Floats], Floats | None] | None = None
    breaks: tuple[float, ...] | None = None  # where it is known to jump or kink; None: look

    def __call__(self, t: float) -> tuple[float, float, float]:
        return self.value(t)


@dataclass(frozen=True)
class Motion(Portable):
    """Position, rate and acceleration of every joint coordinate at time t."""

    names: tuple[str, ...]
    laws: tuple[JointLaw, ...]
    duration: float
    breaks: tuple[float, ...] = ()  # where a table has its points

    def __call__(self, t: ArrayLike) -> tuple[Floats, Floats, Floats]:
        """The three at time t, (joints,) each; at an array of times (..., joints)."""
        times = real_numbers(t)
        if not np.isfinite(times).all():
            raise InputError(f"t is {brief(t)}; give finite times [s], one or an array of them")
        values = np.array([law(at) for at in times.ravel().tolist() for law in self.laws])
        q, qd, qdd = values.reshape(-1, 3).T.reshape(3, *times.shape, len(self.laws))
        return q, qd, qdd

    def places(self, t: Floats) -> Floats:
        """Positions at many instants: (n, joints)."""
        out = np.empty((len(t), len(self.laws)))
        for k, law in enumerate(self.laws):
            many = getattr(law, "many", None)
            out[:, k] = [law(float(at))[0] for at in t] if many is None else many(t)[:, 0]
        return out

    @property
    def written(self) -> TraceableLaw | None:
        """All positions, then all rates, then all accelerations; None if a law is not written."""
        return written_laws(self.laws)


def joint_names(robot: Robot) -> tuple[str, ...]:
    """Names of the coordinates a motion may prescribe: those of one-coordinate joints."""
    return tuple(link.joint_name for link in robot.links if link.joint.nv == 1)


def motion_names(robot: Robot) -> tuple[str, ...]:
    """Names of the joints a motion of the robot moves: of a closed chain those with motors, which
    move the others; with elastic gears the joints, not their motors."""
    robot = rigid_gears(robot)
    names = joint_names(robot)
    return tuple(n for n in names if n in robot.actuated) if robot.loops else names


@lru_cache(maxsize=256)
def formula(text: str, name: str) -> JointLaw:
    """A law from a formula in t, differentiated exactly."""
    try:
        f0, f1, f2 = derivative_functions(text, "t", 2)
    except ValueError as error:
        raise InputError(f"motion of {name}: {error}") from None

    def law(t: float) -> tuple[float, float, float]:
        try:
            value = float(f0(t)), float(f1(t)), float(f2(t))
        except (ArithmeticError, ValueError, TypeError, NameError):
            value = (nan, nan, nan)
        if not all(isfinite(x) for x in value):
            raise LawError(f"motion of {name}: {text!r} has no finite value at t = {t:.6g}")
        return value

    def of(t: Scalar, q: Array, qd: Array, numbers: Array) -> Array:
        assert symbols is not None
        return np.array([f(t) for f in symbols])

    symbols, arrays = symbol_functions(text, "t", 2), array_functions(text, "t", 2)
    written = None if symbols is None else TraceableLaw(of)
    return TraceableJointLaw(law, written, lambda t: np.column_stack([f(t) for f in arrays]))


def written_laws(laws: Sequence[JointLaw]) -> TraceableLaw | None:
    """Of several joints: all positions, then all rates, then all accelerations."""
    joined = together([getattr(law, "written", None) for law in laws])
    if joined is None:
        return None

    def of(t: Scalar, q: Array, qd: Array, numbers: Array) -> Array:
        return joined.of(t, q, qd, numbers).reshape(len(laws), 3).T.ravel()

    return TraceableLaw(of, joined.count, joined.numbers)


def spline(t: Floats, values: Floats) -> JointLaw:
    """A law through tabulated points by a cubic spline, held at its ends; ValueError where the
    points are too steep for one."""
    from scipy.interpolate import CubicSpline

    with np.errstate(all="ignore"):
        curve = CubicSpline(t, values, bc_type="clamped" if len(t) < 4 else "not-a-knot")
        if not np.all(np.isfinite(curve.c)):
            raise ValueError
    first, second = curve.derivative(1), curve.derivative(2)

    def law(at: float) -> tuple[float, float, float]:
        if at < t[0] or at > t[-1]:
            return float(values[0] if at < t[0] else values[-1]), 0.0, 0.0
        return float(curve(at)), float(first(at)), float(second(at))

    def numbers(a: float, b: float) -> Floats:
        """Where the piece begins, and its coefficients."""
        middle = 0.5 * (a + b)
        if not t[0] < middle < t[-1]:
            held = float(values[0] if middle < t[0] else values[-1])
            return np.array([0.0, 0.0, 0.0, 0.0, held])
        piece = int(np.searchsorted(t, middle)) - 1
        return np.array([t[piece], *curve.c[:, piece]])

    def of(at: Scalar, q: Array, qd: Array, n: Array) -> Array:
        x = at - n[0]
        place = ((n[1] * x + n[2]) * x + n[3]) * x + n[4]
        return np.array(
            [place, (3.0 * n[1] * x + 2.0 * n[2]) * x + n[3], 6.0 * n[1] * x + 2.0 * n[2]]
        )

    return TraceableJointLaw(law, TraceableLaw(of, 5, numbers), breaks=tuple(float(x) for x in t))


def motion_of(
    robot: Robot, laws: Mapping[str, JointLaw], duration: float, breaks: tuple[float, ...] = ()
) -> Motion:
    """A motion of all one-coordinate joints, of a closed chain those with motors; what has no law
    stays at zero, in a closed chain at home."""
    names = motion_names(robot)
    for name in laws:
        if name not in names:
            raise unknown_name("joint", name, names, where=f"robot {robot.name}")
    return Motion(
        names, tuple(laws.get(name) or _still(robot, name) for name in names), duration, breaks
    )


def _still(robot: Robot, name: str) -> JointLaw:
    """A joint that stays where the robot's home puts it."""
    link = next(link for link in robot.links if link.joint_name == name)
    return standing(float(robot.home()[link.q][0]))


def standing(place: float) -> JointLaw:
    """A joint that stays at one place."""
    numbers = np.array([place, 0.0, 0.0])
    written = TraceableLaw(lambda t, q, qd, n: n, 3, lambda a, b: numbers)
    many = lambda t: np.tile(numbers, (len(t), 1))  # noqa: E731
    return TraceableJointLaw(lambda t: (place, 0.0, 0.0), written, many, ())


def named_motion(robot: Robot, name: str | None = None) -> Motion | None:
    """A motion that the robot's model file holds; the first one when no name is given."""
    known = robot.motions
    if not known and name is None:
        return None
    label = next(iter(known)) if name is None else name
    if label not in known:
        raise unknown_name("motion", label, known, where=f"robot {robot.name}")
    kept = known[label]
    if isinstance(kept, MotionFormulas):
        laws = {joint: formula(text, joint) for joint, text in kept.joints.items()}
        return motion_of(robot, laws, kept.duration)
    from .trajectories import kept_motion  # which is made of what is here

    return kept_motion(robot, kept)


def columns_motion(robot: Robot, t: Floats, columns: Mapping[str, Floats]) -> Motion:
    """A motion from a table of joint positions."""
    laws = {}
    for name, values in columns.items():
        try:
            laws[name] = spline(t, values)
        except ValueError:
            raise InputError(
                f"motion of {name}: its table has no finite rates; two of its times are too near "
                f"({np.diff(t).min():g} s), or its numbers too large"
            ) from None
    return motion_of(robot, laws, float(t[-1]), tuple(float(x) for x in t))


def check_times(t: object, where: str) -> Floats:
    """Times must be at least two, finite and rising."""
    times = real_numbers(t, f"{where}: times must be numbers, got {brief(t)}")
    if times.ndim != 1 or len(times) < 2:
        raise InputError(f"{where}: a table needs at least two times, got {times.size}")
    if not np.all(np.isfinite(times)):
        raise InputError(f"{where}: times must be finite numbers")
    if np.any(np.diff(times) <= 0.0):
        i = int(np.argmax(np.diff(times) <= 0.0))
        raise InputError(
            f"{where}: times must rise; row {i + 2} has {times[i + 1]:g} after {times[i]:g}"
        )
    return times
