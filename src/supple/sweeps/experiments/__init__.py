"""The kinds of experiments; `KINDS` is their register: what makes one of its inputs."""

from __future__ import annotations

from collections.abc import Callable

from . import function, rest, simulate
from .base import ExperimentInputs, Trial, place, words_with

KINDS: dict[str, Callable[[ExperimentInputs], Trial]] = {
    "simulate": simulate.make,
    "frequencies": rest.frequencies_trial,
    "statics": rest.StaticsTrial,
    "map": rest.MapTrial,
    "function": function.FunctionTrial,
}

__all__ = ["KINDS", "ExperimentInputs", "Trial", "place", "words_with"]
