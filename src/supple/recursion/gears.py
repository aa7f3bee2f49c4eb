"""What elastic gears do: each ties the coordinate of a motor to that of the joint it drives.

delta = sum of share x coordinate, so that a torque F = dV/d(delta) + damping delta_dot stands as
share x F in the equation of each coordinate: 1/ratio at the motor, -1 at the joint. Where shapes
turn the driven link's root (pinned modes), the gear turns with it: -phi'(0) at these shapes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..joints import Gear
from ..robot import Link, Loop, Robot, place_coordinates
from ..types import Array, Floats, Scalar


class GearCoordinate(NamedTuple):
    """A coordinate that a gear acts on: its place in q and in qd, and d(delta)/d(coordinate)."""

    q: int
    u: int
    share: Scalar


def gear_coordinates(robot: Robot, gear: Gear) -> list[GearCoordinate]:
    """The coordinates of a gear: the motor's, the joint's, and shapes that turn the root."""
    motor, link = robot.links[gear.motor], robot.links[gear.link]
    out = [GearCoordinate(motor.q.start, motor.u.start, 1.0 / gear.ratio)]
    out.append(GearCoordinate(link.q.start, link.u.start, -1.0))
    axis, slope = link.joint.axes[0], link.body.root_slope
    if slope is not None and axis < 3:
        out += [
            GearCoordinate(link.d.start + k, link.e.start + k, -slope[k, axis])
            for k in range(link.body.m)
        ]
    return out


def winding(robot: Robot, gear: Gear, q: Array) -> Scalar:
    """delta at a configuration."""
    first, *rest = gear_coordinates(robot, gear)
    return sum((tie.share * q[tie.q] for tie in rest), first.share * q[first.q])


def winding_rate(robot: Robot, gear: Gear, qd: Array) -> Scalar:
    """d(delta)/dt."""
    first, *rest = gear_coordinates(robot, gear)
    return sum((tie.share * qd[tie.u] for tie in rest), first.share * qd[first.u])


def with_gears(robot: Robot, force: Array, torque: Callable[[Gear], Scalar]) -> Array:
    """force (nv,) and what the gears add to it when each has this torque."""
    if not robot.gears:
        return force
    out = list(force)
    for gear in robot.gears:
        F = torque(gear)
        for tie in gear_coordinates(robot, gear):
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
        for tie in gear_coordinates(robot, gear):
            row[tie.u] = tie.share
        out += size(gear) * np.outer(row, row)
    return out


def rigid_gears(robot: Robot, some: Sequence[Gear] | None = None) -> Robot:
    """The robot with its elastic gears (or some of them) made rigid, without these motors'
    coordinates: of each motor ratio^2 J is left at the joint, its friction and its limits. Where
    a law is asked of it, a motor's torque is that of the joint over the ratio."""
    stiff = robot.gears if some is None else some
    if not stiff:
        return robot
    of_joint, rotors = {g.link: g for g in stiff}, {g.motor for g in stiff}
    kept = [i for i in range(len(robot.links)) if i not in rotors]
    place = {-1: -1} | {i: k for k, i in enumerate(kept)}
    links = []
    for i in kept:
        link = replace(robot.links[i], parent=place[robot.links[i].parent])
        links.append(_on_joint(robot, link, of_joint[i]) if i in of_joint else link)
    names = {link.joint_name for link in links}
    return replace(
        robot,
        links=place_coordinates(links),
        gears=tuple(
            replace(g, link=place[g.link], motor=place[g.motor])
            for g in robot.gears
            if g.motor not in rotors
        ),
        loops=tuple(_renumbered(loop, place) for loop in robot.loops),
        actuated=tuple(n if n in names else n.removesuffix(".motor") for n in robot.actuated),
        guess={name: value for name, value in robot.guess.items() if name in names},
        spec=None,
    )


def _on_joint(robot: Robot, link: Link, gear: Gear) -> Link:
    rotor, r = robot.links[gear.motor], gear.ratio
    W, own = rotor.body.W0, rotor.drive
    rubs = own.coulomb > 0.0 and link.drive.coulomb == 0.0
    drive = replace(
        link.drive,
        damping=link.drive.damping + r * r * own.damping,
        viscous=link.drive.viscous + r * r * own.viscous,
        coulomb=link.drive.coulomb + r * own.coulomb,
        smoothing=own.smoothing / r if rubs else link.drive.smoothing,
        static=link.drive.static + r * own.static,
        sticks=link.drive.sticks or own.sticks,
        rotor_inertia=link.drive.rotor_inertia + r * r * (W[0, 0] + W[1, 1]),
        torque_limit=r * own.torque_limit,
        speed_limit=own.speed_limit / r,
        full_torque_speed=own.full_torque_speed / r,
    )
    return replace(link, drive=drive)


def _renumbered(loop: Loop, place: dict[int, int]) -> Loop:
    (i, first), (j, second) = loop.first, loop.second
    return replace(loop, first=(place[i], first), second=(place[j], second))
