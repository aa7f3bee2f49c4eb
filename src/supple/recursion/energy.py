"""Kinetic and potential energy, body by body."""

from __future__ import annotations

import numpy as np

from ..bodies import full_inertia, moments
from ..robot import Robot
from ..types import Array, Scalar
from .kinematics import motions, poses
from .path import paths
from .sweep import total


def kinetic_energy(robot: Robot, q: Array, qd: Array) -> Scalar:
    """T = sum 1/2 t_i^T M_i t_i, and 1/2 J u^2 of each rotor."""
    frames = motions(robot, paths(robot, q, qd), qd, np.zeros(robot.nv), np.zeros(3))

    def step(i: int) -> Scalar:
        link, m = robot.links[i], frames[i]
        t = np.concatenate([m.w, m.v, qd[link.e]])
        body = 0.5 * (t @ (full_inertia(moments(link.body, q[link.d])) @ t))
        return body + 0.5 * link.drive.rotor_inertia * (qd[link.u] @ qd[link.u])

    return total(robot.parents, step)


def gravity_energy(robot: Robot, q: Array) -> Scalar:
    """-g . (sum of first moments in the world)."""
    frames = poses(robot, paths(robot, q, np.zeros(robot.nv)))

    def step(i: int) -> Scalar:
        at, pose = moments(robot.links[i].body, q[robot.links[i].d]), frames[i]
        return -(robot.gravity @ (at.body.mass * pose.p + pose.R @ at.mc))

    return total(robot.parents, step)


def elastic_energy(robot: Robot, q: Array) -> Scalar:
    """Bending, torsion, extension, and joint springs."""

    def step(i: int) -> Scalar:
        link = robot.links[i]
        d = q[link.d]
        return 0.5 * (d @ (link.body.K @ d)) + link.drive.energy(q[link.q])

    return total(robot.parents, step)


def potential_energy(robot: Robot, q: Array) -> Scalar:
    """Gravity and elastic energy together."""
    return gravity_energy(robot, q) + elastic_energy(robot, q)
