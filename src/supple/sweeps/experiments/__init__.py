"""The kinds of experiments, one a file; `KINDS` is their register: what makes one of its inputs."""

from __future__ import annotations

from collections.abc import Callable

from . import frequencies, function, rest, simulate
from .base import ExperimentInputs, Trial, place, words_with

KINDS: dict[str, Callable[[ExperimentInputs], Trial]] = {
    "simulate": simulate.make,
    "frequencies": frequencies.make,
    "statics": rest.StaticsTrial,
    "map": rest.MapTrial,
    "function": function.FunctionTrial,
}

__all__ = ["KINDS", "ExperimentInputs", "Trial", "place", "words_with"]
