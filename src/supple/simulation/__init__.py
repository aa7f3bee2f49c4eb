"""Inputs, integrators and the Result of a run."""

from .inputs import feedforward, table
from .motion import Motion, motion_of
from .result import Result, load_result
from .run import Interrupted, simulate

__all__ = [
    "Interrupted",
    "Motion",
    "Result",
    "feedforward",
    "load_result",
    "motion_of",
    "simulate",
    "table",
]
