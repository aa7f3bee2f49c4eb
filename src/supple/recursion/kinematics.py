"""Poses, twists and accelerations: one outward sweep.

    t_i = A_{i,p} t_p + P_i q_dot_i
Reference: [Saha], eq. (11c); erratum: the recursion printed in 2.4.1 lacks A_{i,i-1}.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..robot import Robot
from ..screws import cross
from ..types import Array
from .path import FrameMotion, FramePath, paths, station_path
from .space import space
from .sweep import gather, outward


def motions(
    robot: Robot, ways: list[FramePath], qd: Array, qdd: Array, gravity: Array
) -> list[FrameMotion]:
    """Motion of every link frame. Gravity enters as the base's acceleration -g."""
    links = robot.links
    still = np.zeros(3)
    base = FrameMotion(still, still, still, -gravity)
    none = np.zeros(0)

    def step(i: int, parent: FrameMotion) -> FrameMotion:
        link = links[i]
        e = links[link.parent].e if link.parent >= 0 else None
        dd, ddd = (qd[e], qdd[e]) if e is not None else (none, none)
        m = ways[i].forth(parent, dd, ddd)
        w, v = link.joint.spread(qd[link.u])
        dw, dv = link.joint.spread(qdd[link.u])
        own = FrameMotion(
            m.w + w,
            m.v + v,
            m.dw + cross(m.w, w) + dw,
            m.a + cross(m.w + m.w, v) + cross(w, v) + dv,
        )
        return ways[i].slid(own)

    return outward(robot.parents, step, base)


@dataclass(frozen=True, eq=False)
class Pose:
    """Position p and rotation R of a frame in the world."""

    R: Array
    p: Array


def poses(robot: Robot, ways: list[FramePath]) -> list[Pose]:
    """Pose of every link frame in the world."""

    def step(i: int, parent: Pose) -> Pose:
        R, r = ways[i].pose()
        return Pose(parent.R @ R, parent.p + parent.R @ r)

    return outward(robot.parents, step, Pose(np.eye(3), np.zeros(3)))


def station_pose(robot: Robot, q: Array, where: str) -> Pose:
    """Pose of a station in the world at configuration q."""
    here = space(robot)
    return here.value(_station_pose(robot, here.shapes(robot, q), where))


def _station_pose(robot: Robot, q: Array, where: str) -> Pose:
    i, station = robot.station(where)
    link = robot.links[i]
    still = np.zeros(robot.nv)
    frame = poses(robot, paths(robot, q, still))[i]
    R, r = station_path(robot, station, q[link.d], still[link.e]).pose()
    return Pose(frame.R @ R, frame.p + frame.R @ r)


def link_poses(robot: Robot, q: Array) -> list[Pose]:
    """Pose of every link's own axes (as its model file names them) in the world."""
    here = space(robot)
    frames = here.value(poses(robot, paths(robot, here.shapes(robot, q), np.zeros(robot.nv))))
    return [
        Pose(pose.R @ link.frame, pose.p) for pose, link in zip(frames, robot.links, strict=True)
    ]


def station_motion(robot: Robot, q: Array, qd: Array, qdd: Array, where: str) -> FrameMotion:
    """Twist and acceleration of a station, in world axes, without gravity."""
    i, station = robot.station(where)
    link, here = robot.links[i], space(robot)
    q, qd = here.shapes(robot, q), here.rates(robot, qd)
    ways = paths(robot, q, qd)
    frame = motions(robot, ways, qd, qdd, np.zeros(3))[i]
    way = station_path(robot, station, q[link.d], qd[link.e])
    m = way.forth(frame, qd[link.e], qdd[link.e])
    R = _station_pose(robot, q, where).R
    return here.value(FrameMotion(R @ m.w, R @ m.v, R @ m.dw, R @ m.a))


def twists(robot: Robot, q: Array, qd: Array) -> Array:
    """Twists [w; v] of all link frames in world axes: (links, 6)."""
    here = space(robot)
    qd = here.rates(robot, qd)
    ways = paths(robot, here.shapes(robot, q), qd)
    all_poses = poses(robot, ways)
    frames = motions(robot, ways, qd, np.zeros(robot.nv), np.zeros(3))
    rows = [
        np.concatenate([pose.R @ m.w, pose.R @ m.v])
        for pose, m in zip(all_poses, frames, strict=True)
    ]
    return np.array(here.value(rows))


def configuration_rate(robot: Robot, q: Array, qd: Array) -> Array:
    """dq/dt (nq,) for velocity qd (nv,): quaternions turn rates into four numbers."""

    def step(i: int) -> tuple[Array, Array]:
        link = robot.links[i]
        return link.joint.rates(q[link.q], qd[link.u]), qd[link.e]

    return gather(robot.parents, step)
