"""Joints that bring a station of the unbent robot to a place: inverse kinematics for maps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ... import recursion
from ...loops.assembly import moved, rate_scale
from ...loops.force_balance import HeldChain, null_space
from ...robot import Robot
from ...types import Floats
from ..targets import misses, size

NEAR = 1e-9  # of the robot's size
STEPS = 60


def unbent_search(
    robot: Robot, station: str, target: Floats, firsts: Sequence[Floats]
) -> Floats | None:
    """The configuration near the first of these starts that leads there, or None; NaN in the
    target is free. Shapes stay at zero, loops closed."""
    far = size(robot) or 1.0
    for q in firsts:
        found = _newton(robot, station, target, q, far)
        if found is not None:
            return found
    return None


def _newton(robot: Robot, station: str, target: Floats, q: Floats, far: float) -> Floats | None:
    """Steps of the joints, damped where the Jacobian is nearly singular; halved until nearer."""
    wanted, scale = [(station, target)], rate_scale(robot)
    gap, J = misses(robot, q, wanted)
    for _ in range(STEPS):
        miss = float(np.linalg.norm(gap))
        if miss < NEAR * far:
            return q
        N = _ways(robot, q)
        A = (J @ N) / far
        damp = 1e-3 * min(1.0, miss / far)
        rows = np.vstack([A, damp * np.eye(A.shape[1])])
        right = np.concatenate([-gap / far, np.zeros(A.shape[1])])
        move = N @ np.linalg.lstsq(rows, right, rcond=1e-12)[0]
        move *= min(1.0, 0.5 / max(float(np.abs(move / scale).max()), 1e-300))
        for _ in range(12):
            new = _moved(robot, q, move)
            after = None if new is None else misses(robot, new, wanted)
            if after is not None and np.linalg.norm(after[0]) < (1.0 - 1e-4) * miss:
                break
            move = 0.5 * move
        else:
            return None
        assert new is not None
        q, (gap, J) = new, after
    return None


def _ways(robot: Robot, q: Floats) -> Floats:
    """Directions of the joints (nv, n), of closed chains those that the loops leave free."""
    joints = np.eye(robot.nv)[:, robot.joint_indices]
    if not robot.loops:
        return np.asarray(joints)
    at = HeldChain(robot)
    J = np.asarray(at.jacobian(q), dtype=float)
    scale = rate_scale(robot)[:, None]
    return np.asarray(scale * joints @ null_space(J @ (scale * joints)))


def _moved(robot: Robot, q: Floats, move: Floats) -> Floats | None:
    if not robot.loops:
        return robot.normalized(q + recursion.configuration_rate(robot, q, move))
    new = HeldChain(robot).closed(moved(robot, q, move))
    return new if new is None else _unbent(robot, new)


def _unbent(robot: Robot, q: Floats) -> Floats | None:
    """q, unless closing the loops bent a link."""
    bent = max((float(np.abs(q[x.d]).max(initial=0.0)) for x in robot.links), default=0.0)
    return q if bent < 1e-9 else None


__all__ = ["unbent_search"]
