"""What joints and cuts carry: the wrenches between links.

The joint of link i puts on it all that it and what it carries ask for,

    w_i = sum over i and the links it carries of (inertia - gravity - external - cuts),

brought to O_i: drive and reaction together; along the joint's axes it is the force of the drive
less what its rotor takes. A cut puts [n; f] on the link of its second side, at that side's
point, and the opposite on the first.
Reference: [Saha], eqs. (14)-(15) and section 4: wrenches at cut and uncut joints.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..bodies import Station
from ..recursion.inverse import LinkLoad, Wrenches, net_loads, station_load, total_loads
from ..recursion.kinematics import Pose, poses
from ..recursion.path import paths
from ..recursion.space import space
from ..robot import Loop, Robot
from ..screws import cross
from ..types import Array
from .actuation import cut_forces
from .closure import closed_rates, loop_rows, side_pose


def joint_wrenches(
    robot: Robot,
    q: Array,
    qd: Array,
    qdd: Array,
    external: Wrenches | None = None,
    multipliers: Array | None = None,
) -> Array:
    """[n; f] that each link's joint puts on it, about the link's O, in world axes: (links, 6).
    multipliers: of the cuts; None: those of inverse dynamics."""
    here = space(robot)
    ways, _, loads = net_loads(robot, q, qd, qdd, robot.gravity, external or {})
    frames = poses(robot, ways)
    if robot.loops:
        if multipliers is None:
            multipliers = cut_forces(robot, q, qd, qdd, external)
        loads = less_cuts(loads, cut_loads(robot, here.shapes(robot, q), frames, multipliers))
    totals = total_loads(robot, ways, loads)
    rows = [
        np.concatenate([frame.R @ load.n, frame.R @ load.f])
        for frame, load in zip(frames, totals, strict=True)
    ]
    return np.array(here.value(rows)).reshape(len(rows), 6)


def cut_wrenches(robot: Robot, q: Array, multipliers: Array) -> Array:
    """[n; f] that each cut puts on the link of its second side, at that side's point, in world
    axes: (loops, 6); the first side gets the opposite."""
    here = space(robot)
    q = here.shapes(robot, q)
    frames = poses(robot, paths(robot, q, np.zeros(robot.nv)))
    pairs = zip(robot.loops, loop_rows(robot), strict=True)
    found = [_wrench(robot, q, frames, loop, multipliers[rows]) for loop, rows in pairs]
    return np.array(here.value(found)).reshape(len(found), 6)


@dataclass(frozen=True)
class CutLoad:
    """What a cut puts on link i at one of its stations, brought to the link's origin."""

    i: int
    station: Station
    load: LinkLoad


def less_cuts(loads: list[LinkLoad], cuts: list[CutLoad]) -> list[LinkLoad]:
    """What links ask for, less what the cuts give them."""
    out = list(loads)
    for cut in cuts:
        own, given = out[cut.i], cut.load
        out[cut.i] = LinkLoad(own.n - given.n, own.f - given.f, own.e - given.e)
    return out


def cut_loads(robot: Robot, q: Array, frames: list[Pose], multipliers: Array) -> list[CutLoad]:
    """What the cuts put on links; q of the order in which the robot's shapes are (`space`)."""
    out = []
    for loop, rows in zip(robot.loops, loop_rows(robot), strict=True):
        if loop.is_tie:
            continue  # it acts as motors do: in the joints
        w = _wrench(robot, q, frames, loop, multipliers[rows])
        (i, first), (j, second) = loop.first, loop.second
        r = side_pose(robot, q, frames, j, second).p - side_pose(robot, q, frames, i, first).p
        back = np.concatenate([-(w[:3] + cross(r, w[3:])), -w[3:]])
        for k, station, wrench in ((i, first, back), (j, second, w)):
            if k >= 0:
                load = station_load(robot, frames[k], q, k, station, wrench)
                out.append(CutLoad(k, station, load))
    return out


def _wrench(robot: Robot, q: Array, frames: list[Pose], loop: Loop, forces: Array) -> Array:
    """By virtual power: every multiplier times what its row gives for unit relative rates; of a
    tie what it puts along the axis of its second joint."""
    if loop.is_tie:
        link, frame = robot.links[loop.second[0]], frames[loop.second[0]]
        along = frame.R @ np.eye(3)[link.joint.axes[0] % 3] * forces[0]
        none = np.zeros(3)
        return np.concatenate([along, none] if link.joint.axes[0] < 3 else [none, along])
    a, b = (side_pose(robot, q, frames, *side) for side in (loop.first, loop.second))
    R, none, unit = a.R.T @ b.R, np.zeros(3), np.eye(3)
    n = [forces @ closed_rates(loop, R, e, none) for e in unit]
    f = [forces @ closed_rates(loop, R, none, e) for e in unit]
    return np.concatenate([a.R @ np.array(n), a.R @ np.array(f)])
