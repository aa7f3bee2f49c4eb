"""What is asked of a solver, and what is used of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..types import Floats


@dataclass(frozen=True)
class Tolerances:
    """How exactly to integrate."""

    method: str = "auto"
    rtol: float = 1e-8
    atol: float = 1e-10
    step: float | None = None  # of methods whose steps are all of one length

    @property
    def auto(self) -> bool:
        return self.method == "auto"


class DenseOutput(Protocol):
    """A solver's dense output: states (n,) at a time, (n, times) at several."""

    def __call__(self, t: float | Floats) -> Floats: ...


def dense_output(state: Callable[[float], Floats]) -> DenseOutput:
    """Of a solver that gives its state at one time."""

    def dense(t: float | Floats) -> Floats:
        if np.ndim(t) == 0:
            return state(float(t))
        return np.array([state(float(x)) for x in np.asarray(t)]).T

    return dense


class Stepper(Protocol):
    """A solver that goes step by step."""

    status: str

    @property
    def t(self) -> float: ...

    @property
    def y(self) -> Floats: ...

    def step(self) -> str | None: ...

    def dense_output(self) -> DenseOutput: ...
