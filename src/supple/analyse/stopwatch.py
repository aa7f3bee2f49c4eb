"""Times of calls, measured in turns: the best of many short windows is what the machine can do,
whoever else uses it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

WINDOW = 3e-4  # seconds of one window
SEEN = 1e-4  # seconds that a clock measures well

_LOOP = """
def go({given}):
    t = clock()
    for _ in r:
        f({names})
    return clock() - t
"""


class Repeatable(Protocol):
    """Anything that can be done n times in a row."""

    def run(self, n: int) -> float:
        """Seconds for n of them."""


@dataclass(frozen=True)
class Call:
    """A function and its arguments; `run(n)` calls it n times with nothing in between."""

    function: Callable[..., object]
    arguments: tuple[object, ...]

    def run(self, n: int) -> float:
        """Seconds for n calls."""
        names = [f"a{i}" for i in range(len(self.arguments))]
        words = {"names": ", ".join(names), "given": ", ".join(["f", "clock", "r", *names])}
        space: dict[str, Callable[..., float]] = {}
        exec(_LOOP.format(**words), space)
        return float(space["go"](self.function, time.perf_counter, range(n), *self.arguments))


def in_turns(calls: Mapping[str, Repeatable], seconds: float) -> dict[str, float]:
    """Best seconds of one call, each call run in many short windows, taking turns."""
    counts, best = {}, {}
    for name, call in calls.items():
        n, spent = 1, _quickest(call, 1)
        while spent < SEEN:
            n *= 2
            spent = _quickest(call, n)
        counts[name], best[name] = max(1, int(n * WINDOW / spent)), spent / n
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for name, call in calls.items():
            best[name] = min(best[name], call.run(counts[name]) / counts[name])
    return best


def _quickest(call: Repeatable, n: int) -> float:
    """Seconds for n, of three tries: one alone may have been interrupted, and would make windows
    of so few calls that what stands around them counts."""
    return min(call.run(n) for _ in range(3))
