"""Which closed directions of a robot's loops are independent.

A planar loop in space, or a Bennett linkage, is closed in more directions than its joints can
open: some rows of the closure Jacobian follow from others wherever the loops are closed. Which
ones is found once for a robot, by numbers: the rank of J at a closed place and at closed places
near it, and the rows that a QR factorisation with pivoting takes first where J is best. The
dynamics then runs on these rows alone and decides nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..robot import Robot, remembered
from ..types import Floats
from .closure import loop_rows
from .mobility import DEPENDENT, around, rank, scaled_jacobian


@dataclass(frozen=True)
class Independent:
    """Rows that are kept, and how far from dependent they were where they were chosen."""

    rows: tuple[int, ...]
    pivot: float


def kept_rows(robot: Robot) -> tuple[int, ...]:
    """The independent rows of the closure, as `settled` marked them, or found here."""
    known = [loop.kept for loop in robot.loops]
    if all(kept is not None for kept in known):
        spans = zip(loop_rows(robot), known, strict=True)
        return tuple(rows.start + k for rows, kept in spans for k in kept or ())
    return _found(robot)


def settled(robot: Robot, q: Floats | None = None) -> Robot:
    """The robot, its loops marked with their independent directions; q: a closed place.

    A robot of symbols cannot be looked at: it must be made of a settled one.
    """
    if not robot.loops or (q is None and all(loop.kept is not None for loop in robot.loops)):
        return robot
    rows = independent_rows(robot, q) if q is not None else kept_rows(robot)
    loops, hold = [], _joints_hold(robot, rows, q) if q is not None else joints_hold(robot)
    for loop, span in zip(robot.loops, loop_rows(robot), strict=True):
        own = tuple(k - span.start for k in rows if span.start <= k < span.stop)
        loops.append(replace(loop, kept=own, joints_hold=hold))
    return replace(robot, loops=tuple(loops))


def joints_hold(robot: Robot) -> bool:
    """Whether the joints alone can close all kept rows, as `settled` marked it, or found here;
    else some are held by shapes alone (a plane loop that bends out of its plane)."""
    if all(loop.kept is not None for loop in robot.loops):
        return all(loop.joints_hold for loop in robot.loops)
    return _hold(robot)


@remembered
def _hold(robot: Robot) -> bool:
    return _joints_hold(robot, kept_rows(robot), robot.home())


def _joints_hold(robot: Robot, rows: tuple[int, ...], q: Floats) -> bool:
    places, joints = [q, *around(robot, q)], robot.joint_indices
    ranks = [rank(scaled_jacobian(robot, x)[list(rows)], joints) for x in places]
    return max(ranks) == len(rows)


@remembered
def _found(robot: Robot) -> tuple[int, ...]:
    return independent_rows(robot)


def independent_rows(robot: Robot, q: Floats | None = None) -> tuple[int, ...]:
    """Rows of the closure from which the others follow; q: a closed place, home if not given."""
    start = robot.home() if q is None else np.asarray(q, dtype=float)
    found = [_at(robot, place) for place in (start, *around(robot, start))]
    return max(found, key=lambda x: (len(x.rows), x.pivot)).rows


def _at(robot: Robot, q: Floats) -> Independent:
    from scipy.linalg import qr  # slow to import

    _, R, order = qr(scaled_jacobian(robot, q).T, mode="economic", pivoting=True)
    sizes = np.abs(np.diag(R))
    rank = int((sizes > DEPENDENT * sizes.max(initial=1e-300)).sum())
    return Independent(tuple(sorted(map(int, order[:rank]))), float(sizes[:rank].min(initial=1.0)))
