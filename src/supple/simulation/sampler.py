"""What a sampled law said so far: asked at its instants, held in between."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable

import numpy as np

from ..types import Floats

Ask = Callable[[float, Floats, Floats], Floats]
SAME = 1e-6  # of a period: instants so near are one


class Sampler:
    """Values asked at t = 0, T, 2 T, ... each held from `delay` later until the next takes its
    place; before the first there is no force."""

    def __init__(self, ask: Ask, size: int, period: float, delay: float) -> None:
        self._ask, self._size, self.period, self.delay = ask, size, period, delay
        self.begin()

    def begin(self) -> None:
        """Forget all: a run begins."""
        self._from, self._values, self.asked = [-np.inf], [np.zeros(self._size)], 0

    def instants(self, duration: float) -> list[float]:
        """When it is asked, and when its values take effect, until the end of a run."""
        asked = self.period * np.arange(int(np.floor(duration / self.period * (1 + 1e-12))) + 1)
        late = [float(t) for t in asked + self.delay if t < duration] if self.delay else []
        return sorted({*asked.tolist(), *late})

    def look(self, t: float, q: Floats, qd: Floats) -> None:
        """The run is at t: ask if an instant has come. Each is asked once, in order."""
        due = self.asked * self.period
        if t < due - SAME * self.period:
            return
        value = np.array(self._ask(due, q.copy(), qd.copy()))
        self._from.append(due + self.delay)
        self._values.append(value)
        self.asked += 1

    def at(self, t: float) -> Floats:
        """What is held at time t."""
        k = bisect_right(self._from, t + SAME * self.period) - 1
        return self._values[k]
