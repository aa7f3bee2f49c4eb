"""Natural frequencies of the robot at rest in a configuration: M x_dd + K x = 0."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .. import checks, recursion
from ..robot import Robot
from ..screws.dual import dual_part, seed
from ..types import Floats


@dataclass(frozen=True)
class Frequencies:
    """Angular frequencies omega [rad/s], rising, and the shapes (columns, in velocity order).

    A negative stiffness (an arm standing against gravity) gives a negative omega: minus the
    rate at which it falls.
    """

    omega: Floats
    shapes: Floats
    names: tuple[str, ...]

    @property
    def hertz(self) -> Floats:
        return self.omega / (2.0 * np.pi)


def tangent_stiffness(robot: Robot, q: Floats) -> Floats:
    """d(gravity + elastic forces)/dq along each velocity direction: (nv, nv)."""
    n = robot.nv
    if not np.any(robot.gravity):
        still = np.zeros(n)
        return _columns(robot, q, lambda x: recursion.elastic_force(robot, x) + still)
    return _columns(
        robot, q, lambda x: recursion.elastic_force(robot, x) + recursion.gravity_force(robot, x)
    )


def _columns(robot: Robot, q: Floats, force: object) -> Floats:
    assert callable(force)
    out = np.zeros((robot.nv, robot.nv))
    for k in range(robot.nv):
        unit = np.eye(robot.nv)[k]
        direction = recursion.configuration_rate(robot, q, unit)
        out[:, k] = dual_part(force(seed(q, direction)))
    return out


def frequencies(robot: Robot, q: ArrayLike | None = None, *, locked: bool = False) -> Frequencies:
    """Natural frequencies at q (default: neutral), joints free or locked.

    Rigid-body modes of free joints come first, as zeros.
    """
    from scipy.linalg import eigh

    checked = checks.configuration if locked else checks.movable
    at = checks.check_robot(robot).neutral() if q is None else checked(robot, q)
    keep = list(robot.mode_indices) if locked else list(range(robot.nv))
    if not keep:
        return Frequencies(np.zeros(0), np.zeros((robot.nv, 0)), robot.velocity_names)
    M = recursion.mass_matrix(robot, at)[np.ix_(keep, keep)]
    K = tangent_stiffness(robot, at)[np.ix_(keep, keep)]
    try:
        w2, V = eigh(0.5 * (K + K.T), M)
    except np.linalg.LinAlgError:
        raise checks.unsolvable(robot, "frequencies") from None
    noise = 1e-12 * max(float(np.abs(w2).max()), 1e-300)
    w2 = np.where(np.abs(w2) < noise, 0.0, w2)
    shapes = np.zeros((robot.nv, len(keep)))
    shapes[keep] = V
    return Frequencies(np.sign(w2) * np.sqrt(np.abs(w2)), shapes, robot.velocity_names)
