"""Joints that follow a given law: their motion is known, the force that makes it is found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np

from ..checks import numbers, real_numbers
from ..errors import InputError, brief, let_signals_through, unknown_name
from ..robot import Robot
from ..types import Array, Floats, Scalar
from .inputs import asked_together
from .joint_laws import law_breaks
from .law import LawError, TraceableLaw
from .motion import (
    JointLaw,
    Motion,
    TraceableJointLaw,
    check_times,
    formula,
    joint_names,
    named_motion,
    spline,
    written_laws,
)


@dataclass(frozen=True)
class Prescribed:
    """Which links' joints follow a law, and the laws; none when nothing is prescribed."""

    names: tuple[str, ...] = ()
    links: tuple[int, ...] = ()
    places: tuple[tuple[int, int], ...] = ()  # in the configuration, in the velocity
    laws: tuple[JointLaw, ...] = ()
    knots: tuple[float, ...] = ()  # of tables

    @property
    def held(self) -> frozenset[int]:
        return frozenset(self.links)

    @property
    def rates(self) -> list[int]:
        """Places in the velocity."""
        return [v for _, v in self.places]

    def breaks(self, duration: float, told: Sequence[float] = ()) -> tuple[float, ...]:
        """Instants at which a law's acceleration jumps or kinks."""
        out = list(self.knots)
        for name, law in zip(self.names, self.laws, strict=True):
            out += law_breaks(law, duration, f"the law of {name}", tuple(told))
        return tuple(out)

    @property
    def written(self) -> TraceableLaw | None:
        """Accelerations, places and rates of all, for any scalar t."""
        inner = written_laws(self.laws)
        if inner is None:
            return None

        def of(t: Scalar, q: Array, qd: Array, numbers: Array) -> Array:
            place, rate, acceleration = inner.of(t, q, qd, numbers).reshape(3, -1)
            return np.concatenate([acceleration, place, rate])

        return TraceableLaw(of, inner.count, inner.numbers)

    def put(self, t: float, q: Floats, qd: Floats, qdd: Floats) -> None:
        """Write the laws' values at time t into a state and its accelerations."""
        for (i, v), law in zip(self.places, self.laws, strict=True):
            q[i], qd[v], qdd[v] = law(t)


def prescribed_motion(robot: Robot, given: object) -> Prescribed:
    """What the user gave: a mapping of joints to laws, a Motion, or the name of one.

    A law is a formula in t, a table (times, values), a Motion of the joint, or a function of t that
    gives position, rate and acceleration.
    """
    if given is None:
        return Prescribed()
    if isinstance(given, str):
        given = named_motion(robot, given)
    if isinstance(given, Motion):
        given = dict.fromkeys(given.names, given)
    if not isinstance(given, Mapping):
        raise InputError(
            f"prescribed is {brief(given)}; give a mapping of joints to laws, e.g. "
            f"{{{(*joint_names(robot), 'joint1')[0]!r}: '0.5*t**2'}}, a Motion, or the name of one"
        )
    links = {link.joint_name: i for i, link in enumerate(robot.links)}
    _check_joints(robot, given, links)
    order = sorted(given, key=lambda name: links[name])
    places = [(robot.links[links[n]].q.start, robot.links[links[n]].u.start) for n in order]
    return Prescribed(
        tuple(order),
        tuple(links[name] for name in order),
        tuple(places),
        tuple(joint_law(name, given[name]) for name in order),
        tuple(sorted({t for law in given.values() for t in _knots(law)})),
    )


def _check_joints(robot: Robot, given: Mapping[str, object], links: Mapping[str, int]) -> None:
    """Whether joints of these names can follow a law."""
    names = joint_names(robot)
    for name in given:
        if name not in names:
            raise unknown_name("joint", str(name), names, where=f"robot {robot.name}")
        if robot.links[links[name]].body.root_slope is not None:
            raise InputError(
                f"joint {name} cannot be prescribed: shapes of its link turn the root, so its "
                f"coordinate is not the root's angle. Use a clamped family, e.g. orthogonal"
            )


def _knots(given: object) -> tuple[float, ...]:
    """Instants at which a table has its points, or a motion its breaks."""
    if isinstance(given, Motion):
        return given.breaks
    return tuple(map(float, given[0])) if isinstance(given, tuple) and len(given) == 2 else ()


def joint_law(name: str, given: object) -> JointLaw:
    """A formula in t, a table, a Motion, or a function of t as the law of a joint."""
    if isinstance(given, Motion):
        if name not in given.names:
            raise unknown_name("joint", name, given.names, where=f"the motion that {name} follows")
        return given.laws[given.names.index(name)]
    if isinstance(given, str | int | float):
        return formula(str(given), name)
    if isinstance(given, TraceableJointLaw):
        return given
    if isinstance(given, tuple) and len(given) == 2:
        return _table_law(name, *given)
    if callable(given):
        return _function(name, given)
    raise InputError(
        f"law of {name} is {brief(given)}; give a formula in t, a table (times, positions), a "
        f"Motion, or a function of t that gives (position, rate, acceleration)"
    )


def _table_law(name: str, given_times: object, given_values: object) -> JointLaw:
    times = check_times(given_times, f"law of {name}")
    values = real_numbers(given_values, f"law of {name}: positions must be numbers")
    if values.shape != times.shape or not np.all(np.isfinite(values)):
        raise InputError(
            f"law of {name}: {len(times)} times need as many finite positions, got an array "
            f"of shape {values.shape}"
        )
    return spline(times, values)


def _function(name: str, given: Callable[[float], object]) -> JointLaw:
    def law(t: float) -> tuple[float, float, float]:
        try:
            a, b, c = map(float, numbers(given(t)))
        except Exception as error:
            let_signals_through(error)
            reason = f"{type(error).__name__}: {error}"
            raise LawError(
                f"law of {name} failed at t = {t:.6g} s: {reason}. It must give three numbers: "
                f"position, rate, acceleration"
            ) from error
        if not (isfinite(a) and isfinite(b) and isfinite(c)):
            raise LawError(f"law of {name} gave {(a, b, c)} at t = {t:.6g} s; not finite")
        return a, b, c

    try:
        law(0.0)
    except LawError as error:
        raise InputError(str(error)) from None

    def many(times: Floats) -> Floats | None:
        rows = asked_together(given, times)
        if rows is None or rows.shape != (len(times), 3) or not np.isfinite(rows).all():
            return None
        return np.asarray(rows, dtype=float)

    written = TraceableLaw(lambda t, q, qd, numbers: np.array(given(t), dtype=object))
    return TraceableJointLaw(law, written, many)
