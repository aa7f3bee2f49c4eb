"""Inputs and outputs of a linear model, by name.

inputs      a joint rate's name              its torque (force)
            STATION.fx ... nz                a force or moment at a station, in world axes
outputs     a coordinate's name              a joint's angle or length, a shape's amplitude
            STATION.x, y, z, rx, ry, rz      a station's place, or small turn, in world axes
            STATION.strain                   of the fibre at a station on a beam
            STATION.curvature_y, _z          of the beam there
            any of these and .rate           its rate;   .acceleration: its acceleration
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ... import checks, recursion
from ...errors import InputError, did_you_mean
from ...robot import Robot
from ...types import Array, Floats, Scalar
from ..along import curvature_row, strain_row
from ..zeros import AXES
from .operating_point import floating

FORCES = {name: k for k, name in enumerate(checks.WRENCH)}
CURVATURES = {"curvature_y": 1, "curvature_z": 2}
ORDERS = {"rate": 1, "acceleration": 2}


@dataclass(frozen=True)
class Input:
    """A torque at a column of the input matrix, or a part of a wrench at a station."""

    name: str
    unit: str
    column: int = -1
    station: str = ""
    part: int = 0


@dataclass(frozen=True, eq=False)
class Output:
    """A number that follows (q, qd, qdd); `order`: of its time derivative. A plain row (nv,) of
    the velocity, or a part of a station's motion."""

    name: str
    unit: str
    order: int
    row: Floats | None = None
    station: str = ""
    part: int = 0

    def change(self, robot: Robot, q: Floats) -> Floats:
        """How it changes with the coordinates, at order 0: (nv,)."""
        if self.row is not None:
            return self.row
        return np.asarray(
            recursion.station_jacobian(robot, q, self.station)[self.part], dtype=float
        )

    def value(self, robot: Robot, q: Array, qd: Array, qdd: Array) -> Scalar:
        """Its rate or acceleration, orders 1 and 2."""
        if self.row is not None:
            return self.row @ (qd if self.order == 1 else qdd)
        m = recursion.station_motion(robot, q, qd, qdd, self.station)
        pair = (m.w, m.v) if self.order == 1 else (m.dw, m.a)
        return np.concatenate(pair)[self.part]


def chosen_inputs(robot: Robot, names: Sequence[str] | None, held: list[int]) -> tuple[Input, ...]:
    """By default the torques of all motors that are not held."""
    base, motors = floating(robot), robot.motor_indices
    free = [k for k in motors if k not in held and k not in base]
    if names is None:
        given = tuple(robot.velocity_names[k] for k in free)
    else:
        given = _unique(checks.names(names, "inputs", "['joint1']"), "inputs")
    return tuple(_input(robot, name, held) for name in given)


def _input(robot: Robot, name: str, held: list[int]) -> Input:
    torques = {robot.velocity_names[k]: k for k in robot.motor_indices}
    if name in torques:
        if torques[name] in held:
            raise InputError(
                f"input {name} of {robot.name} is the torque of a joint that is held: it does "
                f"nothing there. Leave it out of inputs, or of held"
            )
        column = robot.joint_indices.index(torques[name])
        return Input(name, "N" if _slides(robot, torques[name]) else "N m", column)
    station, _, part = name.rpartition(".")
    if part in FORCES and station:
        robot.station(station)
        return Input(name, "N m" if FORCES[part] < 3 else "N", station=station, part=FORCES[part])
    raise _unknown(
        "input",
        name,
        list(torques),
        "a joint with a motor, or a station and one of " + ", ".join(FORCES) + " (link1.tip.fy)",
        robot,
    )


def chosen_outputs(
    robot: Robot, names: Sequence[str] | None, moving: bool = False
) -> tuple[Output, ...]:
    """By default all joint angles and, of a robot at rest, the place of the last link's end."""
    given = (
        _default(robot, moving)
        if names is None
        else _unique(checks.names(names, "outputs", "['link1.tip.y']"), "outputs")
    )
    return tuple(_output(robot, name) for name in given)


def _default(robot: Robot, moving: bool) -> tuple[str, ...]:
    base = floating(robot)
    joints = [robot.velocity_names[k] for k in robot.motor_indices if k not in base]
    ends = [x.name for x in robot.links if "tip" in x.body.stations and not moving]
    return (*joints, *(f"{ends[-1]}.tip.{axis}" for axis in "xyz" if ends))


def _output(robot: Robot, name: str) -> Output:
    whole, _, last = name.rpartition(".")
    plain, order = (whole, ORDERS[last]) if last in ORDERS else (name, 0)
    per = ("", "/s", "/s^2")[order]
    if plain in robot.velocity_names:
        k = robot.velocity_names.index(plain)
        unit = "shape" if k in robot.mode_indices else "m" if _slides(robot, k) else "rad"
        return Output(name, unit + per, order, np.eye(robot.nv)[k])
    station, _, part = plain.rpartition(".")
    if part in AXES and station:
        robot.station(station)
        unit = "rad" if AXES[part] < 3 else "m"
        return Output(name, unit + per, order, station=station, part=AXES[part])
    if part == "strain" and station:
        return Output(name, "strain" + per, order, strain_row(robot, station))
    if part in CURVATURES and station:
        return Output(name, "1/m" + per, order, curvature_row(robot, station, CURVATURES[part]))
    raise _unknown(
        "output",
        name,
        list(robot.velocity_names),
        "a coordinate, or a station and "
        "one of "
        + ", ".join([*AXES, "strain", *CURVATURES])
        + " (link1.tip.y), each with .rate or "
        ".acceleration after it",
        robot,
    )


def _unknown(kind: str, name: str, known: list[str], what: str, robot: Robot) -> InputError:
    near = did_you_mean(name, known)
    shown = f"{', '.join(known[:12])}{', ...' if len(known) > 12 else ''}"
    return InputError(
        f"no {kind} named {name!r} in robot {robot.name}; an {kind} is {what}. There are: "
        f"{shown or 'none'}.{' ' + near[0].upper() + near[1:] if near else ''}"
    )


def _unique(names: tuple[str, ...], what: str) -> tuple[str, ...]:
    twice = [n for k, n in enumerate(names) if n in names[:k]]
    if twice:
        raise InputError(f"{what} names {twice[0]} twice; give it once")
    return names


def _slides(robot: Robot, k: int) -> bool:
    """Whether the rate at this place of the velocity is one of a length."""
    for link in robot.links:
        if link.u.start <= k < link.u.stop:
            return bool(link.joint.axes[k - link.u.start] > 2)
    return False


__all__ = ["Input", "Output", "chosen_inputs", "chosen_outputs"]
