"""Natural modes for the page: frequencies, and the direction in which each moves the robot."""

from __future__ import annotations

import numpy as np

from ...analyse.frequencies import frequencies
from ...errors import SuppleError
from ...recursion.kinematics import configuration_rate
from ...robot import Robot
from .numbers import Numbers

MOST_MODES = 12


def vibration(robot: Robot, numbers: Numbers) -> dict[str, object]:
    """The lowest modes at home, motors locked: frequency [Hz] and dq (nq,); or why there are none.

    Reference: `analyse.frequencies`; rates become coordinates by `configuration_rate`.
    """
    if not robot.modes and not robot.gears and not robot.loops:
        return {"modes": [], "why": "no link bends"}
    try:
        found = frequencies(robot, locked=True)
    except SuppleError as error:
        return {"modes": [], "why": str(error)}
    home, out = robot.home(), list[dict[str, object]]()
    for omega, shape in zip(found.omega, found.shapes.T, strict=True):
        if omega > 0.0 and len(out) < MOST_MODES:
            way = np.asarray(configuration_rate(robot, home, shape), dtype=float)
            largest = float(np.abs(way).max())
            out.append({"hertz": float(omega) / (2.0 * np.pi), "way": numbers.put(way / largest)})
    return {"modes": out, "why": "" if out else "nothing vibrates while the motors are locked"}
