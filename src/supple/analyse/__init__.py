"""Statics, frequencies, zero dynamics, and what a bent link looks like along its axis."""

from .along import BeamState, Gauge, along, gauge, gauges
from .assemble import Assemblies, assemble, mobility
from .campbell import Campbell, Crossing, campbell
from .frequencies import Frequencies, frequencies
from .linear import LinearModel, TransferFunction, linearise
from .reach import reach
from .statics import Statics, statics
from .stopwatch import Call, in_turns
from .workspace import WorkspaceMap, compliance, workspace_map
from .zeros import Zeros, zeros

__all__ = [
    "Assemblies",
    "BeamState",
    "Call",
    "Campbell",
    "Crossing",
    "Frequencies",
    "Gauge",
    "LinearModel",
    "Statics",
    "TransferFunction",
    "WorkspaceMap",
    "Zeros",
    "along",
    "assemble",
    "campbell",
    "compliance",
    "frequencies",
    "gauge",
    "gauges",
    "in_turns",
    "linearise",
    "mobility",
    "reach",
    "statics",
    "workspace_map",
    "zeros",
]
