"""What a run holds when it is asked for: accelerations, power, wrenches at joints and cuts.

acceleration   qdd                                                    (time, velocity)
power          tau qd of every generalised force                      (time, velocity)
wrench         [n; f] that each link's joint puts on it, about the link's origin, in world
               axes: drive and bearing together                       (time, link, component)
reaction       the same without what acts along the joint's own axes: what its bearing
               carries, `bearing` (time, link, component); of closed chains what each cut puts
               on its second side, at that side's point, `cut_wrench` (time, loop, component)
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..engine import traced
from ..errors import InputError, brief, unknown_name
from ..loops.wrenches import cut_wrenches, joint_wrenches
from ..recursion.kinematics import poses
from ..recursion.path import paths
from ..robot import Robot
from ..types import Array, Floats
from .result import Result
from .simulated_robot import SimulatedRobot
from .stick_slip import StickSlip, can_stick

KEPT = ("acceleration", "power", "wrench", "reaction")
COMPONENTS = ["nx", "ny", "nz", "fx", "fy", "fz"]


def asked_for(keep: object) -> tuple[str, ...]:
    """The names of what is to be kept, checked."""
    names = (keep,) if isinstance(keep, str) else keep
    if not isinstance(names, Iterable) or (isinstance(names, np.ndarray) and names.ndim == 0):
        raise InputError(f"keep is {brief(keep)}; it must be some of {', '.join(KEPT)}")
    out = tuple(names)
    for name in out:
        if not isinstance(name, str) or name not in KEPT:
            raise unknown_name("quantity to keep", name, KEPT)
    return out


def accelerations(drive: SimulatedRobot, run: Result) -> Floats:
    """qdd (times, nv) by the equations of motion, under the torques that the run kept."""
    if can_stick(drive):
        return StickSlip(drive).accelerations(run.time, run["q"], run["qd"])
    robot, driven, count = drive.robot, drive.driven, len(run.time)
    q, qd, known = run["q"].copy(), run["qd"].copy(), np.zeros((count, robot.nv))
    for k, t in enumerate(run.time if driven.names else ()):
        driven.put(float(t), q[k], qd[k], known[k])
    rates, places = driven.rates, [i for i, _ in driven.places]
    own, loads = np.zeros((count, drive.own)), drive.loads.rows(run.time)
    moved = (known[:, rates], q[:, places], qd[:, rates])
    u = np.concatenate([run["tau"], own, loads, *moved], axis=1)
    y = np.concatenate([q, qd, np.zeros((count, 2)), own], axis=1)
    rows = [drive.kernel(*row) for row in zip(y, u, strict=True)]
    return np.array(rows)[:, robot.nq : robot.nq + robot.nv]


def put_kept(drive: SimulatedRobot, run: Result, keep: tuple[str, ...], qdd: Floats) -> None:
    """Put into the run what was asked for."""
    made: dict[str, tuple[tuple[str, ...], Floats]] = {}
    names: dict[str, list[str]] = {}
    if "acceleration" in keep:
        made["acceleration"] = (("time", "velocity"), qdd)
    if "power" in keep:
        made["power"] = (("time", "velocity"), run["tau"] * run["qd"])
    if "wrench" in keep or "reaction" in keep:
        names["component"] = COMPONENTS
        found = _wrenches(drive, run, qdd)
        for name, which in (("wrench", "wrench"), ("bearing", "reaction")):
            if which in keep:
                made[name] = (("time", "link", "component"), found[name])
    if "reaction" in keep and drive.robot.loops:
        names["loop"] = [loop.name for loop in drive.robot.loops]
        made["cut_wrench"] = (("time", "loop", "component"), _at_cuts(drive.robot, run))
    run.put(made, names)


def _wrenches(drive: SimulatedRobot, run: Result, qdd: Floats) -> dict[str, Floats]:
    """Wrenches at joints, whole and without what acts along their axes."""
    robot, stations, n = drive.robot, drive.loads.stations, len(drive.robot.links)

    def found(q: Array, qd: Array, qdd: Array, wrenches: Array, cuts: Array) -> Array:
        external = {where: wrenches[6 * i : 6 * i + 6] for i, where in enumerate(stations)}
        whole = joint_wrenches(robot, q, qd, qdd, external, cuts)
        return np.array([whole, _bearings(robot, q, whole)])

    loads = np.array([drive.loads(float(t)) for t in run.time])
    cuts = run["multipliers"] if robot.loops else np.zeros((len(qdd), 0))
    sizes = (robot.nq, robot.nv, robot.nv, 6 * len(stations), cuts.shape[1])
    kernel = traced(found, sizes, ("joint wrenches", robot, list(stations)))
    rows = zip(run["q"], run["qd"], qdd, loads, cuts, strict=True)
    out = np.array([kernel(*(np.ascontiguousarray(x) for x in row)) for row in rows])
    return dict(zip(("wrench", "bearing"), out.reshape(-1, 2, n, 6).swapaxes(0, 1), strict=True))


def _bearings(robot: Robot, q: Array, whole: Array) -> Array:
    """Wrenches without their parts along the axes in which the joints move: (links, 6)."""
    out = []
    frames = poses(robot, paths(robot, q, np.zeros(robot.nv)))
    for link, frame, w in zip(robot.links, frames, whole, strict=True):
        six = [*(w[:3] @ frame.R), *(w[3:] @ frame.R)]  # in link axes, which are the joint's
        held = np.array([0.0 if k in link.joint.axes else x for k, x in enumerate(six)])
        out.append(np.concatenate([frame.R @ held[:3], frame.R @ held[3:]]))
    return np.array(out)


def _at_cuts(robot: Robot, run: Result) -> Floats:
    """Wrenches at the cuts: (time, loop, 6)."""
    kernel = traced(
        lambda q, forces: cut_wrenches(robot, q, forces),
        (robot.nq, run["multipliers"].shape[1]),
        ("cut wrenches", robot),
    )
    rows = zip(run["q"], run["multipliers"], strict=True)
    out = np.array([kernel(*(np.ascontiguousarray(x) for x in row)) for row in rows])
    return out.reshape(len(run.time), len(robot.loops), 6)
