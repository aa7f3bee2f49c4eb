"""Where joints are, as a user says it: all of their numbers, or some by name."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from .. import checks
from ..checks import real_numbers
from ..errors import unknown_name
from ..loops.assembly import AssemblyProblem, descend, motor_links
from ..loops.closed_checks import check_closed
from ..loops.placing import closed_at
from ..robot import Robot
from ..types import Floats


def joint_places(
    robot: Robot, given: ArrayLike | Mapping[str, float] | None, name: str = "q_joints"
) -> Floats:
    """The configuration with these joints and no bending; elastic gears are not wound up where
    either the joint or its motor is named."""
    checks.check_robot(robot)
    places = [i for link in robot.links for i in range(link.q.start, link.q.stop)]
    names = [robot.coordinate_names[i] for i in places]
    if given is None:
        return robot.home()
    if isinstance(given, Mapping):
        q = robot.home()
        for joint, value in given.items():
            q[places[_place(joint, names, robot)]] = checks.finite_number(value, f"joint {joint}")
        q = robot.unwound(q, _told(robot, given))
        return robot.normalized(checks.configuration(robot, q))
    numbers = real_numbers(given)
    if numbers.shape == (robot.nq,) and len(places) != robot.nq:
        return robot.normalized(checks.configuration(robot, numbers))
    q = robot.home()
    q[places] = checks.vector(given, name, len(places), tuple(names), robot)
    return robot.normalized(checks.configuration(robot, q))


def closed_places(
    robot: Robot, given: ArrayLike | Mapping[str, float] | None, name: str = "q_joints"
) -> Floats:
    """A closed configuration: some joints by name and the rest as the loops put it, or all of
    them, which must be closed."""
    q = joint_places(robot, given, name)
    if given is None or isinstance(given, Mapping):
        told = _told(robot, given or {})
        pairs = [(robot.links[g.motor].q.start, robot.links[g.link].q.start) for g in robot.gears]
        driven = {joint for motor, joint in pairs if motor in told}
        found = closed_at(robot, {k: float(q[k]) for k in sorted(told | driven)})
        return robot.unwound(found, told | {joint for _, joint in pairs})
    return closed_again(robot, q)


def _told(robot: Robot, given: Mapping[str, float]) -> set[int]:
    """Places in q of the coordinates that are given by name."""
    return {k for k, n in enumerate(robot.coordinate_names) if n in given}


def closed_again(robot: Robot, q: Floats) -> Floats:
    """q, which must be closed, to all digits: motors stay where they are if the loops let them."""
    check_closed(robot, q, np.zeros(robot.nv))
    for held in (motor_links(robot), frozenset[int]()):
        found = descend(AssemblyProblem(robot, held), q)
        if found.closed:
            break
    return found.q


def _place(joint: object, names: list[str], robot: Robot) -> int:
    if not isinstance(joint, str) or joint not in names:
        raise unknown_name("joint", str(joint), names, where=f"robot {robot.name}")
    return names.index(joint)
