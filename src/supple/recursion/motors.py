"""What motors give of the torques that are asked of them."""

from __future__ import annotations

import numpy as np

from ..robot import Robot
from ..types import Array
from .sweep import gather


def motor_torque(robot: Robot, qd: Array, tau: Array) -> Array:
    """tau (nv,) within the limits of the motors at the rates qd: see `Drive.given`."""
    if not any(link.drive.torque_limit for link in robot.links):
        return np.array(tau)

    def step(i: int) -> tuple[Array, Array]:
        link = robot.links[i]
        pairs = zip(tau[link.u], qd[link.u], strict=True)
        return np.array([link.drive.given(x, u) for x, u in pairs]), tau[link.e]

    return gather(robot.parents, step)
