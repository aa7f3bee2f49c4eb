"""Natural frequencies: M x_dd + K x = 0, many robots at once where no quaternion and no loop
stands in the way."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np

from ...analyse import frequencies
from ...engine import compile
from ...engine.dependence import by_symbols
from ...errors import InputError
from ...robot import Robot
from ...simulation.start import closed_position, start_position
from ...types import Floats
from ...worker_process import Outcomes, Points
from .base import ExperimentInputs, PointByPoint, Trial, check_values, column
from .history import final_words


def _columns(task: ExperimentInputs, omega: Floats) -> dict[str, Floats]:
    """omega1, omega2, ..., and the formulas: of (points, frequencies)."""
    count = min(int(task.words["count"]), omega.shape[1])
    if not count:
        raise InputError("the robot has no frequency: nothing in it can swing while joints rest")
    own = {f"omega{k + 1}": omega[:, k] for k in range(count)}
    look_up = partial(column, own, where="frequencies")
    return {**own, **task.outcomes(look_up, np.zeros(1), len(omega))}


def _place(robot: Robot, q: Mapping[str, float]) -> Floats:
    """Where the joints named stand, the others at home or where the loops put them."""
    if not q:
        return robot.home()
    return closed_position(robot, q, {}) if robot.loops else start_position(robot, q)


class FrequencyBlocks(Trial):
    """M and K of a block by native code, then their eigenvalues."""

    few, many, one_by_one = 256, 4096, False

    def run(self, points: Points) -> Outcomes:
        robot, names = self.task.robot, tuple(points.names)
        check_values(robot, points)
        keep = robot.free_indices if self.task.words["locked"] else list(range(robot.nv))
        q = np.tile(_place(robot, self.task.words["q"]), (len(points), 1))
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
        words, robot = self.words_at(point), self.robot_at(point)
        at = _place(robot, words["q"]) if words["q"] else None
        omega = frequencies(robot, at, locked=words["locked"]).omega
        return {n: float(x[0]) for n, x in _columns(self.task, omega[None]).items()}


def make(task: ExperimentInputs) -> Trial:
    """Many at once where that can be."""
    robot = task.robot
    own = any(name.startswith("experiment.") for name in task.names)
    alone = bool(robot.loops) or robot.nq != robot.nv or own or not by_symbols(robot, task.names)
    return FrequenciesInTurn(task) if alone else FrequencyBlocks(task)
