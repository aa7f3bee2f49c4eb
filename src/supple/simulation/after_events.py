"""What an event brings about: a run that goes on from another state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from .. import recursion
from ..checks import configuration, velocity
from ..errors import InputError, brief
from ..types import Floats
from .events import Event, Occurrence
from .experiment import Experiment


def after_reset(drive: Experiment, event: Event, here: Occurrence, y: Floats) -> Floats:
    """The state after an impact: what it took of the energy counts as dissipated."""
    robot, then = drive.robot, cast("Callable[[Occurrence], Any]", event.then)
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
    q, qd = configuration(robot, given[0]), velocity(robot, given[1])
    before, after = _energy(drive, here.q, here.qd), _energy(drive, q, qd)
    out = np.array(y)
    out[: robot.nq], out[robot.nq : robot.nq + robot.nv] = q, qd
    out[robot.nq + robot.nv + 1] += before - after
    return out


def _energy(drive: Experiment, q: Floats, qd: Floats) -> float:
    moving = recursion.kinetic_energy(drive.robot, q, qd)
    return float(moving + recursion.potential_energy(drive.robot, q))
