"""Checks of a closed chain's state: its loops are closed and stay so, and it is not singular."""

from __future__ import annotations

import numpy as np

from ..errors import InputError
from ..recursion.forward import HeldLinks
from ..robot import Robot
from ..types import Floats
from .actuation import check_motors
from .assembly import rate_scale, row_scale
from .closure import closed_axes, closure, closure_jacobian, loop_rows
from .dynamics import held_places
from .mobility import scaled_jacobian
from .rows import kept_rows, settled

OPEN = 1e-4  # how far a loop may be open where it is computed with, of the robot's size
ASTRAY = 1e-3  # likewise of rates and accelerations, of the motion's size
SINGULAR = 1e-7  # smallest singular value of the closure Jacobian without units
JAMMED = 0.02  # over the largest, where a run that fails does so for being near a dead centre
FEW = 6  # coordinates that a message shows


def check_closed(robot: Robot, q: Floats, qd: Floats, qdd: Floats | None = None) -> None:
    """InputError where a loop is open at q, opens by qd, or by qdd (where that is given)."""
    at = closure(robot, q, qd, np.zeros(robot.nv) if qdd is None else qdd)
    unit = rate_scale(robot)
    speed = 1.0 + float(np.abs(qd / unit).max(initial=0.0))
    _refuse(robot, at.residual, OPEN, "is open by {} at this q; close the loops first")
    rate = np.asarray(closure_jacobian(robot, q), dtype=float) @ qd
    _refuse(robot, rate, ASTRAY * speed, f"opens at {{}} per second by this qd; {_CHOOSE}")
    if qdd is not None:
        size = speed * speed + float(np.abs(qdd / unit).max(initial=0.0))
        _refuse(
            robot, at.acceleration, ASTRAY * size, f"opens with {{}}/s^2 by this qdd; {_CHOOSE}"
        )


_CHOOSE = "choose independent coordinates, and let the loops give the others"


def _refuse(robot: Robot, left: Floats, most: float, words: str) -> None:
    scaled = np.abs(row_scale(robot) * left)
    sizes = [float(scaled[rows].max(initial=0.0)) for rows in loop_rows(robot)]
    worst = int(np.argmax(sizes))
    if not sizes[worst] <= most:
        size = f"{float(np.abs(left[loop_rows(robot)[worst]]).max()):.3g} (m or rad)"
        raise InputError(f"loop {robot.loops[worst].name} of {robot.name} {words.format(size)}")


def regular(robot: Robot, q: Floats) -> Robot:
    """The robot with rows that are independent at q. InputError where there are fewer of them
    than elsewhere: a singular configuration."""
    J = scaled_jacobian(robot, q)
    kept = list(kept_rows(robot))
    if not kept:
        return robot
    U, sizes, _ = np.linalg.svd(J[kept], full_matrices=False)
    if sizes[-1] > SINGULAR:
        return robot
    if np.linalg.svd(J, compute_uv=False)[len(kept) - 1] > SINGULAR:  # others of the rows are
        return settled(robot, q)
    raise InputError(singular_words(robot, U[:, -1], kept))


def singular_words(robot: Robot, lost: Floats, kept: list[int]) -> str:
    """That and where a robot is singular; `lost`: a share of each kept row."""
    return (
        f"{robot.name} is singular at this q: {lost_hold(robot, lost, kept)}, so forces there are "
        f"not determined; go round this configuration"
    )


def jammed(robot: Robot, q: Floats, held: HeldLinks) -> str:
    """Why joints that follow a given motion cannot go on at q: near a dead centre; else ''."""
    free = [k for k in range(robot.nv) if k not in held_places(robot, held)]
    kept = list(kept_rows(robot))
    U, sizes, _ = np.linalg.svd(scaled_jacobian(robot, q)[np.ix_(kept, free)], full_matrices=False)
    if not held or not kept or len(free) < len(kept) or sizes[-1] > JAMMED * sizes[0]:
        return ""
    names = ", ".join(robot.links[i].joint_name for i in sorted(held))
    loop, ways = _lost_ways(robot, U[:, -1], kept)
    return (
        f"with {names} prescribed {robot.name} is singular at {_place(robot, q)}: its other joints "
        f"cannot move the sides of loop {loop} against each other by {ways} in the axes of its "
        f"first side (a dead centre). Keep the law away from this place, or prescribe another joint"
    )


def _place(robot: Robot, q: Floats) -> str:
    """The joints' coordinates, the first few of many."""
    places = [k for link in robot.links for k in range(link.q.start, link.q.stop)]
    words = [f"{robot.coordinate_names[k]} = {q[k]:.4g}" for k in places[:FEW]]
    return ", ".join(words) + (", ..." if len(places) > FEW else "")


def lost_hold(robot: Robot, lost: Floats, kept: list[int]) -> str:
    """Which loop's hold is lost, and along what."""
    loop, ways = _lost_ways(robot, lost, kept)
    return f"loop {loop} no longer holds its sides against {ways} in the axes of its first side"


def _lost_ways(robot: Robot, lost: Floats, kept: list[int]) -> tuple[str, str]:
    """The loop that has most of the lost rows, and its directions in words."""
    whole = np.zeros(loop_rows(robot)[-1].stop)
    whole[kept] = lost
    spans = loop_rows(robot)
    worst = int(np.argmax([np.linalg.norm(whole[rows]) for rows in spans]))
    loop, part = robot.loops[worst], whole[spans[worst]]
    turns, slides = closed_axes(loop)
    axes = [f"turning about {'xyz'[k]}" for k in turns] + [
        f"sliding along {'xyz'[k]}" for k in slides
    ]
    axes += ["its tie"] if loop.is_tie else []
    ways = [f"{axes[k]} ({part[k]:+.2g})" for k in np.argsort(-np.abs(part)) if abs(part[k]) > 0.1]
    return loop.name, ", ".join(ways)


def closed_robot(robot: Robot, q: Floats, qd: Floats) -> Robot:
    """The robot with rows of its closure that are independent here, if its loops are closed."""
    if not robot.loops:
        return robot
    check_closed(robot, q, qd)
    return regular(robot, q)


def driven_robot(robot: Robot, q: Floats, qd: Floats, qdd: Floats) -> Robot:
    """The same, if it has motors for this motion, and may move so."""
    if not robot.loops:
        return robot
    check_motors(robot)
    check_closed(robot, q, qd, qdd)
    return regular(robot, q)
