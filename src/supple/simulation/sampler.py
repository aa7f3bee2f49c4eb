"""What a sampled law said so far: asked at its instants, held in between."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable

import numpy as np

from ..types import Floats

Ask = Callable[[float, Floats, Floats], Floats]
SAME = 1e-6  # of a period: instants so near are one


class SampleHold:
    """Values asked at t_0, t_0 + T, t_0 + 2 T, ... each held from `delay` later until the next
    takes its place; before the first there is no force. t_0 is when the law takes over."""

    def __init__(
        self,
        ask: Ask,
        size: int,
        period: float,
        delay: float = 0.0,
        reset: Callable[[], object] = lambda: None,
    ) -> None:
        self._ask, self._size, self._reset = ask, size, reset
        self.period, self.delay, self.first, self.asked = period, delay, 0.0, 0
        self._forget()

    def _forget(self) -> None:
        self._from, self._values = [-np.inf], [np.zeros(self._size)]

    def begin(self, first: float) -> None:
        """Forget all: the law takes over."""
        self.first, self.asked = first, 0
        self._forget()
        self._reset()

    def instants(self, duration: float) -> list[float]:
        """When it is asked, and when its values take effect, until the end of a run."""
        count = int(np.floor((duration - self.first) / self.period * (1.0 + 1e-12))) + 1
        asked = self.first + self.period * np.arange(count)
        late = [float(t) for t in asked + self.delay if t < duration] if self.delay else []
        return sorted({*asked.tolist(), *late})

    def look(self, t: float, q: Floats, qd: Floats) -> None:
        """The run is at t: ask if an instant has come. Each is asked once, in order."""
        due = self.first + self.asked * self.period
        if t < due - SAME * self.period:
            return
        self._values.append(np.array(self._ask(due, q.copy(), qd.copy())))
        self._from.append(due + self.delay)
        self.asked += 1

    def at(self, t: float) -> Floats:
        """What is held at time t."""
        k = bisect_right(self._from, t + 4.0 * float(np.spacing(abs(t)))) - 1
        return self._values[k]
