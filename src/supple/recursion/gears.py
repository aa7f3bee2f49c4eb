"""What elastic gears do: each ties the coordinate of a motor to that of the joint it drives.

delta = sum of share x coordinate, so that a torque F = dV/d(delta) + damping delta_dot stands as
share x F in the equation of each coordinate: 1/ratio at the motor, -1 at the joint. Where shapes
turn the driven link's root (pinned modes), the gear turns with it: -phi'(0) at these shapes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..joints import Gear
from ..robot import Robot
from ..types import Array, Floats, Scalar


class Tie(NamedTuple):
    """A coordinate that a gear acts on: its place in q and in qd, and d(delta)/d(coordinate)."""

    q: int
    u: int
    share: Scalar


def ties(robot: Robot, gear: Gear) -> list[Tie]:
    """The coordinates of a gear: the motor's, the joint's, and shapes that turn the root."""
    motor, link = robot.links[gear.motor], robot.links[gear.link]
    out = [Tie(motor.q.start, motor.u.start, 1.0 / gear.ratio)]
    out.append(Tie(link.q.start, link.u.start, -1.0))
    axis, slope = link.joint.axes[0], link.body.root_slope
    if slope is not None and axis < 3:
        out += [
            Tie(link.d.start + k, link.e.start + k, -slope[k, axis]) for k in range(link.body.m)
        ]
    return out


def winding(robot: Robot, gear: Gear, q: Array) -> Scalar:
    """delta at a configuration."""
    first, *rest = ties(robot, gear)
    return sum((tie.share * q[tie.q] for tie in rest), first.share * q[first.q])


def winding_rate(robot: Robot, gear: Gear, qd: Array) -> Scalar:
    """d(delta)/dt."""
    first, *rest = ties(robot, gear)
    return sum((tie.share * qd[tie.u] for tie in rest), first.share * qd[first.u])


def with_gears(robot: Robot, force: Array, torque: Callable[[Gear], Scalar]) -> Array:
    """force (nv,) and what the gears add to it when each has this torque."""
    if not robot.gears:
        return force
    out = list(force)
    for gear in robot.gears:
        F = torque(gear)
        for tie in ties(robot, gear):
            out[tie.u] = out[tie.u] + tie.share * F
    return np.array(out)


def elastic_torque(robot: Robot, gear: Gear, q: Array) -> Scalar:
    return gear.torque(winding(robot, gear, q))


def passive_torque(robot: Robot, gear: Gear, q: Array, qd: Array) -> Scalar:
    return elastic_torque(robot, gear, q) + gear.damping * winding_rate(robot, gear, qd)


def gear_energy(robot: Robot, q: Array) -> Scalar:
    """Energy stored in all gears."""
    return sum((gear.energy(winding(robot, gear, q)) for gear in robot.gears), 0.0)


def gear_matrix(robot: Robot, size: Callable[[Gear], float]) -> Floats:
    """(nv, nv) of springs or dampers of this size in place of the gears."""
    out = np.zeros((robot.nv, robot.nv))
    for gear in robot.gears:
        row = np.zeros(robot.nv)
        for tie in ties(robot, gear):
            row[tie.u] = tie.share
        out += size(gear) * np.outer(row, row)
    return out
