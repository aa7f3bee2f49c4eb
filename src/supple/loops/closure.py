"""Closure of loops: how far the two sides of every cut are apart, and how they move apart.

A loop is cut at a joint. Side b of the cut, seen from side a, is at r, turned by R, both in a's
axes. The joint leaves its own axes free; of the others nothing may be left:

    r_k = 0            for every direction k in which the joint does not slide
    c(R) = 0           closed turns; c is linear in R, and its rate is the relative turning rate
                       about the closed axes where the loop is closed

    w = w_b - w_a,   r_dot = v_b - v_a - w_a x r,   R_dot = w~ R                 (rate)
    dw = dw_b - dw_a - w_a x w
    r_ddot = a_b - a_a - 2 w_a x r_dot - dw_a x r - w_a x (w_a x r)
    R_ddot = dw~ R + w~ w~ R                                                      (acceleration)

A tie (mimic) has one row more than its directions, none: q_b - ratio q_a - offset = 0.

Everything comes from one outward sweep, in any scalar. J (rows, nv) maps qd to the rate; joints
that carry both sides alike have no columns in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..bodies import Station
from ..recursion.kinematics import Pose, motions, poses
from ..recursion.path import FrameMotion, FramePath, paths, station_path
from ..recursion.space import space
from ..recursion.sweep import ancestry
from ..robot import Link, Loop, Robot
from ..screws import cross, skew
from ..types import Array, Scalar

Entries = tuple[tuple[float, int, int], ...]
"""Weights of entries R_ij: one row of c(R)."""

TURNS: dict[tuple[int, ...], tuple[Entries, ...]] = {
    (): (),
    (0, 1, 2): (
        ((0.5, 2, 1), (-0.5, 1, 2)),
        ((0.5, 0, 2), (-0.5, 2, 0)),
        ((0.5, 1, 0), (-0.5, 0, 1)),
    ),
    (0, 1): (((-1.0, 1, 2),), ((1.0, 0, 2),)),  # z of b stays along z of a
    (2,): (((-1.0, 0, 1),),),  # y of b stays square to x of a
}
"""Closed turns by the axes about which the joint does not turn."""


def closed_axes(loop: Loop) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Turns and slides that the loop's joint does not leave free, as axes 0, 1, 2."""
    turns = tuple(k for k in range(3) if k not in loop.joint.axes)
    slides = tuple(k for k in range(3) if k + 3 not in loop.joint.axes)
    return turns, slides


def loop_rows(robot: Robot) -> list[slice]:
    """The rows of each loop in the closure."""
    out, at = [], 0
    for loop in robot.loops:
        turns, slides = closed_axes(loop)
        out.append(slice(at, at + len(TURNS[turns]) + len(slides) + loop.is_tie))
        at = out[-1].stop
    return out


def tie_rate(robot: Robot, loop: Loop, rates: Array) -> Array:
    """Of a tie: the second joint's rate less ratio times the first one's, (1,); else (0,)."""
    if not loop.is_tie:
        return np.zeros(0)
    a, b = (robot.links[i].u.start for i, _ in (loop.first, loop.second))
    return np.array([rates[b] - loop.ratio * rates[a]])


def tie_gap(robot: Robot, loop: Loop, q: Array) -> Array:
    """Of a tie: how far its second joint is from where the first one puts it; else (0,)."""
    if not loop.is_tie:
        return np.zeros(0)
    a, b = (robot.links[i].q.start for i, _ in (loop.first, loop.second))
    return np.array([q[b] - loop.ratio * q[a] - loop.offset])


@dataclass(frozen=True, eq=False)
class Side:
    """One side of a cut: its pose in the world, and its motion in its own axes."""

    R: Array
    p: Array
    motion: FrameMotion


@dataclass(frozen=True, eq=False)
class Closure:
    """What is left open in all loops: (rows,) each; acceleration for the qdd that was given."""

    residual: Array
    rate: Array
    acceleration: Array


def closure(robot: Robot, q: Array, qd: Array, qdd: Array) -> Closure:
    """Residual, rate and acceleration of all cuts.

    Gravity is in the accelerations of both sides, as it is in those of the dynamics: traced,
    they are one sweep. It falls out of their difference.
    """
    here, still = space(robot), np.zeros(3)
    q, qd = here.shapes(robot, q), here.rates(robot, qd)
    ways = paths(robot, q, qd)
    frames, moves = poses(robot, ways), motions(robot, ways, qd, qdd, robot.gravity)

    def side(i: int, station: Station) -> Side:
        if i < 0:
            rest = FrameMotion(still, still, still, -(station.R0.T @ robot.gravity))
            return Side(station.R0, station.r0 + station.rho, rest)
        link = robot.links[i]
        way = station_path(robot, station, q[link.d], qd[link.e])
        R, r = way.pose()
        motion = way.forth(moves[i], qd[link.e], qdd[link.e])
        return Side(frames[i].R @ R, frames[i].p + frames[i].R @ r, motion)

    parts = [
        (tie_gap(robot, loop, q), tie_rate(robot, loop, qd), tie_rate(robot, loop, qdd))
        if loop.is_tie
        else _open(loop, side(*loop.first), side(*loop.second))
        for loop in robot.loops
    ]
    joined = [np.concatenate([np.zeros(0), *column]) for column in zip(*parts, strict=True)]
    return Closure(*here.value(joined)) if joined else Closure(*[np.zeros(0)] * 3)


def _open(loop: Loop, a: Side, b: Side) -> tuple[Array, Array, Array]:
    turns, slides = closed_axes(loop)
    R, r = a.R.T @ b.R, a.R.T @ (b.p - a.p)
    A, B = a.motion, b.motion
    w = R @ B.w - A.w
    rate = R @ B.v - A.v - cross(A.w, r)
    dw = R @ B.dw - A.dw - cross(A.w, w)
    turning = cross(A.w + A.w, rate) + cross(A.dw, r) + cross(A.w, cross(A.w, r))
    second = R @ B.a - A.a - turning
    W = skew(w)
    Rd = W @ R
    return (
        _rows(turns, slides, R, r),
        _rows(turns, slides, Rd, rate),
        _rows(turns, slides, skew(dw) @ R + W @ Rd, second),
    )


def _rows(turns: Sequence[int], slides: Sequence[int], R: Array, r: Array) -> Array:
    """c(R), then the closed components of r."""
    out: list[Scalar] = []
    for entries in TURNS[tuple(turns)]:
        out.append(sum(weight * R[i, j] for weight, i, j in entries))
    return np.array([*out, *(r[k] for k in slides)])


def closed_part(loop: Loop, R: Array, r: Array) -> Array:
    """What is left open of a loop whose second side is turned by R and at r, seen from the first:
    c(R), then the closed components of r."""
    return _rows(*closed_axes(loop), R, r)


def closed_rates(loop: Loop, R: Array, w: Array, v: Array) -> Array:
    """Rates of a loop's closed directions where its second side, turned by R against the first,
    moves by w, v relative to it."""
    return _rows(*closed_axes(loop), skew(w) @ R, v)


def side_pose(robot: Robot, q: Array, frames: list[Pose], i: int, station: Station) -> Pose:
    """A side of a cut in the world."""
    if i < 0:
        return Pose(station.R0, station.r0 + station.rho)
    link = robot.links[i]
    R, r = station_path(robot, station, q[link.d], np.zeros(link.body.m)).pose()
    return Pose(frames[i].R @ R, frames[i].p + frames[i].R @ r)


def closure_residual(robot: Robot, q: Array) -> Array:
    """How far the loops are open: (rows,). From poses alone."""
    here = space(robot)
    q = here.shapes(robot, q)
    frames = poses(robot, paths(robot, q, np.zeros(robot.nv)))
    parts = [np.zeros(0)]
    for loop in robot.loops:
        a, b = (side_pose(robot, q, frames, *side) for side in (loop.first, loop.second))
        parts.append(closed_part(loop, a.R.T @ b.R, a.R.T @ (b.p - a.p)))
        parts.append(tie_gap(robot, loop, q))
    residual: Array = here.value(np.concatenate(parts))
    return residual


def closure_jacobian(robot: Robot, q: Array) -> Array:
    """J (rows, nv): the closure's rate is J qd."""
    return residual_and_jacobian(robot, q)[1]


def residual_and_jacobian(robot: Robot, q: Array) -> tuple[Array, Array]:
    """How far the loops are open (rows,), and J (rows, nv), from one sweep."""
    here, still = space(robot), np.zeros(robot.nv)
    q = here.shapes(robot, q)
    ways = paths(robot, q, still)
    frames = poses(robot, ways)
    parts, blocks = [np.zeros(0)], [np.zeros((0, robot.nv))]
    for loop in robot.loops:
        if loop.is_tie:
            parts.append(tie_gap(robot, loop, q))
            blocks.append(
                np.array([tie_rate(robot, loop, unit)[0] for unit in np.eye(robot.nv)])[None]
            )
            continue
        (i, station_a), (j, station_b) = loop.first, loop.second
        shared = set(ancestry(robot.parents, i)) & set(ancestry(robot.parents, j))
        nearest = max(shared, default=-1)  # parents come before their children
        a = _side_columns(robot, q, ways, frames, i, station_a, shared, nearest)
        b = _side_columns(robot, q, ways, frames, j, station_b, shared, nearest)
        R, r = a.R.T @ b.R, a.R.T @ (b.p - a.p)
        parts.append(closed_part(loop, R, r))
        blocks.append(_jacobian_rows(loop, a, b, R, r))
    both: tuple[Array, Array] = here.value((np.concatenate(parts), np.concatenate(blocks)))
    return both


@dataclass(frozen=True)
class SideColumns:
    """A side's pose and its twist's columns (3, nv) in world axes; columns of coordinates that move
    both sides alike are zero."""

    R: Array
    p: Array
    turn: Array
    shift: Array


def _side_columns(
    robot: Robot,
    q: Array,
    ways: list[FramePath],
    frames: list[Pose],
    i: int,
    station: Station,
    shared: set[int],
    nearest: int,
) -> SideColumns:
    n = robot.nv
    turn, shift = [np.zeros(3)] * n, [np.zeros(3)] * n
    if i < 0:
        return SideColumns(
            station.R0, station.r0 + station.rho, np.array(turn).T, np.array(shift).T
        )
    link = robot.links[i]
    way = station_path(robot, station, q[link.d], np.zeros(link.body.m))
    R, r = way.pose()
    p = frames[i].p + frames[i].R @ r
    for k in ancestry(robot.parents, i):
        if k in shared and k != nearest:
            break
        link, frame = robot.links[k], frames[k]
        turn[link.e], shift[link.e] = _moved_by_shapes(link, frame, way, p)
        if k not in shared:
            turn[link.u], shift[link.u] = _moved_by_joint(link, frame, p)
        way = ways[k]
    return SideColumns(
        frames[i].R @ R, p, np.array(turn).reshape(n, 3).T, np.array(shift).reshape(n, 3).T
    )


def _moved_by_shapes(
    link: Link, frame: Pose, way: FramePath, p: Array
) -> tuple[list[Array], list[Array]]:
    """Turns and shifts of a body at p, in world axes, for unit rates of the shapes of a link that
    carries it at the end of `way`."""
    node = frame.p + frame.R @ way.r
    columns = way.columns() if link.body.m else np.zeros((3, 0))
    turns = [frame.R @ columns[:, m] for m in range(link.body.m)]
    return turns, [frame.R @ way.S[m] + cross(w, p - node) for m, w in enumerate(turns)]


def _moved_by_joint(link: Link, frame: Pose, p: Array) -> tuple[list[Array], list[Array]]:
    """The same for unit rates of the link's joint."""
    axes = [(frame.R[:, axis % 3], axis < 3) for axis in link.joint.axes]
    turns = [z if turning else np.zeros(3) for z, turning in axes]
    return turns, [cross(z, p - frame.p) if turning else z for z, turning in axes]


def _jacobian_rows(loop: Loop, a: SideColumns, b: SideColumns, R: Array, r: Array) -> Array:
    """c(w~ R), then the closed components of v - w_a x r, for all columns at once."""
    turns, slides = closed_axes(loop)
    own = a.R.T @ a.turn
    w, v = a.R.T @ b.turn - own, a.R.T @ (b.shift - a.shift)
    rows = [
        sum(weight * _across(w, R[:, j], i) for weight, i, j in entries) for entries in TURNS[turns]
    ]
    rows += [v[k] - _across(own, r, k) for k in slides]
    return np.array(rows).reshape(-1, w.shape[1])


def _across(w: Array, r: Array, i: int) -> Array:
    """Component i of w x r, for all columns of w: (n,)."""
    j, k = (i + 1) % 3, (i + 2) % 3
    return np.asarray(w[j] * r[k] - w[k] * r[j])
