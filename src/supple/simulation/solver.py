"""What is used of SciPy's solvers."""

from __future__ import annotations

from typing import Protocol

from ..types import Floats


class DenseOutput(Protocol):
    """A solver's dense output: states (n,) at a time, (n, times) at several."""

    def __call__(self, t: float | Floats) -> Floats: ...


class Stepper(Protocol):
    """A solver that goes step by step."""

    t: float
    y: Floats
    status: str

    def step(self) -> str | None: ...

    def dense_output(self) -> DenseOutput: ...
