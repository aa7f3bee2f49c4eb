"""Statics: shapes and joint torques that hold a robot still under gravity and end loads."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from .. import checks
from ..errors import InputError, SimulationError, brief, unknown_name
from ..robot import Robot
from ..types import Floats
from .equilibrium import Equilibrium, one_step, rest
from .loads import Loads, checked_loads, real_numbers
from .result import Statics, judged


def statics(
    robot: Robot,
    q_joints: ArrayLike | Mapping[str, float] | None = None,
    wrench: Loads = None,
    *,
    linear: bool = False,
) -> Statics:
    """The robot at rest with its joints at q_joints (all of their numbers in order, or some by
    name, the others at zero) under gravity and loads at stations.

    linear: shapes to first order only, and torques too, as [Piedboeuf] solves eq. (39).
    Links that bend beyond the range of their kinematics are warned of (`Statics.warnings`), and
    so is a load near buckling; where the result would mean nothing it is refused.
    """
    return judged(unjudged(robot, q_joints, wrench, checks.flag(linear, "linear")))


def unjudged(
    robot: Robot,
    q_joints: ArrayLike | Mapping[str, float] | None,
    wrench: Loads,
    linear: bool = False,
) -> Statics:
    """The same without a look at its range: for those who study just that."""
    checks.check_robot(robot, "statics")
    q = joint_places(robot, q_joints)
    equilibrium = Equilibrium(robot, checked_loads(robot, wrench))
    try:
        with np.errstate(all="ignore"):  # steps that go too far are halved
            return one_step(equilibrium, q) if linear else rest(equilibrium, q)
    except np.linalg.LinAlgError:
        raise SimulationError(
            f"the shapes of {robot.name} have no stiffness left under these loads: this is a "
            f"buckling load; change the loads a little"
        ) from None


def joint_places(
    robot: Robot, given: ArrayLike | Mapping[str, float] | None, name: str = "q_joints"
) -> Floats:
    """The configuration with these joints and no bending."""
    q = checks.check_robot(robot).home()
    places = [i for link in robot.links for i in range(link.q.start, link.q.stop)]
    names = [robot.coordinate_names[i] for i in places]
    if given is None:
        return q
    if isinstance(given, Mapping):
        for joint, value in given.items():
            q[places[_place(joint, names, robot)]] = _position(joint, value)
        return robot.normalized(checks.configuration(robot, q))
    numbers = real_numbers(given)
    if numbers is not None and numbers.shape == (robot.nq,) and len(places) != robot.nq:
        return robot.normalized(checks.configuration(robot, numbers))
    q[places] = checks.vector(given, name, len(places), tuple(names), robot)
    return robot.normalized(checks.configuration(robot, q))


def _place(joint: object, names: list[str], robot: Robot) -> int:
    if not isinstance(joint, str) or joint not in names:
        raise unknown_name("joint", str(joint), names, where=f"robot {robot.name}")
    return names.index(joint)


def _position(joint: str, value: object) -> float:
    number = real_numbers(value)
    if number is None or number.shape != () or not np.isfinite(number):
        raise InputError(f"joint {joint} is {brief(value)}; it must be a finite number")
    return float(number)


__all__ = ["Equilibrium", "Loads", "Statics", "joint_places", "rest", "statics", "unjudged"]
