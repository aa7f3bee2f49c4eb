"""Inputs, integrators and the Result of a run."""

from .inputs import feedforward, table
from .many import Runs, simulate_many
from .motion import Motion, motion_of
from .result import Result
from .run import Interrupted, simulate
from .saved import load_result

__all__ = [
    "Interrupted",
    "Motion",
    "Result",
    "Runs",
    "feedforward",
    "load_result",
    "motion_of",
    "simulate",
    "simulate_many",
    "table",
]
