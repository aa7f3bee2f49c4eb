"""A run in native code: many steps without returning to Python; between two such marches it is
watched here. With events those steps return in which one may happen, and all of them where a
function of an event cannot be traced."""

from __future__ import annotations

import numpy as np

from ..types import Floats
from .by_steps import stepping
from .event_search import InstantReached
from .integrators.log import END, GOING, LOOK, LOOKED, ROUGH
from .run_failures import LOOKS, SLOW, failure_at, require_progress, rough, step_over_jump
from .run_in_progress import RunInProgress
from .runner import Runner
from .stiffness import EXPLICIT, MethodTrial

MARCH = 500  # steps without returning to Python
REVIEW = 2000  # steps after which the method is looked at again
FEW, WATCHED = 20, 1e-3  # steps after which a run is watched, and the share of it


def advance_natively(course: RunInProgress, t: float, y: Floats, end: float) -> Floats:
    """From (t, y) to `end` in native code."""
    while t < end:
        runner = course.runner()
        runner.start(t, y, end, course.how, course.how.step or course.step or 0.0)
        t, y = _go(course, runner, end)
    return y


def _go(course: RunInProgress, runner: Runner, end: float) -> tuple[float, Floats]:
    """On until `end`, a jump, or another method's turn."""
    reviewed = runner.steps
    while runner.t < end:
        a, steps = runner.t, runner.steps
        try:
            _some_steps(course, runner, end)
        finally:
            course.steps += runner.steps - steps
        t, y = runner.t, runner.y.copy()
        course.step = runner.step
        course.keep_until(runner)
        if runner.steps - steps > FEW or t - course.watched > WATCHED * course.duration:
            course.watch(t, y)
            course.watched = t
        if course.progress is not None:
            course.progress(t)
        if runner.status == LOOK:
            return _by_hand(course, t, y, end)
        if runner.status != GOING:
            return _obstacle(course, runner, end)
        if course.inputs.traced and course.answers.due():
            course.answers(t, y, runner.inputs_at(t, y), course.rate.stretch)
        _slowly(course, runner, a, end)
        if runner.t < end and _tries(course, runner, t - a):
            return t, y
        if course.how.auto and runner.steps - reviewed >= REVIEW:
            reviewed = runner.steps
            if course.decide(t, y):
                course.step = None
                break
    return runner.t, runner.y.copy()


def _some_steps(course: RunInProgress, runner: Runner, end: float) -> None:
    """Many without returning to Python, unless each is to be looked at."""
    if not course.event_search:
        runner.go(MARCH)
        return
    some = _one_step if runner.event_signs is None else _until_seen
    steps = runner.steps
    for _ in range(MARCH):
        some(course, runner)
        if runner.t >= end or runner.status != GOING or runner.steps - steps >= MARCH:
            break


def _until_seen(course: RunInProgress, runner: Runner) -> None:
    """Many, up to one in which native code sees that an event may happen, or the run's last."""
    assert runner.event_signs is not None
    steps = runner.steps
    runner.watch_events(course.event_search.signs)
    runner.go(MARCH)
    course.event_search.widen(runner.event_signs.low, runner.event_signs.high)
    if runner.steps > steps and (runner.seen or runner.t >= course.duration):
        _look_back(course, runner, *runner.last_step)


def _one_step(course: RunInProgress, runner: Runner) -> None:
    """A step, looked at for events."""
    a, before = runner.t, runner.y.copy()
    runner.go(1)
    if course.event_search and runner.t > a:
        _look_back(course, runner, a, before)


def _look_back(course: RunInProgress, runner: Runner, a: float, before: Floats) -> None:
    """For events in the step from (a, before); samples behind one that acts are not kept."""
    try:
        course.event_search.look(a, runner.t, runner.curve(a, before), course.rate)
    except InstantReached as event:
        runner.samples[course.times > event.t] = np.nan
        course.keep_until(runner)
        raise


def _tries(course: RunInProgress, runner: Runner, done: float) -> bool:
    """Whether another method turned out to be faster, where the run takes long: tried once."""
    if course.tried or not course.how.auto or course.method != EXPLICIT or course.keeper:
        return False
    trial = MethodTrial(course.drive, course.rate, course.inputs, course.how, course.duration)
    if not trial.costly(course.duration - runner.t, done, MARCH):
        return False
    course.tried = True
    found = trial.better(runner.t, runner.y, float(runner.log[END]))
    if found is not None:
        course.methods.append((runner.t, *found))
        course.step = None
    return found is not None


def _by_hand(course: RunInProgress, t: float, y: Floats, end: float) -> tuple[float, Floats]:
    """Past a singular place of a closed chain, step by step."""
    keeper = course.keeper
    assert keeper is not None
    course.step = None
    return stepping(course, t, y, end, leave=lambda y: keeper.far(y))


def _obstacle(course: RunInProgress, runner: Runner, end: float) -> tuple[float, Floats]:
    """Native code does not get on: over a jump, or the reason why not."""
    t, y = runner.t, runner.y.copy()
    if runner.status == ROUGH:
        error = rough(course, t, y, t + runner.cap, float(runner.log[LOOKED]))
    else:
        message = "no step is short enough"
        error = failure_at(course, t, y, message)
    if runner.fixed:
        raise failure_at(course, t, y, f"steps of {runner.step:.3g} s are too long: it diverges")
    return step_over_jump(course, t, y, end, error)


def _slowly(course: RunInProgress, runner: Runner, a: float, end: float) -> None:
    """A run that hardly gets on is looked at step by step: do its forces switch without end?"""
    if runner.t - a >= SLOW * course.duration or runner.t >= end or runner.fixed:
        return
    course.chatter.watch_closely()
    for _ in range(LOOKS):
        before, y = runner.t, runner.y.copy()
        _one_step(course, runner)
        course.chatter(before, y, runner.t)
    course.keep_until(runner)
    require_progress(course, runner.t, runner.y)
