"""Close the loops: find joint coordinates that bring the two sides of every cut together.

Levenberg's method on the closure r(q), lengths measured by the robot's own:

    (J^T J + mu^2 1) dq = -J^T r,      mu smaller after a step that helps, larger after another

from the guess first, then from other starts spread over all turns and slides. Shapes stay as
they are given, and so do joints that are held. A place in which a cut is turned by half a turn
has r = 0 but is not closed. Nothing is left to chance: the starts are always the same.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from .. import recursion
from ..errors import InputError
from ..robot import Link, Robot
from ..types import Floats
from .closure import closed_axes, closure_jacobian, closure_residual, loop_rows
from .gaps import Gap, gaps

CLOSED = 1e-10  # what may be left open, of the robot's size, and in rad
BEST = 1e-15  # where closing further is rounding
STEPS = 150
STARTS = 24  # tried after the guess
PATIENCE = 12  # steps in which the residual must shrink to nine tenths


class OpenLoopError(InputError):
    """Loops that do not close: the worst of them, and what would help."""

    def __init__(self, words: str, loop: int, help: str) -> None:
        super().__init__(f"{words}; {help}")
        self.words, self.loop, self.help = words, loop, help


@dataclass(frozen=True)
class Closed:
    """A configuration, and what is left open in it [of the robot's size, rad]."""

    q: Floats
    left: float

    @property
    def closed(self) -> bool:
        return self.left <= CLOSED


def home(robot: Robot) -> Floats:
    """The closed configuration nearest to the robot's guess: its motors stay where the guess
    puts them if the loops close so; if not, all joints give way."""
    guess = robot.guessed
    for held in (motor_links(robot), frozenset[int]()):
        found = descend(robot, guess, held)
        if found.closed:
            return found.q
    return close_loops(robot, guess)[0].q


def motor_links(robot: Robot) -> frozenset[int]:
    """Places of the links whose joint has a motor."""
    return frozenset(i for i, x in enumerate(robot.links) if x.joint_name in robot.actuated)


def close_loops(
    robot: Robot, guess: Floats, held: Collection[int] = (), starts: int = STARTS
) -> list[Closed]:
    """All ways found to close the loops, the nearest to the guess first; the joints of the links
    `held` stay. OpenLoopError where there is none."""
    rng = np.random.default_rng(0)
    found: list[Closed] = []
    best = Closed(guess, np.inf)
    for start in range(starts + 1):
        here = descend(robot, _elsewhere(robot, guess, held, rng) if start else guess, held)
        best = min(best, here, key=lambda x: x.left)
        here = Closed(_unwound(robot, here.q, guess), here.left)
        if here.closed and not any(same(robot, here.q, other.q) for other in found):
            found.append(here)
    if not found:
        raise _open(robot, descend(robot, best.q, held, STEPS).q, held, starts)
    return sorted(found, key=lambda x: float(np.linalg.norm(x.q - guess)))


def size(robot: Robot) -> float:
    """The longest of the robot's distances: between joints, to stations, to what it is cut at."""
    stations = [s for link in robot.links for s in (link.mount, *link.body.stations.values())]
    stations += [station for loop in robot.loops for _, station in (loop.first, loop.second)]
    return max((float(np.linalg.norm(s.r0 + s.rho)) for s in stations), default=0.0) or 1.0


def free_rates(robot: Robot, held: Collection[int]) -> list[int]:
    """Places in the velocity of the joints that may give way."""
    links = [link for i, link in enumerate(robot.links) if i not in held]
    return [k for link in links for k in range(link.u.start, link.u.stop)]


def row_scale(robot: Robot) -> Floats:
    """One over the robot's size for rows that are lengths, one for turns."""
    scale, at = [], loop_rows(robot)
    for loop, rows in zip(robot.loops, at, strict=True):
        slides = len(closed_axes(loop)[1])
        scale += [1.0] * (rows.stop - rows.start - slides) + [1.0 / size(robot)] * slides
    return np.array(scale)


def rate_scale(robot: Robot) -> Floats:
    """The robot's size for rates that are speeds, one for those that are turns: (nv,)."""
    out, long = np.ones(robot.nv), size(robot)
    for link in robot.links:
        out[link.u] = [1.0 if axis < 3 else long for axis in link.joint.axes]
    return out


def descend(robot: Robot, q: Floats, held: Collection[int], patience: int = PATIENCE) -> Closed:
    """Levenberg's method until the loops are closed or it gets no further."""
    free, rows, rates = free_rates(robot, held), row_scale(robot), rate_scale(robot)
    damping, history = 1e-2, []
    r = rows * np.asarray(closure_residual(robot, q), dtype=float)
    for _ in range(STEPS):
        error = float(np.linalg.norm(r))
        history.append(error)
        stuck = len(history) > patience and error > 0.9 * history[-1 - patience]
        if np.abs(r).max(initial=0.0) <= BEST or stuck or not free:
            break
        J = np.asarray(closure_jacobian(robot, q), dtype=float)
        J = (rows[:, None] * J * rates)[:, free]
        full = np.vstack([J, damping * np.eye(len(free))])  # not J^T J: it loses half the digits
        step = np.zeros(robot.nv)
        step[free] = np.linalg.lstsq(full, np.concatenate([-r, np.zeros(len(free))]), rcond=None)[0]
        new = moved(robot, q, rates * step)
        after = rows * np.asarray(closure_residual(robot, new), dtype=float)
        if np.linalg.norm(after) < error:
            q, r, damping = new, after, max(0.1 * damping, 1e-12)
        elif np.abs(step).max() < 1e-15:
            break
        else:
            damping = max(10.0 * damping, 1e-6)
    return Closed(q, left_open(robot, q))


def moved(robot: Robot, q: Floats, step: Floats) -> Floats:
    """The configuration a small step (nv,) further."""
    return robot.normalized(q + recursion.configuration_rate(robot, q, step))


def left_open(robot: Robot, q: Floats) -> float:
    """The largest gap, lengths of the robot's size."""
    long = size(robot)
    return max((max(g.distance / long, g.angle) for g in gaps(robot, q)), default=0.0)


def _elsewhere(
    robot: Robot, guess: Floats, held: Collection[int], rng: np.random.Generator
) -> Floats:
    """Another start: joints turned anywhere and slid by the robot's size, but those held."""
    q, long = guess.copy(), size(robot)
    for i, link in enumerate(robot.links):
        drawn = rng.normal(size=link.joint.nq)  # also of held joints: starts do not depend on them
        if i in held or not link.joint.nv:
            continue
        if link.joint.nq == link.joint.nv:
            turn = np.array([axis < 3 for axis in link.joint.axes])
            q[link.q] += drawn * np.where(turn, np.pi, long)
        else:
            q[link.q] = np.concatenate([drawn[:4], guess[link.q][4:] + long * drawn[4:]])
    return robot.normalized(q)


def angles(link: Link) -> list[int]:
    """Places in the configuration of the joint's coordinates that are angles."""
    plain = link.joint.nq == link.joint.nv
    return [link.q.start + k for k, axis in enumerate(link.joint.axes) if plain and axis < 3]


def _unwound(robot: Robot, q: Floats, guess: Floats) -> Floats:
    """The same place, angles and quaternions as near to the guess as can be."""
    q = q.copy()
    for link in robot.links:
        for k in angles(link):
            q[k] -= 2.0 * np.pi * np.round((q[k] - guess[k]) / (2.0 * np.pi))
        if link.joint.nq > link.joint.nv:
            turn = slice(link.q.start, link.q.start + 4)
            q[turn] *= -1.0 if q[turn] @ guess[turn] < 0.0 else 1.0
    return q


def same(robot: Robot, q: Floats, other: Floats) -> bool:
    """Whether two configurations are one, whole turns apart or not."""
    near = _unwound(robot, q, other) - other
    for link in robot.links:
        slides = [k for k in range(link.q.start, link.q.stop) if k not in angles(link)]
        near[slides] /= size(robot) if link.joint.nq == link.joint.nv else 1.0
    return bool(np.abs(near).max(initial=0.0) < 1e-5)


def _open(robot: Robot, q: Floats, held: Collection[int], starts: int) -> OpenLoopError:
    """Which loops stay open, and by how much."""
    left, long = gaps(robot, q), size(robot)
    bad = [k for k, g in enumerate(left) if max(g.distance / long, g.angle) > CLOSED]
    worst = max(bad, key=lambda k: max(left[k].distance / long, left[k].angle))
    each = ", ".join(f"{robot.loops[k].name} stays open by {left[k]}" for k in bad)
    kept = [robot.links[i].joint_name for i in sorted(held)]
    where = f" with {', '.join(kept)} held" if kept else ""
    words = (
        f"the loops of {robot.name} do not close{where}: {each}, at the best of {starts + 1} starts"
    )
    return OpenLoopError(words, worst, _help(left[worst], bool(kept)))


def _help(gap: Gap, held: bool) -> str:
    if gap.angle > CLOSED and gap.distance < gap.angle:
        return "look at the axes of the two stations (`rpy` turns them), at axis and second_axis"
    more = ", hold other joints" if held else ""
    return f"look at the lengths, or give a better guess{more}"
