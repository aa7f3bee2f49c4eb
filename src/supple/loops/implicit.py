"""Linearly implicit steps: springs and dampers absorbed into the pivots of the recursion.

With A the part of df/dy that springs K and dampers D make, y = (q, v, ...) and s = h gamma,

    (1/s - A) u = r:    u_v = s r_v - x,     (M + E) x = E s r_v + s^2 K r_q,    E = s D + s^2 K,
                        u_q = s (r_q + u_v)  of coordinates with springs or dampers, else s r_q.

E belongs to the coordinates of one link each, so (M + E) x costs the sweeps of the forward
dynamics, in closed chains as well.
"""

from __future__ import annotations

import numpy as np

from ..recursion.forward import HeldLinks
from ..recursion.sweep import gather
from ..robot import Link, Robot
from ..types import Array, Scalar
from .dynamics import NONE, answer_to_force


def absorbed_step(robot: Robot, y: Array, s: Scalar, r: Array, held: HeldLinks = NONE) -> Array:
    """u of (1/s - A) u = r at the state y = (q, v, ...): as many numbers as r has."""
    nq, nv = robot.nq, robot.nv
    r_v = r[nq : nq + nv]
    dampers = [_damping(link, y[nq : nq + nv]) for link in robot.links]

    def added(i: int) -> tuple[Array, Scalar]:
        body = robot.links[i].body
        return s * body.D + (s * s) * body.K, s * dampers[i] + (s * s) * _spring(robot.links[i])

    def force(i: int) -> tuple[Array, Array]:
        link, (shapes, joint) = robot.links[i], added(i)
        bend = shapes @ (s * r_v[link.e]) + (s * s) * (link.body.K @ r[link.d])
        turn = [joint * s * x for x in r_v[link.u]]
        if _spring(link):
            turn = [turn[0] + s * s * _spring(link) * r[link.q][0]]
        return np.array(turn if i not in held else [0.0] * len(turn)), bend

    x = answer_to_force(robot, y[:nq], gather(robot.parents, force), added, held)
    u_v = s * r_v - x
    u_q = s * r[:nq]
    for i, link in enumerate(robot.links):
        u_q[link.d] = s * (r[link.d] + u_v[link.e])
        if i not in held and link.joint.nv == 1 and (_spring(link) or link.drive.damping_at_rest):
            u_q[link.q] = s * (r[link.q] + u_v[link.u])
    return np.concatenate([u_q, u_v, s * r[nq + nv :]])


def _spring(link: Link) -> float:
    """Stiffness of a joint of one coordinate."""
    return link.drive.stiffness if link.joint.nv == 1 else 0.0


def _damping(link: Link, v: Array) -> Scalar:
    """Damping of a joint's coordinates at the rates v."""
    return link.drive.damping_at(v[link.u][0]) if link.joint.nv == 1 else link.drive.damping_at_rest
