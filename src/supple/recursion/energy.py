"""Kinetic and potential energy, body by body."""

from __future__ import annotations

import numpy as np

from ..bodies import moments
from ..robot import Robot
from ..types import Array, Scalar
from .gears import gear_energy
from .kinematics import poses
from .path import paths
from .space import space
from .sweep import outward, total


def kinetic_energy(robot: Robot, q: Array, qd: Array) -> Scalar:
    """T = sum 1/2 t_i^T M_i t_i, and 1/2 J u^2 of each rotor: 1/2 qd^T M qd."""
    links, here = robot.links, space(robot)
    x = here.shapes(robot, q)
    ways = paths(robot, x, np.zeros(robot.nv))

    def move(i: int, t: Array) -> Array:
        link = links[i]
        dd = qd[links[link.parent].e] if link.parent >= 0 else np.zeros(0)
        joint = np.concatenate([*link.joint.spread(qd[link.u]), np.zeros(here.size - 6)])
        return np.asarray(here.forth(ways[i], t, dd) + joint)

    frames = outward(robot.parents, move, np.zeros(here.size))

    def step(i: int) -> Scalar:
        link = links[i]
        t = np.concatenate([frames[i], qd[link.e]])
        body = 0.5 * (t @ (here.inertia(moments(link.body, x[link.d])) @ t))
        return body + 0.5 * link.drive.rotor_inertia * (qd[link.u] @ qd[link.u])

    return total(robot.parents, step)


def gravity_energy(robot: Robot, q: Array) -> Scalar:
    """-g . (sum of first moments in the world)."""
    here = space(robot)
    q = here.shapes(robot, q)
    frames = poses(robot, paths(robot, q, np.zeros(robot.nv)))

    def step(i: int) -> Scalar:
        at, pose = moments(robot.links[i].body, q[robot.links[i].d]), frames[i]
        return -(robot.gravity @ (at.body.mass * pose.p + pose.R @ at.mc))

    return here.value(total(robot.parents, step))


def elastic_energy(robot: Robot, q: Array) -> Scalar:
    """Bending, torsion, extension, joint springs, stops and gears."""

    def step(i: int) -> Scalar:
        link = robot.links[i]
        d = q[link.d]
        return 0.5 * (d @ (link.body.K @ d)) + link.drive.energy(q[link.q])

    return total(robot.parents, step) + gear_energy(robot, q)


def potential_energy(robot: Robot, q: Array) -> Scalar:
    """Gravity and elastic energy together."""
    return gravity_energy(robot, q) + elastic_energy(robot, q)
