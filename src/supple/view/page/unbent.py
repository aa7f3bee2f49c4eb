"""The robot that does not bend, beside the one that does: the page's ghost.

Of an open robot it has the same joint coordinates and no shapes: the page needs nothing for it.
A closed chain without its shapes is no longer closed; there the motors stay where they are and
the other joints close the loops again, from the frame before.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...engine import traced
from ...errors import InputError
from ...loops.assembly import AssemblyProblem, closure_at, descend, motor_links
from ...robot import Robot
from ...types import Array, Floats
from ..stick_figures import magnified

MOST = 1000  # frames for which the loops are closed; between them joints are interpolated


def unbent_way(robot: Robot, q: Floats) -> Floats | None:
    """Configurations (frames, nq) without shapes; None where setting them to zero is enough, or
    where the loops do not close without them."""
    if not robot.loops or not robot.modes:
        return None
    pick = np.unique(np.round(np.linspace(0, len(q) - 1, MOST)).astype(int))
    given, out = AssemblyProblem(robot, motor_links(robot), _closure(robot)), []
    last = magnified(robot, q[pick[0]], 0.0)
    for k in pick:
        start = last.copy()
        for i in given.held:
            start[robot.links[i].q] = q[k][robot.links[i].q]
        found = descend(given, start)
        if not found.closed:
            return None
        last = found.q
        out.append(last)
    known = np.array(out)
    at = np.arange(len(q))
    columns = [np.interp(at, pick, known[:, j]) for j in range(robot.nq)]
    return np.array([robot.normalized(row) for row in np.array(columns).T])


def magnified_way(robot: Robot, q: Floats, factor: float) -> Floats:
    """Configurations (frames, nq) in which the robot bends `factor` times as far: what unbends it
    plus `factor` times the rest."""
    if factor == 1.0 or not robot.modes:
        return q
    still = unbent_way(robot, q)
    if still is None and robot.loops:
        raise InputError(
            f"the loops of {robot.name} do not close without its shapes, so that its bending "
            f"cannot be magnified; leave magnify at 1"
        )
    still = np.array([magnified(robot, row, 0.0) for row in q]) if still is None else still
    return np.array([robot.normalized(row) for row in still + factor * (q - still)])


def _closure(robot: Robot) -> Callable[[Floats], Floats]:
    def closure(q: Array) -> Array:
        return closure_at(robot, q)

    return traced(closure, (robot.nq,), ("closure of the page", robot))
