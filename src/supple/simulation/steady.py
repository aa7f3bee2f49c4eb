"""Runs of any compiled equations whose inputs do not change: dy/dt = f(y, u), by native code.

    run = Steady(f, pairs=n).runner("explicit", Samples(101, 1.0), u)
    run.start(0.0, y, 1.0, Tolerances(...));  run.go(10**6)

For equations that are no robot's own: a controller inside, another formulation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np

from ..engine import Kernel, traced
from ..lazy import cached_property
from ..tracer.function import Function
from ..types import Floats
from .runner import Entry, Runner, SampleTimes, entry


@dataclass(frozen=True)
class ConstantInputEquations:
    """Equations f(y, u): y of `size` numbers, the first 2 x `pairs` of them places and rates."""

    kernel: Kernel
    pairs: int = 0
    parameters: int = 0

    @cached_property
    def size(self) -> int:
        return cast(Function, self.kernel).arguments["x0"]

    @cached_property
    def inputs(self) -> int:
        return cast(Function, self.kernel).arguments["x1"]

    def runner(self, method: str, samples: SampleTimes, u: Floats) -> Runner:
        """A run of these equations under the inputs u."""
        held = ConstantInputs(self.size, u)
        return Runner(self, held, held, method, samples)


class ConstantInputs:
    """Inputs that stay as they are."""

    def __init__(self, size: int, u: Floats) -> None:
        self.stretch = (-np.inf, np.inf)
        self.fed, self.count, self.u = 0, len(u), u
        self.contexts: tuple[int, ...] = ()
        law = traced(lambda t, y, numbers: numbers, (1, size, len(u)), ("held", size, len(u)))
        self.kernel: Function | None = cast(Function, law)

    def inputs(self, t: float, y: Floats) -> Floats | None:
        return self.u

    def numbers_between(self, a: float, b: float) -> Floats:
        return self.u

    def law(self, lanes: int = 1) -> Entry:
        """LAW."""
        return entry(cast(Function, self.kernel), lanes)

    def law_slope(self, lanes: int = 1) -> Entry:
        """LAW_SLOPE."""
        return entry(cast(Function, self.kernel).jacobian("x0", "x1"), lanes)
