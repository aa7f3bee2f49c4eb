"""Station Jacobians: joint columns and link sub-matrices by cross products.

Rows [w; v] in world axes. A joint column is [z; z x (p - O)] (or [0; z]); a link's columns are
those of its node, carried to the point.
Reference: [Piedboeuf], eqs. (2)-(6), (25)-(28).
"""

from __future__ import annotations

import numpy as np

from ..robot import Robot
from ..screws import cross
from ..screws.dual import dual_part, seed
from ..types import Array
from .kinematics import configuration_rate, poses
from .path import FramePath, paths, station_path
from .space import space
from .sweep import ancestry


def station_jacobian(robot: Robot, q: Array, where: str) -> Array:
    """J (6, nv): twist [w; v] of the station in world axes is J qd."""
    i, station = robot.station(where)
    still, here = np.zeros(robot.nv), space(robot)
    q = here.shapes(robot, q)
    ways = paths(robot, q, still)
    frames = poses(robot, ways)
    own = station_path(robot, station, q[robot.links[i].d], still[robot.links[i].e])
    p = frames[i].p + frames[i].R @ own.pose()[1]
    columns = [np.zeros(6)] * robot.nv
    way: FramePath = own
    for j in ancestry(robot.parents, i):
        link, frame = robot.links[j], frames[j]
        for k in range(link.body.m):
            w = frame.R @ way.columns()[:, k]
            v = frame.R @ way.S[k]
            node = frame.p + frame.R @ way.r
            columns[link.e.start + k] = np.concatenate([w, v + cross(w, p - node)])
        for a, axis in enumerate(link.joint.axes):
            z = frame.R[:, axis % 3]
            turn = np.concatenate([z, cross(z, p - frame.p)])
            columns[link.u.start + a] = turn if axis < 3 else np.concatenate([np.zeros(3), z])
        way = ways[j]
    J: Array = here.value(np.array(columns).reshape(robot.nv, 6).T)
    return J


def station_jacobian_rate(robot: Robot, q: Array, qd: Array, where: str) -> Array:
    """dJ/dt (6, nv): the Jacobian run on dual numbers q + e dq/dt."""
    return dual_part(station_jacobian(robot, seed(q, configuration_rate(robot, q, qd)), where))
