"""Statics, frequencies, zero dynamics, and what a bent link looks like along its axis."""

from .along import Along, Gauge, along, gauge, gauges
from .assemble import Assemblies, assemble, mobility
from .frequencies import Frequencies, frequencies
from .reach import reach
from .statics import Statics, statics
from .zeros import Zeros, zeros

__all__ = [
    "Along",
    "Assemblies",
    "Frequencies",
    "Gauge",
    "Statics",
    "Zeros",
    "along",
    "assemble",
    "frequencies",
    "gauge",
    "gauges",
    "mobility",
    "reach",
    "statics",
    "zeros",
]
