"""Shapes that lose their stiffness in the course of a run."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .. import recursion
from ..engine import traced
from ..robot import Robot
from ..types import Array, Floats
from .check import Check
from .experiment import Experiment, Motor
from .result import Result

LOOKS = 12  # instants at which the stiffness of the shapes is looked at


def softened(drive: Experiment, run: Result) -> list[Check]:
    """Shapes without stiffness: by rotation, by acceleration, or by loads they would buckle. What
    is left of it: 1 without loads, 0 where they buckle."""
    robot = drive.robot
    if not robot.modes or robot.loops:  # of closed chains it depends on how the loops hold them
        return []
    stiffness, own = _stiffness(drive), recursion.shape_stiffness(robot)
    left, when = np.inf, 0.0
    for k in np.linspace(0, len(run.time) - 1, min(LOOKS, len(run.time))).astype(int):
        law = np.nan_to_num(run["law_state"][k]) if drive.own else np.zeros(0)
        K = stiffness(float(run.time[k]), run["q"][k], run["qd"][k], law)
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


def _stiffness(drive: Experiment) -> Callable[[float, Floats, Floats, Floats], Floats]:
    """d(forces on the shapes)/d(shapes) of the robot as it moves, by central differences."""
    robot, stations, rate = drive.robot, drive.loads.stations, Motor(drive)
    modes = list(robot.mode_indices)
    places = [i for link in robot.links for i in range(link.d.start, link.d.stop)]

    def force(q: Array, qd: Array, qdd: Array, wrenches: Array) -> Array:
        external = {where: wrenches[6 * i : 6 * i + 6] for i, where in enumerate(stations)}
        return recursion.inverse_dynamics(robot, q, qd, qdd, external)[modes]

    sizes = (robot.nq, robot.nv, robot.nv, 6 * len(stations))
    kernel = traced(force, sizes, ("shape forces", robot, list(stations)))

    def stiffness(t: float, q: Floats, qd: Floats, own: Floats) -> Floats:
        qd = np.ascontiguousarray(qd)
        qdd = rate(t, np.concatenate([q, qd, [0.0, 0.0], own]))[robot.nq : robot.nq + robot.nv]
        qdd = np.ascontiguousarray(qdd)
        out = np.empty((len(modes), len(modes)))
        for k, place in enumerate(places):
            step = np.zeros(robot.nq)
            step[place] = 1e-4
            up, down = (kernel(q + s, qd, qdd, drive.loads(t)) for s in (step, -step))
            out[:, k] = (up - down) / 2e-4
        return out

    return stiffness


def _stiffer(robot: Robot) -> str:
    slow = "turn or accelerate it less, or make the link stiffer"
    if robot.kinematics.stiffens:
        return f"{slow[0].upper()}{slow[1:]}"
    return f"Use second_order kinematics, which has geometric stiffening; or {slow}"


def lowest(K: Floats, M: Floats) -> float:
    """The lowest eigenvalue of K v = lambda M v."""
    from scipy.linalg import eigh

    return float(eigh(K, M, eigvals_only=True)[0])
