"""The kinds of experiments, one a file; `KINDS` is their register."""

from __future__ import annotations

from collections.abc import Callable

from . import frequencies, function, map, simulate, statics
from .base import ExperimentInputs, Trial, place, words_with

KINDS: dict[str, Callable[[ExperimentInputs], Trial]] = {
    "simulate": simulate.make,
    "frequencies": frequencies.make,
    "statics": statics.make,
    "map": map.make,
    "function": function.make,
}

__all__ = ["KINDS", "ExperimentInputs", "Trial", "place", "words_with"]
