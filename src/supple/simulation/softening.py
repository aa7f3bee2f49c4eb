"""Shapes that lose their stiffness in the course of a run."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .. import recursion
from ..engine import traced
from ..robot import Robot
from ..tracer.machine import quickly
from ..types import Array, Floats
from .check import Check
from .pencil import lowest
from .result import Result
from .simulated_robot import SimulatedRobot

LOOKS = 12  # instants at which the stiffness of the shapes is looked at


def softened(drive: SimulatedRobot, run: Result, qdd: Floats) -> list[Check]:
    """Shapes without stiffness: by rotation, by acceleration, or by loads they would buckle. What
    is left of it: 1 without loads, 0 where they buckle."""
    robot = drive.robot
    if not robot.modes or robot.loops:  # of closed chains it depends on how the loops hold them
        return []
    stiffness, own = _stiffness(drive), recursion.shape_stiffness(robot)
    left, when = np.inf, 0.0
    for k in np.linspace(0, len(run.time) - 1, min(LOOKS, len(run.time))).astype(int):
        K = stiffness(float(run.time[k]), run["q"][k], run["qd"][k], qdd[k])
        found = lowest(0.5 * (K + K.T), own)
        if found < left:
            left, when = found, float(run.time[k])
        if left <= 0.0:
            break
    words = (
        f"the shapes of {robot.name} have no stiffness left at t = {when:.4g} s (rotation, "
        f"acceleration or loads take it): deflections grow without bound there. {_stiffer(robot)}"
    )
    ok = left > 0.0
    where = f"at t = {when:.4g} s"
    return [
        Check("stiffness left", left, 0.0, "of the shapes', more than", ok, where if ok else words)
    ]


def _stiffness(drive: SimulatedRobot) -> Callable[[float, Floats, Floats, Floats], Floats]:
    """d(forces on the shapes)/d(shapes) of the robot as it moves, by central differences."""
    robot, stations = drive.robot, drive.loads.stations
    modes = list(robot.mode_indices)
    places = [i for link in robot.links for i in range(link.d.start, link.d.stop)]

    def force(q: Array, qd: Array, qdd: Array, wrenches: Array) -> Array:
        external = {where: wrenches[6 * i : 6 * i + 6] for i, where in enumerate(stations)}
        return recursion.inverse_dynamics(robot, q, qd, qdd, external)[modes]

    sizes = (robot.nq, robot.nv, robot.nv, 6 * len(stations))
    with quickly():  # asked a few times in a run
        kernel = traced(force, sizes, ("shape forces", robot, list(stations)))
    step = 1e-4 * np.eye(robot.nq)[places]

    def stiffness(t: float, q: Floats, qd: Floats, qdd: Floats) -> Floats:
        given = (np.ascontiguousarray(qd), np.ascontiguousarray(qdd), drive.loads(t))
        up, down = (np.array([kernel(row, *given) for row in q + s]) for s in (step, -step))
        return np.asarray((up - down).T / 2e-4)

    return stiffness


def _stiffer(robot: Robot) -> str:
    slow = "turn or accelerate it less, or make the link stiffer"
    if robot.kinematics.stiffens:
        return f"{slow[0].upper()}{slow[1:]}"
    return f"Use second_order kinematics, which has geometric stiffening; or {slow}"
