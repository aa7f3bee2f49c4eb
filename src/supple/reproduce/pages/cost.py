"""What a page took: wall clock and processor time, and on what."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter, process_time


@dataclass(frozen=True)
class PageCost:
    """Seconds of wall clock and of processors, and the machine."""

    wall: float
    processor: float
    machine: str

    def words(self) -> str:
        return (
            f"{self.wall:.1f} s of wall clock, {self.processor:.1f} s of processor time, drawing "
            f"included, on {self.machine}."
        )


def cores() -> int:
    """That this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # macOS, Windows
        return os.cpu_count() or 1


def machine() -> str:
    """Cores, processor and versions in words."""
    import numpy as np

    from ... import __version__

    count = cores()
    kind = platform.machine() or "unknown"
    return (
        f"{count} core{'s' * (count > 1)} ({kind}, {platform.system()}), Python "
        f"{platform.python_version()}, NumPy {np.__version__}, Supple {__version__}"
    )


def clock() -> Callable[[], PageCost]:
    """Starts now; what it gives is the cost until it is called."""
    wall, processor = perf_counter(), process_time()
    return lambda: PageCost(perf_counter() - wall, process_time() - processor, machine())
