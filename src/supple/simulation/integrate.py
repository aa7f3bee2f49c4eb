"""Integrate the equations of motion from break to break, and from event to event.

Native integrators (`integrators`) make many steps at a time, and check them (`native_advance`);
SciPy's solvers, and closed chains near singular places, go step by step (`by_steps`,
`step_defects`).
"""

from __future__ import annotations

from ..types import Floats
from .breaks import FINEST
from .by_steps import advance
from .event_actions import act, next_phase, phase_done
from .event_search import InstantReached
from .native_advance import advance_natively
from .run_failures import refuse_unstable
from .run_in_progress import RunInProgress


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
