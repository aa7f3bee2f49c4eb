"""How far each loop is open: a distance along the closed directions, and an angle.

The closure's turns vanish also where a cut is turned by half a turn (its sines are zero there);
the angle does not, so it tells the two apart.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..bodies import Station
from ..recursion.kinematics import Pose, poses
from ..recursion.path import paths
from ..recursion.space import space
from ..robot import Loop, Robot
from ..types import Floats
from .closure import closed_axes, side_pose, tie_gap


@dataclass(frozen=True)
class Gap:
    """What is left open of one loop: a distance [m] and an angle [rad]."""

    distance: float
    angle: float

    def __str__(self) -> str:
        distance, angle = (f"{x:.3g}" if x > 1e-9 else "0" for x in (self.distance, self.angle))
        return f"{distance} m and {angle} rad"


def gaps(robot: Robot, q: Floats) -> list[Gap]:
    """How far every loop is open at q."""
    here = space(robot)
    q = here.shapes(robot, q)
    frames = poses(robot, paths(robot, q, np.zeros(robot.nv)))

    def side(i: int, station: Station) -> Pose:
        return here.value(side_pose(robot, q, frames, i, station))

    def gap(loop: Loop) -> Gap:
        if not loop.is_tie:
            return _gap(loop, side(*loop.first), side(*loop.second))
        left = abs(float(here.value(tie_gap(robot, loop, q))[0]))
        turns = robot.links[loop.second[0]].joint.axes[0] < 3
        return Gap(0.0, left) if turns else Gap(left, 0.0)

    return [gap(loop) for loop in robot.loops]


def _gap(loop: Loop, a: Pose, b: Pose) -> Gap:
    turns, slides = closed_axes(loop)
    R, r = a.R.T @ b.R, a.R.T @ (b.p - a.p)
    distance = float(np.linalg.norm(r[list(slides)]))
    return Gap(distance, _angle(turns, np.asarray(R, dtype=float)))


def _angle(turns: tuple[int, ...], R: Floats) -> float:
    """Between axes that should be one, or square to each other; or of the whole turn."""
    if not turns:
        return 0.0
    if turns == (2,):  # universal: y of b is square to x of a
        return float(abs(np.arcsin(np.clip(R[0, 1], -1.0, 1.0))))
    if turns == (0, 1):  # z of b is z of a
        return float(np.arctan2(np.hypot(R[0, 2], R[1, 2]), R[2, 2]))
    axis = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    return float(np.arctan2(np.linalg.norm(axis), 0.5 * (np.trace(R) - 1.0)))
