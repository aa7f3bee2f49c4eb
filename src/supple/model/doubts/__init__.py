"""Doubts about a model that could be right but looks like a slip: warnings, never errors.

units    numbers that are no SI numbers of any material or machine; angles in degrees
bodies   inertias that no body can have
beams    beams too thick, too soft, or loaded where few shapes cannot follow; words without effect
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import Fault, InputError, brief
from ...robot import Robot
from ..faults import Faults
from ..yaml import Document
from .beams import doubt_beams
from .bodies import doubt_bodies
from .subject import Subject
from .units import doubt_units

if TYPE_CHECKING:
    from collections.abc import Callable

DOUBTS: tuple[Callable[[Subject, Faults], None], ...] = (doubt_units, doubt_bodies, doubt_beams)


def plausibility(given: Robot | Document) -> list[Fault]:
    """What is doubtful in a robot, or in a document just read, each with its place.

    A document with faults raises its ModelError.
    """
    from ..build import build

    if isinstance(given, Document):
        document, robot = given, build(given)
    elif isinstance(given, Robot) and given.spec is not None:
        document, robot = Document(dict(given.spec), given.name), given
    else:
        raise InputError(f"plausibility takes a robot built from a model, got {brief(given)}")
    subject, faults = Subject.of(robot, document), Faults(document)
    faults.rows = subject.rows
    for doubt in DOUBTS:
        doubt(subject, faults)
    found = {(fault.path, fault.message): fault for fault in faults.found}
    return sorted(found.values(), key=lambda fault: (fault.line or 0, fault.column or 0))
