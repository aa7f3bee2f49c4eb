"""What an event brings about: a run that goes on from another state, or under another torque."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import numpy as np

from .. import recursion
from ..checks import configuration, vector, velocity
from ..errors import InputError, SuppleError, brief, let_signals_through
from ..types import Floats
from .events import Event, Occurrence
from .inputs import called_of_time, takes_state
from .law import Law, TorqueSource
from .simulated_robot import SimulatedRobot


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
