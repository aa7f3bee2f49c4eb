"""Shafts that turn about their own axis: their whirl and critical speeds, seen from the ground.

The equations are those of the turning frame, M x_dd + (G + D) x_d + K x = 0. A force of fixed
direction that shakes a shaft k times a turn goes round in that frame k - 1 times a turn with the
rotation, and k + 1 times against it; unbalance (k = 1, forward) stands still there. At the speed W
the undamped shaft resonates with it where

    det(K - (j W)^2 M + i j W G) = 0,    j = k - 1 (forward whirl), j = -(k + 1) (backward whirl).

The matrix is Hermitian. Where the k-th of its eigenvalues changes its sign between two speeds,
there is a critical speed between them. Reference: [DenHartog], 6.6 (unbalance, j = 0).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .. import recursion
from ..robot import Robot
from ..screws import skew
from ..types import Floats
from .linear import LinearModel

NEAR = 1e-6  # of the shaft's length: what is as near to an axis lies on it


@dataclass(frozen=True)
class Shaft:
    """How shapes (n,) move a shaft: forms of their motion across its axis, and of that along and
    about it; `round` (skew): Re(v)^T round Im(v) > 0 where v exp(i w t) goes round the axis."""

    across: Floats
    along: Floats
    round: Floats

    def whirls(self, shape: np.ndarray) -> bool:
        """Whether a mode moves the shaft across its axis rather than along or about it."""
        across, along = ((shape.conj() @ A @ shape).real for A in (self.across, self.along))
        return bool(across > along)

    def whirl(self, omega: float, shape: np.ndarray, speed: float) -> float:
        """The frequency of a mode seen from the ground, negative where it goes round backwards."""
        return speed + omega * (-1.0 if shape.real @ self.round @ shape.imag < 0.0 else 1.0)

    def going(self, shapes: np.ndarray, order: float) -> Iterator[np.ndarray]:
        """Of the motions that shapes (columns) span, those across the axis that go round it in
        the sense of the order's sign; of order zero all."""
        senses, ways = np.linalg.eigh(-0.5j * shapes.conj().T @ self.round @ shapes)
        for sense, shape in zip(senses, (shapes @ ways).T, strict=True):
            if self.whirls(shape) and (order == 0.0 or sense * order > 0.0):
                yield shape


def shaft(robot: Robot, joint: str, q: Floats) -> Shaft | None:
    """The shaft, if all that gives way turns with the joint, and lies undeformed on its axis."""
    first = next(i for i, link in enumerate(robot.links) if link.joint_name == joint)
    turned, still = {first}, np.array(q)
    for i, link in enumerate(robot.links):
        still[link.d] = 0.0
        turned |= {i} if link.parent in turned else set()
    bends = [robot.links[i] for i in turned if robot.links[i].body.m]
    own = {k for i in turned for part in (robot.links[i].u, robot.links[i].e) for k in _range(part)}
    if not own.issuperset(robot.free_indices):
        return None
    root = f"{robot.links[first].name}.origin"
    axis = recursion.station_jacobian(robot, still, root)[:3, robot.links[first].u.start]
    P, origin = np.outer(axis, axis), recursion.station_pose(robot, still, root).p
    nodes = [f"{x.name}.{n}" for x in bends for n, s in x.body.stations.items() if not s.rho.any()]
    far = np.array([recursion.station_pose(robot, still, node).p - origin for node in nodes])
    long = float(np.abs(far).max(initial=0.0))
    if np.abs(far - far @ P).max(initial=0.0) > NEAR * long:
        return None
    forms = np.zeros((3, len(robot.free_indices), len(robot.free_indices)))
    for node in nodes:
        J = recursion.station_jacobian(robot, still, node)[:, robot.free_indices]
        for X in (long * J[:3], J[3:]):
            forms += [X.T @ (np.eye(3) - P) @ X, X.T @ P @ X, X.T @ skew(axis) @ X]
    return Shaft(*forms)


def _range(part: slice) -> range:
    return range(part.start, part.stop)


def turning_stiffness(model: LinearModel, frequency: float) -> tuple[Floats, np.ndarray]:
    """Eigenvalues, rising, and eigenvectors of D (K - w^2 M + i w G) D, D diagonal, such that what
    is stiff does not hide what is soft; the vectors with D."""
    n, M = len(model.inertia), model.inertia
    K, C = -M @ model.A[n:, :n], -M @ model.A[n:, n:]
    H = 0.5 * (K + K.T) - frequency**2 * M + 0.5j * frequency * (C - C.T)
    fast = frequency**2 + float(np.abs(model.qd).max(initial=0.0)) ** 2
    D = 1.0 / np.sqrt(np.abs(np.diag(K)) + (fast or 1.0) * np.diag(M))
    values, vectors = np.linalg.eigh(D[:, None] * H * D)
    return values, D[:, None] * vectors


__all__ = ["Shaft", "shaft", "turning_stiffness"]
