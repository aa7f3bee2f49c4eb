"""Statics, frequencies, zero dynamics, and what a bent link looks like along its axis."""

from .along import Along, Gauge, along, gauge, gauges
from .frequencies import Frequencies, frequencies
from .reach import reach
from .statics import Statics, statics
from .zeros import Zeros, zeros

__all__ = [
    "Along",
    "Frequencies",
    "Gauge",
    "Statics",
    "Zeros",
    "along",
    "frequencies",
    "gauge",
    "gauges",
    "reach",
    "statics",
    "zeros",
]
