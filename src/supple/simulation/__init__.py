"""Inputs, integrators and the Result of a run."""

from .check import Check
from .events import Event, Occurrence
from .inputs import feedforward, table
from .law import constant
from .many import Runs, simulate_many
from .motion import Motion, motion_of, named_motion
from .result import Result, load_result
from .run import Interrupted, simulate
from .sampled import Sampled
from .simulated_robot import SimulatedRobot, StateRate
from .solver import Tolerances

__all__ = [
    "Check",
    "Event",
    "Interrupted",
    "Motion",
    "Occurrence",
    "Result",
    "Runs",
    "Sampled",
    "SimulatedRobot",
    "StateRate",
    "Tolerances",
    "constant",
    "feedforward",
    "load_result",
    "motion_of",
    "named_motion",
    "simulate",
    "simulate_many",
    "table",
]
