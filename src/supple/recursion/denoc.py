"""The matrices of the decoupled natural orthogonal complement, as numbers.

All of them in world axes; a body's twist is [w; v; d_dot] at its O, 6 + m numbers.

    t = N qd,   N = N_l N_d                                                        (13a)
    M t_dot + W M E t = w                                                          (8)
    I = N^T M N,   C = N^T (M N_dot + W M E N),   I qdd + C qd = tau               (16a)

Of a body that bends, W M E t is not the whole of what is quadratic in the rates: there
`gyroscopic` holds the matrix that stands for W M E. Rotors of drives have no part in these.
Reference: [Saha], eqs. (5)-(16), (51)-(52) for trees; [MohanSaha], eqs. (7)-(15), (30)-(33).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..bodies import full_inertia, inertia_wrench
from ..bodies.body import Acceleration, Moments
from ..robot import Robot
from ..screws import skew, square
from ..screws.dual import dual_part, seed
from ..types import Array, Floats
from .inverse import all_moments
from .kinematics import Pose, configuration_rate, poses
from .path import FramePath, paths
from .sweep import ancestry


@dataclass(frozen=True, eq=False)
class Denoc:
    """Rows: all bodies in order, 6 + m each; columns of N_d, N_dot, I and C: the velocity."""

    N_l: Floats  # lower block triangular: twists from the links before
    N_d: Floats  # block diagonal: joints and shapes
    N_dot: Floats  # dN/dt
    M: Floats  # block diagonal: inertia
    W: Floats  # block diagonal: [w~, w~, 0]
    E: Floats  # block diagonal: [1, 0, 0]
    gyroscopic: Floats  # W M E; of bodies that bend, what stands for it
    rows: tuple[slice, ...]  # of each body
    columns: tuple[slice, ...]  # in the velocity: its joint's rates, then its shapes'

    @property
    def A(self) -> Floats:
        """t = A t + N_d qd: from each body's parent to the body alone, A = 1 - N_l^-1.
        Reference: [MohanSaha], eqs. (12)-(13)."""
        one = np.eye(len(self.N_l))
        return np.asarray(one - np.linalg.solve(self.N_l, one))

    @property
    def P(self) -> tuple[Floats, ...]:
        """Of each body the joint and shape propagation matrix, (6 + m) by (rates + m): the
        blocks of N_d. Reference: [MohanSaha], eq. (8)."""
        pairs = zip(self.rows, self.columns, strict=True)
        return tuple(self.N_d[row, column] for row, column in pairs)

    def propagation(self, i: int, j: int) -> Floats:
        """A_ij: the twist of body i that body j alone gives it; a block of N_l."""
        return np.asarray(self.N_l[self.rows[i], self.rows[j]])

    @property
    def N(self) -> Floats:
        """The natural orthogonal complement N_l N_d."""
        return np.asarray(self.N_l @ self.N_d)

    @property
    def I(self) -> Floats:  # noqa: E743
        """The generalised inertia matrix N^T M N, without rotors."""
        return np.asarray(self.N.T @ self.M @ self.N)

    @property
    def C(self) -> Floats:
        """The matrix of convective inertia: C qd are all forces quadratic in the rates."""
        return np.asarray(self.N.T @ (self.M @ self.N_dot + self.gyroscopic @ self.N))


def denoc(robot: Robot, q: Floats, qd: Floats) -> Denoc:
    """All matrices at a state; not of linearised kinematics, whose twists are of two orders."""
    N_l, N_d = complement(robot, q)
    N_l, N_d = np.asarray(N_l, dtype=float), np.asarray(N_d, dtype=float)
    moving = complement(robot, seed(q, configuration_rate(robot, q, qd)))
    N_dot = np.asarray(dual_part(moving[0] @ moving[1]), dtype=float)
    frames = poses(robot, paths(robot, q, qd))
    at, t = all_moments(robot, q), N_l @ N_d @ qd
    M, W, E, G = [], [], [], []
    for i, span in enumerate(spans(robot)):
        T, m = turned(frames[i], robot.links[i].body.m), robot.links[i].body.m
        w = skew(t[span][:3])
        M.append(T @ full_inertia(at[i]) @ T.T)
        W.append(_diagonal([w, w, np.zeros((m, m))]))
        E.append(np.diag([1.0] * 3 + [0.0] * (3 + m)))
        G.append(W[i] @ M[i] @ E[i] if m == 0 else _gyroscopic(at[i], T, t[span]))
    columns = tuple(slice(x.u.start, x.e.stop) for x in robot.links)
    M_, W_, E_, G_ = (_diagonal(x) for x in (M, W, E, G))
    return Denoc(N_l, N_d, N_dot, M_, W_, E_, G_, tuple(spans(robot)), columns)


def spans(robot: Robot) -> list[slice]:
    """The rows of each body."""
    ends = np.cumsum([0] + [6 + link.body.m for link in robot.links])
    return [slice(int(a), int(b)) for a, b in pairwise(ends)]


def complement(robot: Robot, q: Array) -> tuple[Array, Array]:
    """N_l and N_d, in any scalar.

    N_l has A_ij = A_{i,p(i)} ... A_{c,j} for every link j that carries link i, N_d the columns
    P_i of each joint and its link's shapes.
    """
    ways, rows = paths(robot, q, np.zeros(robot.nv)), spans(robot)
    frames = poses(robot, ways)
    size = rows[-1].stop if rows else 0
    N_l, N_d = np.eye(size).astype(object), np.zeros((size, robot.nv)).astype(object)
    for i, link in enumerate(robot.links):
        m = link.body.m
        columns = turned(frames[i], m)
        for a, axis in enumerate(link.joint.axes):
            N_d[rows[i], link.u.start + a] = columns[:, axis]
        N_d[rows[i].start + 6 : rows[i].stop, link.e] = np.eye(m)
        if link.parent < 0:
            continue
        A = propagation(robot, ways, frames, i)
        for j in ancestry(robot.parents, link.parent):
            N_l[rows[i], rows[j]] = A @ N_l[rows[link.parent], rows[j]]
    return N_l, N_d


def propagation(robot: Robot, ways: list[FramePath], frames: list[Pose], i: int) -> Array:
    """A_{i,p} (6 + m_i, 6 + m_p): the twist of i's frame from its parent's, in world axes."""
    p = robot.links[i].parent
    mp, mi = robot.links[p].body.m, robot.links[i].body.m
    unit = np.eye(6 + mp)
    columns = [np.concatenate(ways[i].forth_linear(u[:3], u[3:6], u[6:])) for u in unit]
    there = turned(frames[i], 0) @ np.array(columns).T @ turned(frames[p], mp).T
    return np.vstack([there, np.zeros((mi, 6 + mp))])


def turned(frame: Pose, m: int) -> Array:
    """diag(R, R, 1): a body's own axes to the world's."""
    out = np.eye(6 + m).astype(object)
    out[:3, :3] = out[3:6, 3:6] = frame.R
    return out if frame.R.dtype == object else out.astype(float)


def _gyroscopic(now: Moments, T: Floats, t: Floats) -> Floats:
    """Gamma with gamma = Gamma t for gamma quadratic in t: half its slope, exact by
    differences."""

    def gamma(t: Floats) -> Floats:
        own, still = T.T @ t, np.zeros(3)
        x = Acceleration(own[:3], square(own[:3], still), still)
        return np.asarray(T @ np.concatenate(inertia_wrench(now, x, own[6:], np.zeros(len(t) - 6))))

    unit = np.eye(len(t))
    return np.array([(gamma(t + e) - gamma(t - e)) / 4.0 for e in unit]).T


def _diagonal(blocks: list[Floats]) -> Floats:
    size = sum(len(x) for x in blocks)
    out, at = np.zeros((size, size)), 0
    for x in blocks:
        out[at : at + len(x), at : at + len(x)] = x
        at += len(x)
    return out
