"""What a run cannot get over: why it stops, in words, and how it gets over a jump of the forces
(a switching controller, a step in a reference).

No step is short enough for a solver to get over a jump that is large against its tolerance. So
the jump is located to the last bit, and the run goes on from just beyond it.

Chatter has no end: each switch of the forces brings the next one about. A hard sign(qd) that
should hold a joint still, or a hard switch that keeps a state on a surface, has no solution that a
solver could follow: it steps to and fro ever faster. Where a run gets on slowly, jumps are looked
for right ahead of its steps; steep but smooth forces have none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .. import checks
from ..errors import SimulationError
from ..types import Floats
from .closed_run import singular_here
from .simulated_robot import Rate, SimulatedRobot
from .stiffness import slope, unstable

if TYPE_CHECKING:
    from .run_in_progress import RunInProgress

STALL = 10_000  # steps in which a run must get on by 1e-5 of its length
OFTEN = 200  # steps after which a run's pace is looked at
SLOW = 1e-4  # of the run: what it must have got on by then
LOOKS = 20  # steps that are looked at for jumps if it has not
SWITCHES = 8  # jumps in so many steps that are chatter


def refuse_unstable(course: RunInProgress, y: Floats) -> None:
    """Refuse steps of one length that would blow up what does not grow by itself."""
    if course.how.step is None:
        return
    fast = unstable(course.method, course.how.step, slope(course.rate, 0.0, y))
    if fast is not None:
        raise SimulationError(
            f"steps of {course.how.step:.3g} s by {course.method} are too long for "
            f"{course.drive.robot.name}: a mode at {fast:.3g} rad/s would blow up. Take steps "
            f"of at most {2.5 / fast:.2g} s, or an implicit method (rosenbrock, sweep)"
        )


def _ask_ahead(course: RunInProgress, t: float, y: Floats) -> None:
    """Let a law without a value right ahead say so; native code only sees that it has none."""
    ahead = course.rate(t, y)
    if course.rate.trouble is None and np.all(np.isfinite(ahead)):
        course.rate.stretch = (-np.inf, np.inf)
        for step in (1e-9 * course.duration, 1e-6 * course.duration, 1e-4 * course.duration):
            course.rate.inputs(t + step, y + step * ahead)


def failure_at(course: RunInProgress, t: float, y: Floats, message: str | None) -> SimulationError:
    """The same where a law may have something to say."""
    _ask_ahead(course, t, y)
    if course.rate.trouble is not None and course.rate.when >= t:
        return course.rate.trouble
    jam = _jam(course, t, y)
    if jam is not None:
        return jam
    ahead = y + (course.how.step or 0.0) * np.nan_to_num(course.rate(t, y))
    return failure(course.drive, t, y, message, ahead)


def _jam(course: RunInProgress, t: float, y: Floats) -> SimulationError | None:
    """That prescribed joints of a closed chain cannot go on, and why."""
    words = course.keeper.jam(y) if course.keeper and np.all(np.isfinite(y)) else ""
    where = f"the run of {course.drive.robot.name} stopped at t = {t:.6g} s"
    return SimulationError(f"{where}: {words}") if words else None


def rough(course: RunInProgress, a: float, y: Floats, b: float, gap: float) -> SimulationError:
    """Between a, where the state is y, and b no step satisfies the equations."""
    if course.rate.trouble is not None and a <= course.rate.when <= b:
        return course.rate.trouble
    jam = _jam(course, a, y)
    if jam is not None:
        return jam
    return SimulationError(
        f"the run of {course.drive.robot.name} cannot be trusted: between t = {a:.12g} and "
        f"{b:.12g} s its solution does not satisfy the equations of motion ({gap:.3g} "
        f"times the tolerance), however short the steps. Look at the torques, loads and laws "
        f"there: a jump can be named (breaks=[{b:.9g}]), there is no way through a pole"
    )


def step_over_jump(
    course: RunInProgress, a: float, before: Floats, end: float, otherwise: SimulationError | None
) -> tuple[float, Floats]:
    """Just beyond a jump of the forces right after a, or the error why there is none."""
    last = course.leaps[-1] if course.leaps else -np.inf
    found = beyond_jump(course.rate, a, before, 1e-9 * course.duration)
    if found is None or found[0] >= end:
        assert otherwise is not None
        raise otherwise
    if a - last < 1e-9 * course.duration:
        raise chatters(a)
    course.leaps.append(found[0])
    course.step = None
    return found


def require_progress(course: RunInProgress, t: float, y: Floats) -> None:
    """SimulationError where the run makes no progress."""
    if course.steps - course.marked < STALL:
        return
    if t - course.mark < 1e-5 * course.duration:
        raise failure_at(course, t, y, "it makes no headway")
    course.mark, course.marked = t, course.steps


def failure(
    drive: SimulatedRobot, t: float, y: Floats, message: str | None, ahead: Floats | None = None
) -> SimulationError:
    """Why a run stopped, as well as can be told from where it did, and from where a step of given
    length would have led."""
    robot, held = drive.robot, drive.driven.held
    names = [*robot.coordinate_names, *(f"d/dt {n}" for n in robot.velocity_names)]
    finite = np.nan_to_num(np.abs(y[: len(names)]), nan=np.inf)
    worst = names[int(np.argmax(finite))]
    reason = (message or "the state is no longer finite").rstrip(".").lower()
    where = f"the run of {robot.name} stopped at t = {t:.6g} s"
    lock = checks.locked_joint(robot, y[: robot.nq], near=0.01)
    if lock is not None:
        return SimulationError(f"{where}: {checks.lock_words(lock)}")
    singular = singular_here(robot, y[: robot.nq]) if robot.loops else ""
    if singular:
        return SimulationError(f"{where}: {singular}")
    for place in (y,) if ahead is None else (y, ahead):
        words = checks.indefinite_words(robot, place[: robot.nq], held, share=0.05)
        if words:
            return SimulationError(f"{where}: {words}")
    return SimulationError(
        f"{where}: {reason}. The largest state is {worst}. Look at the torques, at the damping, "
        f"or try method='rosenbrock'."
    )


def beyond_jump(rate: Rate, a: float, y: Floats, reach: float) -> tuple[float, Floats] | None:
    """Time and state just after the first jump of the rate within `reach` after a, if there is
    one. A pole is none: there the rate has no value on either side."""
    slope = rate(a, y)
    if not np.all(np.isfinite(slope)):
        return None

    def go(t: float) -> Floats:
        return np.asarray(y + (t - a) * slope)

    def at(t: float) -> Floats:
        return rate(t, go(t))

    near, far = a, a + reach
    if not _jumps(at(a), at(far)):
        return None
    left, right = at(near), at(far)
    while True:
        middle = 0.5 * (near + far)
        if not near < middle < far:
            break
        value = at(middle)
        if np.linalg.norm(value - left) < np.linalg.norm(value - right):
            near, left = middle, value
        else:
            far, right = middle, value
    beside = max(16.0 * np.spacing(far), 1e-6 * reach)  # sign(0) = 0 is on neither side
    near, far = max(near - beside, a), far + beside
    left, right = at(near), at(far)
    height = np.linalg.norm(right - left)
    steady = max(
        np.linalg.norm(at(far + reach) - right), np.linalg.norm(at(max(near - reach, a)) - left)
    )
    return (far, go(far)) if steady < 0.1 * height else None


def _jumps(before: Floats, after: Floats) -> bool:
    """Whether the rate changes by more than a moment explains."""
    if not (np.all(np.isfinite(before)) and np.all(np.isfinite(after))):
        return False
    size = max(float(np.linalg.norm(before)), float(np.linalg.norm(after)))
    return bool(np.linalg.norm(after - before) > 1e-5 * size)


@dataclass
class Chatter:
    """Looks on while a run goes on."""

    rate: Rate
    duration: float
    steps: int = 0
    mark: float = 0.0
    left: int = 0  # steps still to be looked at
    jumps: int = 0

    def watch_closely(self) -> None:
        """The next steps are looked at one by one."""
        self.left, self.jumps = LOOKS, 0

    def __call__(self, a: float, y: Floats, b: float) -> None:
        """A step from (a, y) to b was made, or tried."""
        self.steps += 1
        if self.left:
            self.left -= 1
            reach = max(b - a, 0.1 * SLOW * self.duration)
            self.jumps += beyond_jump(self.rate, a, y, reach) is not None
            if self.jumps >= SWITCHES:
                raise chatters(a)
        elif self.steps % OFTEN == 0:
            if b - self.mark < SLOW * self.duration:
                self.watch_closely()
            self.mark = b


def chatters(t: float) -> SimulationError:
    return SimulationError(
        f"the run stopped at t = {t:.6g} s: the forces switch without end there, each switch "
        f"brings about the next (chatter). Make the switch smooth, e.g. tanh(x/0.01) for sign(x); "
        f"friction of a joint is its coulomb"
    )
