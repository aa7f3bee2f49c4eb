"""Loads at stations, as a user gives them to statics and to what is read along links."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from .. import checks
from ..errors import InputError, brief
from ..robot import Robot
from ..types import Floats

Loads = Mapping[str, ArrayLike] | None
"""By station: a force [fx, fy, fz], or a wrench [nx, ny, nz, fx, fy, fz], in world axes."""


def checked_loads(robot: Robot, loads: Loads, name: str = "wrench") -> dict[str, Floats]:
    """Wrenches (6,) by station."""
    checks.check_robot(robot)
    given = checks.mapping(loads, name, "stations to loads", "{'arm.tip': [0, -20, 0]}")
    full = {}
    for where, value in given.items():
        load = checks.real_numbers(value)
        if load.shape not in ((3,), (6,)):
            raise InputError(
                f"load at {where}: give a force [fx, fy, fz] or a wrench [nx, ny, nz, fx, fy, fz], "
                f"got {brief(value)}"
            )
        full[where] = np.concatenate([np.zeros(6 - len(load)), load])
    return checks.wrenches(robot, full)
