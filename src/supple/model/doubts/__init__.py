"""Doubts about a model that could be right but looks like a slip: warnings, never errors.

units    numbers that are no SI numbers of any material or machine; angles in degrees
bodies   inertias that no body can have; parts of finite elements that do not stiffen; beams too
         thick, too soft, or loaded where few shapes cannot follow; words without effect
joints   stops in degrees, or around no place where the robot stands; motors of closed chains,
         singular starts
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...errors import Fault, InputError, brief
from ...robot import Robot
from ..faults import Faults
from ..yaml import Document
from .bodies import doubt_beams, doubt_bodies, doubt_parts
from .joints import doubt_drives, doubt_loops
from .subject import Subject
from .units import doubt_units

if TYPE_CHECKING:
    from collections.abc import Callable

DOUBTS: tuple[Callable[[Subject, Faults], None], ...] = (
    *(doubt_units, doubt_bodies, doubt_parts, doubt_drives, doubt_beams, doubt_loops),
)


def plausibility(robot: Robot, document: Document | None = None) -> list[Fault]:
    """What is doubtful in a robot, each with its key; with its line too, where the document it
    was built from is given."""
    if not isinstance(robot, Robot) or robot.spec is None:
        raise InputError(f"plausibility takes a robot built from a model, got {brief(robot)}")
    document = document or Document(dict(robot.spec), robot.name)
    subject, faults = Subject.of(robot, document), Faults(document)
    faults.rows = subject.rows
    with np.errstate(all="ignore"):
        for doubt in DOUBTS:
            doubt(subject, faults)
    found = {(fault.path, fault.message): fault for fault in faults.found}
    return sorted(found.values(), key=lambda fault: (fault.line or 0, fault.column or 0))
