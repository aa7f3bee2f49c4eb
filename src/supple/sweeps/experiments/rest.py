"""The robot at rest: places of stations, torques, shapes and what is left of the stiffness; maps of
the workspace, whose outcomes are of all places, e.g. `max(sag)`; and natural frequencies,

    M x_dd + K x = 0,

of many robots at once where no quaternion and no loop stands in the way.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np

from ...analyse import frequencies, statics, workspace_map
from ...analyse.result import Statics
from ...analyse.workspace.map import WorkspaceMap
from ...engine import compile
from ...engine.dependence import by_symbols
from ...errors import InputError, unknown_name
from ...recursion import station_pose
from ...robot import Robot
from ...simulation.start import closed_position, start_position
from ...types import Floats
from ...worker_process import Outcomes, Points
from .base import (
    AXES,
    ExperimentInputs,
    PointByPoint,
    Trial,
    column,
    final_words,
    station_names,
    words_with,
)

VARIABLES = ("sag", "softest", "stiffest", "along", "stiffness_left")


class StaticsTrial(PointByPoint):
    """`torque.JOINT`, coordinates, `STATION.x`, `stiffness_left`, and `unbent.STATION.x`: where the
    station would be if nothing bent."""

    def one(self, point: dict[str, float]) -> dict[str, float]:
        words, robot = words_with(self.task.words, point), self.robot_at(point)
        found = statics(robot, words["q"] or None, dict(words["load"]) or None)
        return self.task.of_one(lambda name: _of_rest(found, name))


def _of_rest(found: Statics, name: str) -> Floats:
    """A variable of one rest: (1,), of a place (1, 1, 3), as at one instant."""
    robot, q = found.robot, found.q
    if name == "stiffness_left":
        return np.array([found.stiffness_left])
    if name in robot.coordinate_names:
        return q[[robot.coordinate_names.index(name)]]
    if name.startswith("torque.") and name.removeprefix("torque.") in found.torques:
        return np.array([found.torques[name.removeprefix("torque.")]])
    if name.startswith("unbent."):
        name, q = name.removeprefix("unbent."), q.copy()
        for link in robot.links:
            q[link.d] = 0.0
    station, _, axis = name.rpartition(".")
    if axis in AXES and station in station_names(robot):
        return _place(robot, q, station)[[AXES.index(axis)]]
    if name in station_names(robot):
        return _place(robot, q, name)[None, None]
    torques = [f"torque.{joint}" for joint in found.torques]
    known = (*robot.coordinate_names, *torques, *station_names(robot), "stiffness_left")
    raise unknown_name("variable", name, known, where=f"statics of {robot.name}")


def _place(robot: Robot, q: Floats, station: str) -> Floats:
    """Where a station is: (3,)."""
    return np.asarray(station_pose(robot, q, station).p, dtype=float)


class MapTrial(PointByPoint):
    """`sag`, `softest`, `stiffest`, `along`, `stiffness_left` over the places reached; `reached`
    and `blank` count them."""

    def one(self, point: dict[str, float]) -> dict[str, float]:
        words, robot = words_with(self.task.words, point), self.robot_at(point)
        found = workspace_map(robot, words["station"], words["axes"], dict(words["load"]) or None)
        return self.task.of_one(lambda name: _of_map(found, name))


def _of_map(found: WorkspaceMap, name: str) -> Floats:
    if name in ("reached", "blank"):
        return np.array([float(getattr(found, name))])
    if name not in VARIABLES or name not in found.data:
        known = [n for n in VARIABLES if n in found.data]
        raise unknown_name("variable", name, [*known, "reached", "blank"], where="a map")
    values = np.asarray(found.data[name].values, dtype=float).ravel()
    return np.asarray(values[np.isfinite(values)][None])


def _columns(task: ExperimentInputs, omega: Floats) -> dict[str, Floats]:
    """omega1, omega2, ..., and the formulas: of (points, frequencies)."""
    count = min(int(task.words["count"]), omega.shape[1])
    if not count:
        raise InputError("the robot has no frequency: nothing in it can swing while joints rest")
    own = {f"omega{k + 1}": omega[:, k] for k in range(count)}
    look_up = partial(column, own, where="frequencies")
    return {**own, **task.outcomes(look_up, np.zeros(1), len(omega))}


def _position(robot: Robot, q: Mapping[str, float]) -> Floats:
    """Where the joints named stand, the others at home or where the loops put them."""
    if not q:
        return robot.home()
    return closed_position(robot, q, {}) if robot.loops else start_position(robot, q)


class FrequencyBlocks(Trial):
    """M and K of a block by native code, then their eigenvalues."""

    few, many, one_by_one = 256, 4096, False

    def run(self, points: Points) -> Outcomes:
        robot, names = self.task.robot, tuple(points.names)
        for name, numbers in zip(names, points.values.T, strict=True):
            # a model refuses some, e.g. a stiffness below 0; compiled code would take them
            for x in {float(numbers.min()), float(numbers.max())}:
                robot.with_parameters({name: x})
        keep = robot.free_indices if self.task.words["locked"] else list(range(robot.nv))
        q = np.tile(_position(robot, self.task.words["q"]), (len(points), 1))
        given = (q, points.values) if names else (q,)
        M = compile(robot, "mass_matrix", parameters=names).batch(*given)
        K = compile(robot, "elastic_force", parameters=names).jacobian("q").batch(*given)
        if np.any(robot.gravity) or any(n.startswith("gravity.") for n in names):
            K = K + compile(robot, "gravity_force", parameters=names).jacobian("q").batch(*given)
        pick = np.ix_(range(len(points)), keep, keep)
        omega, trouble = _eigenvalues(M[pick], K[pick])
        return final_words(_columns(self.task, omega), trouble)


def _eigenvalues(M: Floats, K: Floats) -> tuple[Floats, list[str]]:
    """sign(x) sqrt|x| of the eigenvalues x of M^-1 K, rising: (points, n)."""
    trouble, n = [""] * len(M), M.shape[-1]
    sound = np.isfinite(M).all(axis=(1, 2)) & np.isfinite(K).all(axis=(1, 2))
    least = np.full(len(M), -1.0)
    least[sound] = np.linalg.eigvalsh(M[sound])[:, 0] if n else 1.0
    good = least > 0.0
    for k in np.flatnonzero(~good):
        trouble[k] = "the mass matrix is not positive definite"
    w2 = np.full((len(M), n), np.nan)
    if good.any() and n:
        C = np.linalg.cholesky(M[good])
        half = np.linalg.solve(C, 0.5 * (K[good] + np.swapaxes(K[good], 1, 2)))
        A = np.linalg.solve(C, np.swapaxes(half, 1, 2))
        w2[good] = np.linalg.eigvalsh(0.5 * (A + np.swapaxes(A, 1, 2)))
    noise = 1e-12 * np.abs(w2).max(axis=1, keepdims=True, initial=1e-300)
    w2 = np.where(np.abs(w2) < noise, 0.0, w2)
    return np.sign(w2) * np.sqrt(np.abs(w2)), trouble


class FrequenciesInTurn(PointByPoint):
    """Closed chains, and joints with quaternions."""

    def one(self, point: dict[str, float]) -> dict[str, float]:
        words, robot = words_with(self.task.words, point), self.robot_at(point)
        at = _position(robot, words["q"]) if words["q"] else None
        omega = frequencies(robot, at, locked=words["locked"]).omega
        return {n: float(x[0]) for n, x in _columns(self.task, omega[None]).items()}


def frequencies_trial(task: ExperimentInputs) -> Trial:
    """Many at once where that can be."""
    robot = task.robot
    own = any(name.startswith("experiment.") for name in task.names)
    alone = bool(robot.loops) or robot.nq != robot.nv or own or not by_symbols(robot, task.names)
    return FrequenciesInTurn(task) if alone else FrequencyBlocks(task)
