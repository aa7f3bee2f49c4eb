"""Kinetic and potential energy, body by body."""

from __future__ import annotations

import numpy as np

from ..bodies import full_inertia, moments
from ..robot import Robot
from ..types import Array, Scalar
from .kinematics import motions, poses
from .path import paths


def kinetic_energy(robot: Robot, q: Array, qd: Array) -> Scalar:
    """T = sum 1/2 t_i^T M_i t_i, and 1/2 J u^2 of each rotor."""
    frames = motions(robot, paths(robot, q, qd), qd, np.zeros(robot.nv), np.zeros(3))
    total: Scalar = 0.0
    for link, m in zip(robot.links, frames, strict=True):
        t = np.concatenate([m.w, m.v, qd[link.e]])
        total = total + 0.5 * (t @ (full_inertia(moments(link.body, q[link.d])) @ t))
        total = total + 0.5 * link.drive.rotor_inertia * (qd[link.u] @ qd[link.u])
    return total


def gravity_energy(robot: Robot, q: Array) -> Scalar:
    """-g . (sum of first moments in the world)."""
    frames = poses(robot, paths(robot, q, np.zeros(robot.nv)))
    total: Scalar = 0.0
    for link, pose in zip(robot.links, frames, strict=True):
        at = moments(link.body, q[link.d])
        total = total - robot.gravity @ (at.body.mass * pose.p + pose.R @ at.mc)
    return total


def elastic_energy(robot: Robot, q: Array) -> Scalar:
    """Bending, torsion, extension, and joint springs."""
    total: Scalar = 0.0
    for link in robot.links:
        d = q[link.d]
        total = total + 0.5 * (d @ (link.body.K @ d)) + link.drive.energy(q[link.q])
    return total


def potential_energy(robot: Robot, q: Array) -> Scalar:
    """Gravity and elastic energy together."""
    return gravity_energy(robot, q) + elastic_energy(robot, q)
