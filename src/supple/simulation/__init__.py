"""Inputs, integrators and the Result of a run."""

from .check import Check
from .events import Event, Occurrence
from .inputs import feedforward, table
from .many import Runs, simulate_many
from .motion import Motion, motion_of
from .result import Result
from .run import Interrupted, simulate
from .sampled import Sampled
from .saved import load_result

__all__ = [
    "Check",
    "Event",
    "Interrupted",
    "Motion",
    "Occurrence",
    "Result",
    "Runs",
    "Sampled",
    "feedforward",
    "load_result",
    "motion_of",
    "simulate",
    "simulate_many",
    "table",
]
