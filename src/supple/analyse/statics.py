"""Statics: shapes and joint torques that hold a robot still under gravity and end loads."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from .. import checks
from ..errors import InputError, SimulationError
from ..robot import Robot
from ..types import Floats
from .equilibrium import Equilibrium, closed_equilibrium, held_chain, one_step, open_equilibrium
from .places import Loads, checked_loads, closed_places, joint_places
from .result import Statics, judged


def statics(
    robot: Robot,
    q_joints: ArrayLike | Mapping[str, float] | None = None,
    wrench: Loads = None,
    *,
    linear: bool = False,
) -> Statics:
    """The robot at rest with its joints at q_joints (all of their numbers in order, or some by
    name, the others at zero, or where the loops put them) under gravity and loads at stations.

    Of a closed chain the motors (`robot.actuated`) are held; the other joints take the places in
    which forces balance and the loops close. The result has the `multipliers` of its cuts.

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
    """The same without checking the range of the kinematics: for studies of that range itself."""
    checks.check_robot(robot, "statics")
    loads = checked_loads(robot, wrench)
    try:
        with np.errstate(all="ignore"):  # steps that go too far are halved
            if robot.loops:
                return _closed(robot, q_joints, loads, linear)
            if linear and any(gear.backlash for gear in robot.gears):
                raise InputError(
                    f"linear statics knows no backlash, and {robot.name} has it; leave linear out"
                )
            equilibrium, q = Equilibrium(robot, loads), joint_places(robot, q_joints)
            return one_step(equilibrium, q) if linear else open_equilibrium(equilibrium, q)
    except np.linalg.LinAlgError:
        raise SimulationError(
            f"the shapes of {robot.name} have no stiffness left under these loads: this is a "
            f"buckling load; change the loads a little"
        ) from None


def _closed(
    robot: Robot,
    q_joints: ArrayLike | Mapping[str, float] | None,
    loads: dict[str, Floats],
    linear: bool,
) -> Statics:
    if linear:
        raise InputError(
            f"linear statics is of open chains, and {robot.name} has loops, whose closure is not "
            f"linear in the shapes; leave linear out"
        )
    q = closed_places(robot, q_joints)
    return closed_equilibrium(held_chain(robot, q, loads), q)


__all__ = [
    "Equilibrium",
    "Loads",
    "Statics",
    "joint_places",
    "open_equilibrium",
    "statics",
    "unjudged",
]
