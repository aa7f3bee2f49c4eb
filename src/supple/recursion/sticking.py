"""Dry friction that truly sticks: which joints stand still, and which slide.

A joint that sticks stands still as long as |f| <= static is enough to hold it; one that slides has
f = -coulomb sign(rate). At rest friction and accelerations a = b + A f decide each other:

    a_i = 0 and |f_i| <= limit_i,      or      f_i = -limit_i sign(a_i),

which for a symmetric A is the least of 1/2 f'A f + b'f over the box |f_i| <= limit_i: one answer
for all joints at once. Limits are static; who breaks loose has coulomb from then on, which may
break loose others.

A run holds `held` by hybrid dynamics of `without_dry_friction(robot)`, with `sliding_friction`
among its forces, until a rate of `directions` comes to zero or a `holding` friction reaches its
limit (`margins`); there it asks `stick_or_slide` anew.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

import numpy as np

from ..robot import Robot
from ..types import Floats
from .forward import forward_dynamics
from .inverse import Wrenches

LOOSE = 1e-9  # of the largest acceleration: less is rounding
SPENT = 1.0 - 1e-9  # of its limit: where a joint breaks loose its friction is so near to it
Accelerate = Callable[[Floats], Floats]
"""Accelerations (nv,) under forces (nv,), without the dry friction of joints that stick."""


@dataclass(frozen=True)
class StickSlipState:
    """Links whose joints are held, the ways (nv,) in which others that can stick slide, -1, 0 or 1,
    the friction (nv,) that holds or brakes them, and all accelerations (nv,)."""

    held: frozenset[int]
    directions: Floats
    friction: Floats
    qdd: Floats


def sticking_links(robot: Robot) -> list[int]:
    """Places of the links whose joints can stick."""
    return [i for i, link in enumerate(robot.links) if link.drive.sticks]


def without_dry_friction(robot: Robot) -> Robot:
    """The robot without the smooth dry friction of the joints that can stick; without words, since
    its model says otherwise."""
    smooth = [
        replace(link, drive=replace(link.drive, coulomb=0.0)) if link.drive.sticks else link
        for link in robot.links
    ]
    return replace(robot, links=tuple(smooth), spec=None)


def sliding_friction(robot: Robot, directions: Floats) -> Floats:
    """Friction (nv,) of the joints that slide these ways."""
    out = np.zeros(robot.nv)
    for i in sticking_links(robot):
        place = robot.links[i].u.start
        out[place] = -robot.links[i].drive.coulomb * directions[place]
    return out


def stick_or_slide(
    robot: Robot,
    q: Floats,
    qd: Floats,
    tau: Floats,
    external: Wrenches | None = None,
    accelerate: Accelerate | None = None,
    loosened: Collection[int] = (),
) -> StickSlipState:
    """Which joints stick and which slide at a state: one whose rate is exactly zero may do either.
    One whose friction is just at its limit is held, unless a run has found that it breaks loose
    there: its rate is among `loosened`.

    `accelerate` is asked in place of the open tree's forward dynamics: closed chains, joints that
    follow a motion.
    """
    rough = without_dry_friction(robot)

    def open_tree(force: Floats) -> Floats:
        return np.asarray(forward_dynamics(rough, q, qd, force, external), dtype=float)

    ask = accelerate or open_tree
    links = sticking_links(robot)
    places = [robot.links[i].u.start for i in links]
    ways = np.zeros(robot.nv)
    ways[places] = np.sign(qd[places])
    still = [k for k in places if qd[k] == 0.0]
    force = tau + sliding_friction(robot, ways)
    friction, ways[still] = _at_rest(robot, still, force, ask, loosened)
    qdd = ask(force + friction)
    held = frozenset(i for i, k in zip(links, places, strict=True) if not ways[k])
    qdd[[robot.links[i].u.start for i in held]] = 0.0
    return StickSlipState(held, ways, friction + force - tau, qdd)


def _at_rest(
    robot: Robot, still: list[int], force: Floats, ask: Accelerate, loosened: Collection[int]
) -> tuple[Floats, Floats]:
    """Friction (nv,) of the joints at rest, and the ways in which these begin to slide; limits
    fall from static to coulomb as they do."""
    out, ways = np.zeros(robot.nv), np.zeros(len(still))
    if not still:
        return out, ways
    b = ask(force)
    A = np.array([ask(force + unit) - b for unit in np.eye(robot.nv)[still]])[:, still]
    A, b = 0.5 * (A + A.T), b[still]
    drives = {link.u.start: link.drive for link in robot.links if link.drive.sticks}
    limits = np.array([drives[k].static for k in still])
    broken = np.zeros(len(still), dtype=bool)
    gives = np.isin(still, list(loosened)) & (limits > 0.0)
    for _ in range(len(still) + 1):
        f = box_friction(A, b, limits)
        a = b + A @ f
        moves = np.abs(a) > LOOSE * max(float(np.abs(b).max()), 1e-300)
        spent = moves | (gives & (np.abs(f) >= SPENT * limits))
        if not (spent & ~broken).any():
            break
        broken |= spent
        limits = np.where(broken, [drives[k].coulomb for k in still], limits)
    out[still] = f
    return out, np.where(moves, np.sign(a), np.where(spent, -np.sign(f), 0.0))


def box_friction(A: Floats, b: Floats, limits: Floats) -> Floats:
    """The least of 1/2 f'A f + b'f with |f| <= limits, for a symmetric A without negative
    eigenvalues: |S f + S^-1 b|^2 with S = A^(1/2), by bounded least squares."""
    from scipy.optimize import lsq_linear

    out, some = np.zeros(len(b)), np.flatnonzero(limits > 0.0)
    if not len(some):
        return out
    scale = np.sqrt(np.maximum(np.diag(A)[some], 1e-300))  # as many units as joints
    w, V = np.linalg.eigh(A[np.ix_(some, some)] / np.outer(scale, scale))
    w = np.where(w > 1e-12 * max(w[-1], 1e-300), w, 0.0)
    root, back = np.sqrt(w), np.where(w > 0.0, 1.0 / np.sqrt(np.where(w > 0.0, w, 1.0)), 0.0)
    bound = limits[some] * scale
    found = lsq_linear(
        root[:, None] * V.T, -back * (V.T @ (b[some] / scale)), (-bound, bound), "bvls", tol=1e-14
    )
    out[some] = np.clip(found.x, -bound, bound) / scale
    return out


def margins(robot: Robot, held: frozenset[int], friction: Floats) -> Floats:
    """static - |f| of each held link, in order: where one falls below zero the joint breaks
    loose."""
    pairs = [(robot.links[i].drive.static, robot.links[i].u.start) for i in sorted(held)]
    return np.array([static - abs(friction[k]) for static, k in pairs])
