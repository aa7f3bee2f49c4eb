"""Close the loops: find joint coordinates that bring the two sides of every cut together.

Levenberg's method on the closure r(q), lengths measured by the robot's own:

    (J^T J + mu^2 1) dq = -J^T r,      mu smaller after a step that helps, larger after another

from the guess first, then from other starts spread over all turns and slides. Shapes stay as
they are given, and so do joints that are held. A place in which a cut is turned by half a turn
has r = 0 but is not closed. Nothing is left to chance: the starts are always the same.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

import numpy as np

from .. import recursion
from ..errors import InputError
from ..lazy import cached_property
from ..robot import Link, Robot, remembered
from ..types import Array, Floats
from .closure import closed_axes, loop_rows, residual_and_jacobian
from .gaps import Gap, gaps

CLOSED = 1e-10  # what may be left open, of the robot's size, and in rad
NEARLY = 1e-3  # a gap as small as this comes of digits, not of lengths
BEST = 1e-15  # where closing further is rounding
STEPS = 150
STARTS = 60  # tried after the guess
FEW = 8  # tried when a model is read
FARTHEST = 0.5  # step of a joint [rad, robot's size]: far steps lead to other ways of closing
PATIENCE = 12  # steps in which the residual must shrink to nine tenths


Closure = Callable[[Floats], Floats]
"""Residual r and Jacobian J at q, one below the other: (rows + rows nv,)."""


def closure_at(robot: Robot, q: Array) -> Array:
    """Residual and Jacobian in one array, in any scalar."""
    residual, J = residual_and_jacobian(robot, q)
    return np.concatenate([residual, J.reshape(-1)])


class OpenLoopError(InputError):
    """Loops that do not close: the worst of them, and what would help."""

    def __init__(self, words: str, loop: int, help: str) -> None:
        super().__init__(f"{words}; {help}")
        self.words, self.loop, self.help = words, loop, help


@dataclass(frozen=True)
class LoopConfiguration:
    """A configuration, and what is left open of its loops [of the robot's size, rad]."""

    q: Floats
    left: float

    @property
    def closed(self) -> bool:
        return self.left <= CLOSED


@dataclass(frozen=True)
class AssemblyProblem:
    """A robot whose loops are to be closed, the links whose joints are held, and a faster way
    to its closure if there is one. Lengths are measured by `size`."""

    robot: Robot
    held: frozenset[int] = frozenset()
    closure: Closure | None = None

    @cached_property
    def size(self) -> float:
        return size(self.robot)

    @cached_property
    def free(self) -> list[int]:
        return free_rates(self.robot, self.held)

    @cached_property
    def scales(self) -> tuple[Floats, Floats]:
        return row_scale(self.robot), rate_scale(self.robot)

    def scaled(self, q: Floats) -> tuple[Floats, Floats]:
        """r and the columns of J that may move, both scaled."""
        known = self.closure
        both = closure_at(self.robot, q) if known is None else known(np.ascontiguousarray(q))
        rows, rates = self.scales
        r, J = np.asarray(both[: len(rows)]), np.asarray(both[len(rows) :])
        J = J.reshape(len(rows), self.robot.nv)
        return rows * r, (rows[:, None] * J * rates)[:, self.free]


def home(robot: Robot) -> Floats:
    """The closed configuration nearest to the robot's guess: its motors stay where the guess
    puts them if the loops close so; if not, all joints give way."""
    guess = robot.guessed
    for held in (motor_links(robot), frozenset[int]()):
        found = descend(AssemblyProblem(robot, held), guess)
        if found.closed:
            return _unwound(robot, found.q, guess)
    return close_loops(AssemblyProblem(robot), guess, FEW)[0].q


def motor_links(robot: Robot) -> frozenset[int]:
    """Places of the links whose joint has a motor; behind an elastic gear both of the rotor and of
    the link that it drives, which for the loops is where the motor is."""
    found = {i for i, x in enumerate(robot.links) if x.joint_name in robot.actuated}
    return frozenset(found | {gear.link for gear in robot.gears if gear.motor in found})


def close_loops(
    given: AssemblyProblem, guess: Floats, starts: int = STARTS
) -> list[LoopConfiguration]:
    """All ways found to close the loops, the nearest to the guess first. OpenLoopError where
    there is none."""
    robot = given.robot
    rng = np.random.default_rng(0)
    found: list[LoopConfiguration] = []
    best = LoopConfiguration(guess, np.inf)
    for start in range(starts + 1):
        here = descend(given, _elsewhere(given, guess, rng) if start else guess)
        best = min(best, here, key=lambda x: x.left)
        here = LoopConfiguration(_unwound(robot, here.q, guess), here.left)
        if here.closed and not any(same(robot, here.q, other.q) for other in found):
            found.append(here)
    if not found:
        last = descend(given, best.q, STEPS)
        if not last.closed:
            raise _open(given, last.q, starts)
        found.append(last)
    return sorted(found, key=lambda x: float(np.linalg.norm(x.q - guess)))


@remembered
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
        if loop.is_tie and robot.links[loop.second[0]].joint.axes[0] >= 3:
            slides = 1
        scale += [1.0] * (rows.stop - rows.start - slides) + [1.0 / size(robot)] * slides
    return np.array(scale)


def rate_scale(robot: Robot) -> Floats:
    """The robot's size for rates that are speeds, one for those that are turns: (nv,)."""
    out, long = np.ones(robot.nv), size(robot)
    for link in robot.links:
        out[link.u] = [1.0 if axis < 3 else long for axis in link.joint.axes]
    return out


def descend(given: AssemblyProblem, q: Floats, patience: int = PATIENCE) -> LoopConfiguration:
    """Levenberg's method until the loops are closed or it gets no further."""
    robot, n, rates = given.robot, len(given.free), given.scales[1]
    damping, history = 1e-2, []
    r, J = given.scaled(q)
    for _ in range(STEPS):
        error = float(np.linalg.norm(r))
        history.append(error)
        stuck = len(history) > patience and error > 0.9 * history[-1 - patience]
        if np.abs(r).max(initial=0.0) <= BEST or stuck or not n:
            break
        if not (np.isfinite(error) and np.isfinite(J).all()):
            break  # numbers too large to compute with
        full = np.vstack([J, damping * np.eye(n)])  # not J^T J: it loses half the digits
        step = np.zeros(robot.nv)
        step[given.free] = np.linalg.lstsq(full, np.append(-r, np.zeros(n)), rcond=None)[0]
        step *= min(1.0, FARTHEST / max(float(np.abs(step).max()), 1e-300))
        new = moved(robot, q, rates * step)
        after, slope = given.scaled(new)
        if np.linalg.norm(after) < error:
            q, r, J, damping = new, after, slope, max(0.1 * damping, 1e-12)
        elif np.abs(step).max() < 1e-15:
            break
        else:
            damping = max(10.0 * damping, 1e-6)
    return LoopConfiguration(q, left_open(robot, q))


def moved(robot: Robot, q: Floats, step: Floats) -> Floats:
    """The configuration a small step (nv,) further."""
    return robot.normalized(q + recursion.configuration_rate(robot, q, step))


def left_open(robot: Robot, q: Floats) -> float:
    """The largest gap, lengths of the robot's size; infinite where it is no number."""
    long = size(robot)
    left = max((max(g.distance / long, g.angle) for g in gaps(robot, q)), default=0.0)
    return left if np.isfinite(left) else np.inf


def _elsewhere(given: AssemblyProblem, guess: Floats, rng: np.random.Generator) -> Floats:
    """Another start: joints turned anywhere and slid by the robot's size, but those held."""
    q, long = guess.copy(), given.size
    for i, link in enumerate(given.robot.links):
        drawn = rng.normal(size=link.joint.nq)  # also of held joints: starts do not depend on them
        if i in given.held or not link.joint.nv:
            continue
        if link.joint.nq == link.joint.nv:
            turn = np.array([axis < 3 for axis in link.joint.axes])
            q[link.q] += drawn * np.where(turn, np.pi, long)
        else:
            q[link.q] = np.concatenate([drawn[:4], guess[link.q][4:] + long * drawn[4:]])
    return given.robot.normalized(q)


def angles(link: Link) -> list[int]:
    """Places in the configuration of the joint's coordinates that are angles."""
    plain = link.joint.nq == link.joint.nv
    return [link.q.start + k for k, axis in enumerate(link.joint.axes) if plain and axis < 3]


def whole_turns(robot: Robot) -> list[int]:
    """Places of the angles that whole turns do not change: of all joints that no tie ties."""
    ties = {i for loop in robot.loops if loop.is_tie for i, _ in (loop.first, loop.second)}
    return [k for i, link in enumerate(robot.links) if i not in ties for k in angles(link)]


def _unwound(robot: Robot, q: Floats, guess: Floats) -> Floats:
    """The same place, angles and quaternions as near to the guess as can be."""
    q, free = q.copy(), set(whole_turns(robot))
    for link in robot.links:
        for k in free.intersection(angles(link)):
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


def _open(given: AssemblyProblem, q: Floats, starts: int) -> OpenLoopError:
    """Which loops stay open, and by how much."""
    robot, long = given.robot, given.size
    left = gaps(robot, q)
    bad = [k for k, g in enumerate(left) if not max(g.distance / long, g.angle) <= CLOSED]
    worst = max(bad, key=lambda k: max(left[k].distance / long, left[k].angle))
    each = ", ".join(f"{robot.loops[k].name} stays open by {left[k]}" for k in bad)
    kept = [robot.links[i].joint_name for i in sorted(given.held)]
    where = f" with {', '.join(kept)} held" if kept else ""
    words = (
        f"the loops of {robot.name} do not close{where}: {each}, at the best of {starts + 1} starts"
    )
    return OpenLoopError(words, worst, _help(left[worst], long, bool(kept)))


def _help(gap: Gap, long: float, held: bool) -> str:
    if max(gap.distance / long, gap.angle) < NEARLY:
        return (
            "nearly closed: loops with redundant equations need all digits of their lengths and "
            "axes; or free what need not be held (spherical, cylindrical)"
        )
    if gap.angle > CLOSED and gap.distance < gap.angle:
        return "look at the axes of the two stations (`rpy` turns them), at axis and second_axis"
    more = ", hold other joints" if held else ""
    return f"look at the lengths, or give a better guess{more}"
