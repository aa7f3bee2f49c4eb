"""What events bring about in a run: joints that stick or slide, other states, other torques, the
end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..errors import SimulationError
from ..types import Floats
from .after_events import after_reset, torque_after
from .event_search import InstantReached
from .events import Event, Occurrence
from .run_in_progress import RunInProgress
from .stick_slip import PhaseEnd


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
