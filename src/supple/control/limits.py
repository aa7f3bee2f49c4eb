"""Torques within limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from .. import checks
from ..errors import InputError, brief, unknown_name
from ..frozen import Portable
from ..robot import Robot
from ..screws import larger, smaller
from ..simulation.law import NONE, Law, TorqueSource, TraceableLaw, law_of
from ..types import Array, Floats, Scalar
from .controlled_coordinates import ControlledCoordinates, controlled_coordinates


@dataclass(frozen=True, eq=False)
class Limited(Portable, TorqueSource):
    """Torques cut off at what the motors can give."""

    torque: object
    limits: object

    def of(self, one: Robot, other: Robot) -> Limited:
        return replace(self, torque=law_of(self.torque, one, other))

    def law(self, robot: Robot, made: Callable[[object], Law], duration: float) -> Law:
        law, held = made(self.torque), controlled_coordinates(robot)
        most = _most(self.limits, held)
        inner = law.written

        def cut(tau: Array) -> Array:
            asked = tau[list(held.places)]
            given = [
                smaller(larger(x, -most[name]), most[name]) if name in most else x
                for name, x in zip(held.names, asked, strict=True)
            ]
            return np.asarray(tau + held.B @ (np.array(given) - asked))

        def force(t: float, q: Floats, qd: Floats, z: Floats = NONE) -> Floats:
            return cut(law(t, q, qd, z))

        def of(t: Scalar, q: Array, qd: Array, n: Array) -> Array:
            assert inner is not None
            value = inner.of(t, q, qd, n)
            return np.concatenate([cut(value[: robot.nv]), value[robot.nv :]])

        written = (
            None if inner is None else TraceableLaw(of, inner.count, inner.numbers, inner.states)
        )
        return replace(law, force=force, written=written, called=f"limited {law.called}")


def limited(torque: object, limits: float | Mapping[str, float]) -> Limited:
    """Torques (whatever `simulate` takes) that stay between -limit and +limit: one limit for all
    motors, or {coordinate: limit}. States of a controller go on as if there were none: its integral
    winds up."""
    for name, value in limits.items() if isinstance(limits, Mapping) else (("all motors", limits),):
        _one_limit(value, name if isinstance(name, str) else brief(name))
    return Limited(torque, limits)


def _one_limit(given: object, name: str) -> float:
    value = checks.number(given, f"limit of {name}", "a positive number")
    if not 0.0 < value < np.inf:
        raise InputError(f"limit of {name} is {value:g}; it must be a positive number")
    return value


def _most(given: object, held: ControlledCoordinates) -> dict[str, float]:
    if not isinstance(given, Mapping):
        given = dict.fromkeys(held.names, given)
    for name in given:
        if name not in held.names:
            raise unknown_name("coordinate", str(name), held.names, where="limits")
    return {str(name): _one_limit(value, str(name)) for name, value in given.items()}
