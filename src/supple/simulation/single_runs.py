"""A run of many that is made alone, as `simulate` makes it: closed chains, laws that are called
back or sampled, joints that stick, and runs that did not get on beside others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import SuppleError
from ..types import Floats
from .integrate import integrate
from .run_checks import Guard
from .run_in_progress import RunInProgress
from .simulated_robot import SimulatedRobot
from .solver import Tolerances


@dataclass(frozen=True)
class SingleRun:
    """Samples of a run, NaN from where it stopped; its steps, and why it stopped."""

    states: Floats
    steps: int
    trouble: str
    method: str


def single_run(drive: SimulatedRobot, times: Floats, how: Tolerances) -> SingleRun:
    """Integrate, and keep what was reached if the run stops."""
    guard = Guard(drive)
    course, trouble = RunInProgress(drive, times, how, guard), ""
    try:
        integrate(course, drive.start())
        course.settle()
    except SuppleError as error:
        trouble = str(error)
        course.salvage()
    states, rows = np.full((len(times), drive.size), np.nan), course.samples()
    states[: len(rows)] = rows
    method = course.methods[0][1] if course.methods else how.method
    return SingleRun(states, course.steps, trouble, method)
