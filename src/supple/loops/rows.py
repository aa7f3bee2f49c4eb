"""Which closed directions of a robot's loops are independent.

A planar loop in space, or a Bennett linkage, is closed in more directions than its joints can
open: some rows of the closure Jacobian follow from others wherever the loops are closed. Which
ones is found once for a robot, by numbers: the rank of J at a closed place and at closed places
near it, and the rows that a QR factorisation with pivoting takes first where J is best. The
dynamics then runs on these rows alone and decides nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np
from scipy.linalg import qr

from .. import recursion
from ..robot import Robot
from ..types import Floats
from .assembly import close_loops
from .closure import closed_axes, closure_jacobian, closure_residual, loop_rows

DEPENDENT = 1e-8  # of the largest: pivot below which a row follows from others
NEAR = (0.03, 0.1, 0.3)  # steps to closed places near the first [rad]
STEPS = 40
CLOSED = 1e-11
STIFF = 0.03  # how much shapes move beside joints where both could
FAR = 1e6  # a search that leads so far leads nowhere


@dataclass(frozen=True)
class Independent:
    """Rows that are kept, and how far from dependent they were where they were chosen."""

    rows: tuple[int, ...]
    pivot: float


_FOUND: WeakKeyDictionary[Robot, tuple[int, ...]] = WeakKeyDictionary()


def kept_rows(robot: Robot) -> tuple[int, ...]:
    """The independent rows of the closure, as `settled` marked them, or found here."""
    known = [loop.kept for loop in robot.loops]
    if all(kept is not None for kept in known):
        spans = zip(loop_rows(robot), known, strict=True)
        return tuple(rows.start + k for rows, kept in spans for k in kept or ())
    if robot not in _FOUND:
        _FOUND[robot] = independent_rows(robot)
    return _FOUND[robot]


def settled(robot: Robot, q: Floats | None = None) -> Robot:
    """The robot, its loops marked with their independent directions; q: a closed place.

    A robot of symbols cannot be looked at: it must be made of a settled one.
    """
    if not robot.loops or (q is None and all(loop.kept is not None for loop in robot.loops)):
        return robot
    rows = independent_rows(robot, q) if q is not None else kept_rows(robot)
    loops = []
    for loop, span in zip(robot.loops, loop_rows(robot), strict=True):
        own = tuple(k - span.start for k in rows if span.start <= k < span.stop)
        loops.append(replace(loop, kept=own))
    return replace(robot, loops=tuple(loops))


def independent_rows(robot: Robot, q: Floats | None = None) -> tuple[int, ...]:
    """Rows of the closure from which the others follow; q: a closed place, found if not given."""
    start = _closed_place(robot) if q is None else np.asarray(q, dtype=float)
    rng = np.random.default_rng(0)
    found = [_at(robot, start)]
    for size in NEAR:
        step = size * rng.normal(size=robot.nv)
        step[robot.mode_indices] *= STIFF
        with np.errstate(all="ignore"):  # a search may lead too far
            near = closed_near(robot, moved(robot, start, step))
        if near is not None:
            found.append(_at(robot, near))
    return max(found, key=lambda x: (len(x.rows), x.pivot)).rows


def moved(robot: Robot, q: Floats, step: Floats) -> Floats:
    """The configuration after a small step (nv,)."""
    return robot.normalized(q + recursion.configuration_rate(robot, q, step))


def closed_near(robot: Robot, q: Floats) -> Floats | None:
    """The nearest closed configuration by Gauss and Newton's method, shapes moved as little as
    can be; None where it finds none."""
    left, give = np.inf, np.ones(robot.nv)
    give[robot.mode_indices] = STIFF
    for _ in range(STEPS):
        r = np.asarray(closure_residual(robot, q), dtype=float)
        left = float(np.abs(r).max(initial=0.0))
        if left <= 1e-14 or not left < FAR:
            break
        J = np.asarray(closure_jacobian(robot, q), dtype=float)
        q = moved(robot, q, give * np.linalg.lstsq(J * give, -r, rcond=1e-9)[0])
    return q if left < CLOSED else None


def _closed_place(robot: Robot) -> Floats:
    near = closed_near(robot, robot.neutral())
    return close_loops(robot, robot.neutral())[0].q if near is None else near


def _at(robot: Robot, q: Floats) -> Independent:
    J = scaled(robot, np.asarray(closure_jacobian(robot, q), dtype=float))
    _, R, order = qr(J.T, mode="economic", pivoting=True)
    sizes = np.abs(np.diag(R))
    rank = int((sizes > DEPENDENT * max(1.0, float(sizes.max(initial=0.0)))).sum())
    return Independent(tuple(sorted(map(int, order[:rank]))), float(sizes[:rank].min(initial=1.0)))


def scaled(robot: Robot, J: Floats) -> Floats:
    """J without units: lengths are measured by the robot's size, shapes by what they do."""
    size = _size(robot)
    row, column = np.ones(len(J)), np.ones(robot.nv)
    for loop, span in zip(robot.loops, loop_rows(robot), strict=True):
        row[span.stop - len(closed_axes(loop)[1]) : span.stop] = 1.0 / size
    for link in robot.links:
        column[link.u] = [1.0 if axis < 3 else size for axis in link.joint.axes]
    out = row[:, None] * J * column
    shapes = robot.mode_indices
    out[:, shapes] /= np.maximum(np.linalg.norm(out[:, shapes], axis=0), 1.0)
    return np.asarray(out)


def _size(robot: Robot) -> float:
    """The largest distance within a link."""
    stations = [link.mount for link in robot.links]
    stations += [station for loop in robot.loops for _, station in (loop.first, loop.second)]
    return max((float(np.linalg.norm(at.r0 + at.rho)) for at in stations), default=0.0) or 1.0
