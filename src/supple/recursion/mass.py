"""The generalised inertia matrix by composite bodies: I_ij = P_i^T M~_i A_ij P_j.

The children of a link, all joints and shapes frozen, form with it one rigid body; its inertia
(I, h, m) is what the recursion carries inward.
Reference: [Saha], eqs. (12)-(13); [MohanSaha], eqs. (31)-(32); erratum: (32) A_{i+1,i}.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..bodies import inertia_blocks
from ..bodies.body import Moments
from ..robot import Robot
from ..screws import RigidInertia, blocks, cross
from ..types import Array, Scalar
from .inverse import all_moments
from .path import FramePath, paths
from .space import TWISTS, Space, space
from .sweep import ancestry, inward


@dataclass(frozen=True, eq=False)
class Composite:
    """A link with all it carries, frozen but for the link's own shapes: rigid part about O,
    coupling CN, CF (3, m) and modal mass Md (m, m)."""

    rigid: RigidInertia
    CN: Array
    CF: Array
    Md: Array

    def __add__(self, other: Composite) -> Composite:
        return Composite(
            self.rigid + other.rigid, self.CN + other.CN, self.CF + other.CF, self.Md + other.Md
        )

    def matrix(self) -> Array:
        """The (6+m, 6+m) composite inertia M~_i."""
        six = self.rigid.matrix()
        C = np.concatenate([self.CN, self.CF])
        return blocks([six, C], [C.T, self.Md])


def composite_bodies(robot: Robot, q: Array) -> list[Composite]:
    """M~_i of every link."""
    here = space(robot)
    x = here.shapes(robot, q)
    bodies: list[Composite] = here.value(
        composites(robot, paths(robot, x, np.zeros(robot.nv)), all_moments(robot, x))
    )
    return bodies


def composites(robot: Robot, ways: list[FramePath], bodies_now: list[Moments]) -> list[Composite]:
    """Inward sweep of composite bodies."""

    def own(i: int) -> Composite:
        inertia, CN, CF, Md = inertia_blocks(bodies_now[i])
        return Composite(
            RigidInertia(inertia, bodies_now[i].mc, bodies_now[i].body.mass), CN, CF, Md
        )

    def carry(i: int, body: Composite) -> Composite:
        carried = ways[i].rigid_back(body.rigid)
        return Composite(carried, *_node_columns(ways[i], carried))

    return inward(robot.parents, own, carry, close=lambda i, body: body)


def _node_columns(way: FramePath, X: RigidInertia) -> tuple[Array, Array, Array]:
    """Momentum of the carried body (about the parent's O) for unit shape rates, and the
    modal mass it adds."""
    m = len(way.S)
    w = list(way.columns().T)
    v = [way.S[k] - cross(w[k], way.r) for k in range(m)]
    columns = [X.wrench(w[k], v[k]) for k in range(m)]
    N = np.array([n for n, _ in columns]).reshape(m, 3).T
    F = np.array([f for _, f in columns]).reshape(m, 3).T
    M = np.array(
        [[_upper(w, v, columns, min(i, j), max(i, j)) for j in range(m)] for i in range(m)]
    ).reshape(m, m)
    return N, F, M


def _upper(
    w: list[Array], v: list[Array], columns: list[tuple[Array, Array]], i: int, j: int
) -> Scalar:
    n, f = columns[j]
    return w[i] @ n + v[i] @ f


def spread_inward(
    robot: Robot, ways: list[FramePath], i: int, w: Array, here: Space = TWISTS
) -> list[tuple[int, Scalar]]:
    """Generalised forces (index, value) that a wrench w at link i's O calls up in all links
    below it, joint and modal."""
    out: list[tuple[int, Scalar]] = []
    for j in ancestry(robot.parents, i)[:-1]:
        p = robot.links[robot.links[j].parent]
        load = here.back(ways[j], w)
        w, e = load[: here.size], load[here.size :]
        out += [(p.u.start + a, w[axis]) for a, axis in enumerate(p.joint.axes)]
        out += [(p.e.start + k, e[k]) for k in range(p.body.m)]
    return out


def mass_matrix(robot: Robot, q: Array) -> Array:
    """The generalised inertia matrix: (nv, nv)."""
    here = space(robot)
    x = here.shapes(robot, q)
    ways = paths(robot, x, np.zeros(robot.nv))
    bodies = composites(robot, ways, all_moments(robot, x))
    M: list[list[Scalar]] = [[0.0] * robot.nv for _ in range(robot.nv)]

    def put(r: int, c: int, value: Scalar) -> None:
        M[r][c] = M[c][r] = value

    for i, (link, body) in enumerate(zip(robot.links, bodies, strict=True)):
        six = body.rigid.matrix()
        C = np.concatenate([body.CN, body.CF])
        for a, axis in enumerate(link.joint.axes):
            row = link.u.start + a
            for b, other in enumerate(link.joint.axes[: a + 1]):
                put(row, link.u.start + b, six[other, axis])
            M[row][row] = M[row][row] + link.drive.rotor_inertia
            for k in range(link.body.m):
                put(row, link.e.start + k, C[axis, k])
            for r, value in spread_inward(robot, ways, i, six[:, axis]):
                put(row, r, value)
        for k in range(link.body.m):
            row = link.e.start + k
            for other in range(k + 1):
                put(row, link.e.start + other, body.Md[other, k])
            for r, value in spread_inward(robot, ways, i, C[:, k]):
                put(row, r, value)
    whole: Array = here.value(np.array(M).reshape(robot.nv, robot.nv))
    return whole
