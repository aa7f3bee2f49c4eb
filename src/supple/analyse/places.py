"""Where joints are and what loads act, as a user says it: joints by all of their numbers, or some
by name; loads by station."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from .. import checks
from ..errors import InputError, brief, unknown_name
from ..loops.assembly import AssemblyProblem, descend, motor_links
from ..loops.closed_checks import check_closed
from ..robot import Robot
from ..types import Floats


def joint_places(
    robot: Robot, given: ArrayLike | Mapping[str, float] | None, name: str = "q_joints"
) -> Floats:
    """The configuration with these joints and no bending; elastic gears are not wound up where
    either the joint or its motor is named."""
    checks.check_robot(robot)
    if given is None:
        return robot.home()
    joints = tuple(robot.coordinate_names[i] for i in checks.joint_places(robot))
    if isinstance(given, Mapping):
        for joint in given:
            if joint not in joints:
                raise unknown_name("joint", str(joint), joints, where=f"robot {robot.name}")
        return checks.by_name(robot, given, name)
    if checks.shape(given) != (robot.nq,):
        checks.vector(given, name, len(joints), joints, robot)  # says what is wrong
    return robot.normalized(checks.configuration(robot, given, name))


def closed_places(
    robot: Robot, given: ArrayLike | Mapping[str, float] | None, name: str = "q_joints"
) -> Floats:
    """A closed configuration: some joints by name and the rest as the loops put it, or all of
    them, which must be closed."""
    q = joint_places(robot, given, name)
    if isinstance(given, Mapping):
        return checks.configuration(robot, given, name)
    return q if given is None else closed_again(robot, q)


def closed_again(robot: Robot, q: Floats) -> Floats:
    """q, which must be closed, to all digits: motors stay where they are if the loops let them."""
    check_closed(robot, q, np.zeros(robot.nv))
    for held in (motor_links(robot), frozenset[int]()):
        found = descend(AssemblyProblem(robot, held), q)
        if found.closed:
            break
    return found.q


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
