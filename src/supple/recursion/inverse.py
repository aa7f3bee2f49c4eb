"""Inverse dynamics: twists outward, wrenches inward, tau_i = P_i^T w_i; flexible links too.

Reference: [Saha], 2.4.1; [MohanSaha], eqs. (25)-(33); erratum: (33) lacks + gamma.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..bodies import Station, inertia_wrench, moments
from ..bodies.body import Acceleration, Moments
from ..robot import Robot
from ..screws import square
from ..types import Array
from .gears import elastic_torque, passive_torque, with_gears
from .kinematics import Pose, motions, poses
from .path import FrameMotion, FramePath, paths, station_path
from .space import space
from .sweep import each, gather, inward

Wrenches = Mapping[str, Array]
"""External wrenches [n; f] in world axes, by station: they act at the station's point."""


@dataclass(frozen=True)
class LinkLoad:
    """Wrench (n, f) about O in link axes and modal forces e."""

    n: Array
    f: Array
    e: Array

    def __add__(self, other: LinkLoad) -> LinkLoad:
        return LinkLoad(self.n + other.n, self.f + other.f, self.e + other.e)


def body_loads(
    robot: Robot, bodies_now: list[Moments], moves: list[FrameMotion], qd: Array, qdd: Array
) -> list[LinkLoad]:
    """What each body's own inertia asks for."""

    def step(i: int) -> LinkLoad:
        m, e = moves[i], robot.links[i].e
        x = Acceleration(m.w, square(m.w, m.dw), m.a)
        return LinkLoad(*inertia_wrench(bodies_now[i], x, qd[e], qdd[e]))

    return each(robot.parents, step)


def all_moments(robot: Robot, q: Array) -> list[Moments]:
    """Moments of every body at its present shape."""
    return each(robot.parents, lambda i: moments(robot.links[i].body, q[robot.links[i].d]))


def external_loads(
    robot: Robot, ways: list[FramePath], q: Array, external: Wrenches
) -> dict[int, LinkLoad]:
    """External wrenches brought to the origins of the links they act on (sign: as applied)."""
    loads: dict[int, LinkLoad] = {}
    frames = poses(robot, ways) if external else []
    for where, wrench in external.items():
        i, station = robot.station(where)
        load = station_load(robot, frames[i], q, i, station, wrench)
        loads[i] = loads[i] + load if i in loads else load
    return loads


def station_load(
    robot: Robot, frame: Pose, q: Array, i: int, station: Station, wrench: Array
) -> LinkLoad:
    """A wrench in world axes at a station's point, brought to the origin of its link i."""
    link = robot.links[i]
    way = station_path(robot, station, q[link.d], np.zeros(link.body.m))
    world = frame.R @ way.pose()[0]
    return LinkLoad(*way.back(wrench[:3] @ world, wrench[3:] @ world))


def net_loads(
    robot: Robot, q: Array, qd: Array, qdd: Array, gravity: Array, external: Wrenches
) -> tuple[list[FramePath], list[Moments], list[LinkLoad]]:
    """Inertia loads less external ones, with the paths and moments they came from; all of the
    order in which the robot's shapes are (`space`)."""
    q, qd = space(robot).shapes(robot, q), space(robot).rates(robot, qd)
    ways = paths(robot, q, qd)
    at = all_moments(robot, q)
    loads = body_loads(robot, at, motions(robot, ways, qd, qdd, gravity), qd, qdd)
    for i, given in external_loads(robot, ways, q, external).items():
        own = loads[i]
        loads[i] = LinkLoad(own.n - given.n, own.f - given.f, own.e - given.e)
    return ways, at, loads


def total_loads(robot: Robot, ways: list[FramePath], loads: list[LinkLoad]) -> list[LinkLoad]:
    """What each link and all that it carries ask for together, about its O in its axes."""
    return inward(
        robot.parents,
        own=lambda i: loads[i],
        carry=lambda i, load: LinkLoad(*ways[i].back(load.n, load.f)),
        close=lambda i, load: load,
    )


def passive_force(robot: Robot, q: Array, qd: Array) -> Array:
    """Springs, dampers, friction, stops, gears and the links' own elasticity: (nv,), left-hand
    side."""

    def step(i: int) -> tuple[Array, Array]:
        link = robot.links[i]
        spring = link.drive.elastic(q[link.q], link.joint.nv)
        bend = link.body.K @ q[link.d] + link.body.D @ qd[link.e]
        return spring + link.drive.dissipative(q[link.q], qd[link.u]), bend

    force = gather(robot.parents, step)
    return with_gears(robot, force, lambda gear: passive_torque(robot, gear, q, qd))


def elastic_force(robot: Robot, q: Array) -> Array:
    """dV/dq of springs, stops, gears and bending: (nv,)."""

    def step(i: int) -> tuple[Array, Array]:
        link = robot.links[i]
        return link.drive.elastic(q[link.q], link.joint.nv), link.body.K @ q[link.d]

    force = gather(robot.parents, step)
    return with_gears(robot, force, lambda gear: elastic_torque(robot, gear, q))


def inertia_force(
    robot: Robot,
    q: Array,
    qd: Array,
    qdd: Array,
    gravity: Array,
    external: Wrenches | None = None,
) -> Array:
    """M qdd + C qd + G - external, without springs and dampers: (nv,)."""
    ways, _, loads = net_loads(robot, q, qd, qdd, gravity, external or {})
    here, totals = space(robot), total_loads(robot, ways, loads)

    def project(i: int) -> tuple[Array, Array]:
        link, load = robot.links[i], totals[i]
        six = [*load.n, *load.f]
        rotor = [link.drive.rotor_inertia * x for x in qdd[link.u]]
        tau = [six[k] + r for k, r in zip(link.joint.axes, rotor, strict=True)]
        return here.value(np.array(tau)), here.value(load.e)

    return gather(robot.parents, project)


def inverse_dynamics(
    robot: Robot, q: Array, qd: Array, qdd: Array, external: Wrenches | None = None
) -> Array:
    """Generalised forces tau (joint and modal) that produce the accelerations qdd: (nv,)."""
    force = inertia_force(robot, q, qd, qdd, robot.gravity, external)
    return force + passive_force(robot, q, qd)


def bias_force(robot: Robot, q: Array, qd: Array, external: Wrenches | None = None) -> Array:
    """tau at qdd = 0: Coriolis, gravity, elasticity, damping and friction together."""
    return inverse_dynamics(robot, q, qd, np.zeros(robot.nv), external)


def coriolis_force(robot: Robot, q: Array, qd: Array) -> Array:
    """All velocity-product terms C(q, qd) qd."""
    return inertia_force(robot, q, qd, np.zeros(robot.nv), np.zeros(3))


def gravity_force(robot: Robot, q: Array) -> Array:
    """dV/dq of gravity (left-hand side)."""
    still = np.zeros(robot.nv)
    return inertia_force(robot, q, still, still, robot.gravity)


__all__ = [
    "LinkLoad",
    "bias_force",
    "body_loads",
    "coriolis_force",
    "elastic_force",
    "external_loads",
    "gravity_force",
    "inertia_force",
    "inverse_dynamics",
    "net_loads",
    "passive_force",
    "total_loads",
]
