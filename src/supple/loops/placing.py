"""A closed place with some coordinates given: followed from the robot's home."""

from __future__ import annotations

import numpy as np

from ..errors import InputError
from ..robot import Robot
from ..types import Floats
from .assembly import (
    AssemblyProblem,
    OpenLoopError,
    angles,
    close_loops,
    descend,
    motor_links,
    size,
    whole_turns,
)

MOST = 200  # steps on the way


def closed_at(robot: Robot, given: dict[int, float]) -> Floats:
    """The closed configuration in which these coordinates have these values: from the robot's
    home step by step, so that it stays the same way of closing. Other motors stay where they are
    if the loops close so; if not, all joints give way. InputError where there is none."""
    named = frozenset(
        i for i, x in enumerate(robot.links) if any(x.q.start <= k < x.q.stop for k in given)
    )
    for motors in (motor_links(robot), frozenset[int]()):
        q, closed = _followed(robot, given, named, motors)
        if closed:
            return q
    try:
        return close_loops(AssemblyProblem(robot, named), robot.normalized(q))[0].q
    except OpenLoopError as error:
        raise InputError(str(error)) from None


def _followed(
    robot: Robot, given: dict[int, float], named: frozenset[int], motors: frozenset[int]
) -> tuple[Floats, bool]:
    """Where the loops are followed to with these links' joints held, and whether they close there.
    With motors held the way ends where the loops first open."""
    problem = AssemblyProblem(robot, named | motors)
    q = robot.home()
    places, target = list(given), np.array(list(given.values()))
    first, turns = q[places], {k for link in robot.links for k in angles(link)}
    free = set(whole_turns(robot))
    whole = np.array(
        [
            2.0 * np.pi * np.round((b - a) / (2.0 * np.pi)) if k in free else 0.0
            for k, a, b in zip(places, first, target, strict=True)
        ]
    )
    target = target - whole  # whole turns change nothing
    unit = np.array([1.0 if k in turns else size(robot) for k in places])
    far = float((np.abs(target - first) / unit).max(initial=0.0))
    steps = min(max(1, int(np.ceil(far / 0.1))), MOST)
    for share in np.arange(1, steps + 1) / steps:
        guess = q.copy()
        guess[places] = first + share * (target - first)
        found = descend(problem, robot.normalized(guess))
        q = found.q if found.closed else guess
        if motors and not found.closed:
            break
    q[places] += whole
    return q, found.closed
