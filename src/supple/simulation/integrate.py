"""Integrate the equations of motion from break to break, and from event to event.

Native integrators (`integrators`) make many steps at a time, and check them (`native_advance`);
SciPy's solvers, and closed chains near singular places, go step by step (`by_steps`,
`step_checks`). Events make joints stick or slide, and bring about other states, other torques, or
the end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from .. import recursion
from ..checks import configuration, vector, velocity
from ..errors import InputError, SimulationError, SuppleError, brief, let_signals_through
from ..types import Floats
from .breaks import FINEST
from .by_steps import advance
from .event_search import InstantReached
from .events import Event, Occurrence
from .inputs import called_of_time, takes_state
from .law import Law, TorqueSource
from .native_advance import advance_natively
from .run_failures import refuse_unstable
from .run_in_progress import RunInProgress
from .simulated_robot import SimulatedRobot
from .stick_slip import PhaseEnd


def integrate(course: RunInProgress, y: Floats) -> None:
    """Go from t = 0 to the end, or to an event that stops; `states` fills with the samples."""
    course.states.append(y)
    if course.stick_slip is None:
        course.event_search.begin(0.0, y)
        course.take_over(0.0, y)
    else:
        y = next_phase(course, 0.0, y, fresh=True)
    refuse_unstable(course, y)
    t, y = _at_start(course, y)
    while not course.stopped:
        try:
            _stretches(course, t, y)
            break
        except InstantReached as event:
            t, y = act(course, event)
    course.ask_again()
    course.note_calls()
    if course.stick_slip is not None:
        phase_done(course, y)
        course.drive = course.stick_slip.base


def _at_start(course: RunInProgress, y: Floats) -> tuple[float, Floats]:
    """What happens where the run starts; where it goes on from."""
    try:
        if course.events:
            course.event_search.at_start(y, course.rate)
    except InstantReached as event:
        return act(course, event)
    return 0.0, y


def _stretches(course: RunInProgress, t: float, y: Floats) -> None:
    """From (t, y) to the end, from break to break."""
    inside = 2.0 * FINEST * course.duration
    breaks = course.drive.breaks(course.duration)
    here = max([t, *(b for b in breaks if t < b <= t + 4.0 * inside)])
    ends = [b for b in breaks if b > t + 4.0 * inside]
    for end in [*ends, course.duration]:
        course.ask_samplers(t, y)
        course.between(here + inside, end - inside)
        y = advance(course, t, y, end) if course.by_steps else advance_natively(course, t, y, end)
        t = here = end


def act(course: RunInProgress, reached: InstantReached) -> tuple[float, Floats]:
    """All that an instant brings about; where the run goes on. Joints that stop or break loose
    do so first, then the user's events act in their order; a stop ends the run after them."""
    t, y, course.step = reached.t, reached.y, None
    events = [course.event_search.events[k] for k in reached.ways]
    y = _end_phase(course, [event for event in events if isinstance(event, PhaseEnd)], t, y)
    for event in events:
        if not isinstance(event, PhaseEnd):
            y = _follow(course, event, course.event_search.note(event, t, y), y)
    if course.stopped:
        course.end_at(t, y)
    else:
        course.event_search.again(reached.of_first(len(course.events)), y, course.rate)
    return t, y


def _end_phase(course: RunInProgress, events: Sequence[PhaseEnd], t: float, y: Floats) -> Floats:
    """Joints that slid stand, or those that stood slide."""
    if not events:
        return y
    for event in events:
        course.event_search.note(event, t, y)
    _without_end(course, t)
    course.end_of_run()
    return next_phase(course, t, phase_done(course, y), events)


def _follow(course: RunInProgress, event: Event, here: Occurrence, y: Floats) -> Floats:
    """What one event brings about; the state after it."""
    if event.action == "stop":
        course.stopped = course.stopped or event.called
    if event.action == "reset":
        return _reset(course, event, here, y)
    return _switch(course, event, here, y) if event.action == "switch" else y


def _reset(course: RunInProgress, event: Event, here: Occurrence, y: Floats) -> Floats:
    """On from another state."""
    if course.stick_slip is not None:
        course.end_of_run()
        y = after_reset(course.stick_slip.base, event, here, phase_done(course, y))
        return next_phase(course, here.t, y)
    y = after_reset(course.drive, event, here, y)
    course.watch(here.t, y)
    return y


def _switch(course: RunInProgress, event: Event, here: Occurrence, y: Floats) -> Floats:
    """Another law takes over."""
    assert course.remade is not None
    given = torque_after(event, here)
    course.end_of_run()
    law = course.remade(given, here.t, here.q, here.qd)
    course.laws.append((here.t, law))
    if course.stick_slip is not None:
        course.stick_slip.base = replace(course.stick_slip.base, law=law)
        return next_phase(course, here.t, phase_done(course, y), fresh=True)
    y = np.concatenate([y[: course.base], law.states.start])
    course.renew(here.t, y, replace(course.drive, law=law))
    return y


def next_phase(
    course: RunInProgress, t: float, y: Floats, ended: Sequence[PhaseEnd] = (), fresh: bool = False
) -> Floats:
    """Some joints stick and others slide from here on, under a fresh law or the same."""
    assert course.stick_slip is not None
    drive, ends, y = course.stick_slip.phase(t, y, ended)
    armed = [len(course.events) + i for i, end in enumerate(ends) if end.loosens]
    course.event_search = course.event_search.going_on(drive, (*course.events, *ends), armed)
    course.renew(t, y, drive, fresh)
    course.event_search.begin(t, y)
    return y


def phase_done(course: RunInProgress, y: Floats) -> Floats:
    """What brakes did in this phase is lost; the state at its end."""
    assert course.stick_slip is not None
    course.states[course.phase_from :] = [
        course.stick_slip.lost(x) for x in course.states[course.phase_from :]
    ]
    course.phase_from = len(course.states)
    return course.stick_slip.lost(y)


def _without_end(course: RunInProgress, t: float) -> None:
    """Phases that end as they begin: a pulse that is too short to be told from its break."""
    course.phase_ends = [x for x in course.phase_ends if t - x < 1e-9 * course.duration] + [t]
    if len(course.phase_ends) > 20:
        raise SimulationError(
            f"the run of {course.drive.robot.name} stopped at t = {t:.6g} s: a joint breaks "
            f"loose and stands again without end there. Make the torque smooth, or give it as "
            f"a table"
        )


def after_reset(drive: SimulatedRobot, event: Event, here: Occurrence, y: Floats) -> Floats:
    """The state after an impact: what it took of the energy counts as dissipated."""
    robot, then = drive.robot, cast("Callable[[Occurrence], object]", event.then)
    if robot.loops:
        raise InputError(
            f"event {event.called}: {robot.name} has closed loops, and an impact in one changes "
            f"rates all over it; resets are of open chains"
        )
    given = then(here)
    if not isinstance(given, tuple) or len(given) != 2:
        raise InputError(
            f"event {event.called}: its reset gave {brief(given)}; it must give (q, qd)"
        )
    whole = vector(given[0], "q", robot.nq, robot.coordinate_names, robot)
    q, qd = configuration(robot, whole), velocity(robot, given[1])
    before, after = _energy(drive, here.q, here.qd), _energy(drive, q, qd)
    out = np.array(y)
    out[: robot.nq], out[robot.nq : robot.nq + robot.nv] = q, qd
    out[robot.nq + robot.nv + 1] += before - after
    return out


def torque_after(event: Event, here: Occurrence) -> object:
    """The torque that takes over: `then`, or what then(occurrence) gives. A function of
    (t, q, qd), or of one argument called t or time, is a torque itself."""
    then = event.then
    if not callable(then) or isinstance(then, Law | TorqueSource):
        return then
    if takes_state(then) or called_of_time(then):
        return then
    try:
        return then(here)
    except SuppleError:
        raise
    except Exception as error:
        let_signals_through(error)
        raise InputError(
            f"event {event.called}: then(occurrence) failed: {type(error).__name__}: {error}. A "
            f"function of (t, q, qd), or of t, is a torque; any other is asked for one, with the "
            f"occurrence (t, q, qd, name)"
        ) from error


def _energy(drive: SimulatedRobot, q: Floats, qd: Floats) -> float:
    moving = recursion.kinetic_energy(drive.robot, q, qd)
    return float(moving + recursion.potential_energy(drive.robot, q))
