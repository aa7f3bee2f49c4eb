"""How far the modes of a robot ring in the course of a run.

At some instants the robot's modes are found, K v = w^2 M v with v^T M v = 1, its free joints and
springs among them. With eta_d = v^T M qd and eta_dd = v^T M qdd the amplitude of mode k is

    x = max |eta_d| / w,   y = max |eta_dd| / w^2,   A_k = min(x, y)^2 / max(x, y):

for vibration both are the amplitude; of bending that follows its load, a at v < w, A_k is
a (v/w)^3, which is next to nothing.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from .. import recursion
from ..engine import compile
from ..loops.closure import closure_jacobian
from ..recursion.gears import gear_matrix
from ..robot import Robot, remembered
from ..tracer.machine import quickly
from ..types import Floats
from .check import Check, at_least
from .result import Result

WINDOWS = 5  # of a run, each with modes of its own; fewer for long robots
SHARE = 1e-3  # of the largest elastic energy: a mode with more is excited
SHOWN = 4.0  # samples a period, from which on a vibration can be seen
CURVE = 20  # samples, from which on somebody means to see how it goes


@dataclass(frozen=True)
class Ringing:
    """Modes around one instant: sample, samples around it, frequencies [rad/s], shapes (nv, n)
    and amplitudes."""

    at: int
    span: slice
    rates: Floats
    shapes: Floats
    amplitudes: Floats


def pencil(K: Floats, M: Floats) -> tuple[Floats, Floats]:
    """w^2, rising, and V with K V = M V diag(w^2) and V^T M V = 1: with M = L L^T these are the
    eigenvalues of L^-1 K L^-T, and V = L^-T times its vectors. By NumPy: SciPy's linear algebra
    takes longer to import than most runs to make."""
    inverse = np.linalg.inv(np.linalg.cholesky(M))
    A = inverse @ K @ inverse.T
    squares, vectors = np.linalg.eigh(0.5 * (A + A.T))
    return squares, inverse.T @ vectors


def lowest(K: Floats, M: Floats) -> float:
    """The lowest eigenvalue of K v = lambda M v."""
    return float(pencil(K, M)[0][0])


class RingingModes:
    """Of a robot at its configurations, with some links' joints held; no rigid motion."""

    def __init__(self, robot: Robot, held: Collection[int]) -> None:
        still = {k for i in held for k in range(robot.links[i].u.start, robot.links[i].u.stop)}
        self.robot, self._K = robot, springs(robot)
        self._N = np.eye(robot.nv)[:, [k for k in range(robot.nv) if k not in still]]
        with quickly():  # asked a few times in a run
            self._mass = compile(robot, "mass_matrix")

    def __call__(self, q: Floats) -> tuple[Floats, Floats, Floats]:
        """Frequencies [rad/s], shapes (nv, n), and M."""
        robot, K, N = self.robot, self._K, self._N
        M = self._mass(np.ascontiguousarray(q))
        if robot.loops:
            from scipy.linalg import null_space

            N = N @ null_space(np.asarray(closure_jacobian(robot, q), dtype=float) @ N)
        squares, V = pencil(N.T @ K @ N, N.T @ M @ N)
        held_by = _held_by(K, N) if robot.loops or robot.gears else int(np.any(K @ N, axis=0).sum())
        first = len(squares) - held_by  # what comes before them is rigid motion
        return np.sqrt(np.maximum(squares[first:], 1e-300)), N @ V[:, first:], M


def _held_by(K: Floats, N: Floats) -> int:
    """How many of the directions N (columns) springs hold: the rank of K N."""
    some = np.diag(K) > 0.0
    if not some.any():
        return 0
    size = np.sqrt(np.diag(K)[some])
    values, V = np.linalg.eigh(K[np.ix_(some, some)] / np.outer(size, size))
    return int(np.linalg.matrix_rank((V[:, values > 1e-10] * size[:, None]).T @ N[some]))


@remembered
def springs(robot: Robot) -> Floats:
    """Stiffness (nv, nv) of shapes, of springs in joints and of elastic gears."""
    K = recursion.stiffness_matrix(robot) + gear_matrix(robot, lambda gear: gear.stiffness)
    for link in robot.links:
        for k in range(link.u.start, link.u.stop):
            K[k, k] += float(link.drive.stiffness)
    return K


def ringing(robot: Robot, held: Collection[int], run: Result, qdd: Floats) -> list[Ringing]:
    """The modes of a run in some windows of it."""
    windows = max(1, min(WINDOWS, 60 // len(robot.links)))
    edges = np.unique(np.linspace(0, len(run.time), windows + 1).astype(int))
    fixed = [k for i in held for k in range(robot.links[i].u.start, robot.links[i].u.stop)]
    modes, out = RingingModes(robot, held), []
    for a, b in pairwise(edges):
        at = int((a + b) // 2)
        rates, shapes, M = modes(run["q"][at])
        qd, change = run["qd"][a:b].copy(), qdd[a:b].copy()
        qd[:, fixed], change[:, fixed] = 0.0, 0.0
        speeds = [np.abs(x @ M @ shapes).max(axis=0, initial=0.0) for x in (qd, change)]
        x, y = speeds[0] / rates, speeds[1] / rates**2
        sizes = np.minimum(x, y) ** 2 / np.maximum(np.maximum(x, y), 1e-300)
        out.append(Ringing(at, slice(int(a), int(b)), rates, shapes, sizes))
    return out


def fastest(run: Result, rings: list[Ringing]) -> float:
    """The highest frequency [rad/s] of a mode that is excited; 0 if none is."""
    energy = float(np.abs(run["elastic"]).max(initial=0.0))
    found = [
        r.rates[0.5 * (r.rates * r.amplitudes) ** 2 > max(SHARE * energy, 1e-300)] for r in rings
    ]
    return float(np.concatenate([[0.0], *found]).max())


def samples(run: Result, fast: float) -> list[Check]:
    """Whether the samples show the fastest vibration; a few samples are not meant to."""
    if fast == 0.0 or len(run.time) < CURVE:
        return []
    per = 2 * np.pi / fast / float(run.time[1] - run.time[0])
    need = int(np.ceil(SHOWN / per * (len(run.time) - 1))) + 1
    return [
        at_least(
            "samples of vibration",
            per,
            SHOWN,
            "samples a period",
            f"mode at {fast:.3g} rad/s",
            f"the fastest mode that is excited ({fast:.3g} rad/s) has {per:.2g} samples a period: "
            f"what is seen between samples is not what happens, and they may show a slower "
            f"vibration that does not exist. Keep at least samples={need}",
        )
    ]
