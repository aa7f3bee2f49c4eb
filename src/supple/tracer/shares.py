"""The states of a batch shared among threads."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache as remember
from itertools import pairwise
from threading import Event
from time import sleep

import numpy as np

from ..errors import InputError, brief
from ..lazy import once

ALONE = 256
"""States below which threads cost more than they bring."""


@once
def _pool(process: int) -> ThreadPoolExecutor:
    """Threads that wait for batches, made as they are needed; a forked process has its own."""
    return ThreadPoolExecutor(max(32, os.cpu_count() or 1), thread_name_prefix="supple")


@remember
def _cores() -> int:
    """Asking the system takes longer than a small batch."""
    return os.cpu_count() or 1


def workers(threads: int | None) -> int:
    """How many threads were asked for; None: one a core."""
    if threads is None:
        return _cores()
    if isinstance(threads, bool) or not isinstance(threads, int | np.integer):
        raise InputError(f"threads is {brief(threads)}; it must be a whole number, or None for all")
    if threads < 1:
        raise InputError(f"threads is {threads}; it must be at least 1")
    return int(threads)


def run_shared(run: Callable[[int, int], None], count: int, threads: int, piece: int) -> None:
    """run(first, last) over all states, by as many threads as it pays, so many states at once:
    between two pieces an exception raised by a signal handler ends all of it. Nobody is left at
    work then, since what they write to may be freed."""
    most = min(threads, max(1, count // ALONE))
    edges = [count * i // most for i in range(most + 1)]
    stopped, working = Event(), set[int]()

    def share(begin: int, end: int) -> None:
        working.add(begin)  # before it is asked whether to stop: it is waited for, or does nothing
        try:
            for first in range(begin, end, piece):
                if stopped.is_set():
                    break
                run(first, min(first + piece, end))
        finally:
            working.discard(begin)

    try:
        others = [_pool(os.getpid()).submit(share, *span) for span in pairwise(edges[1:])]
        share(*edges[:2])
        for other in others:
            other.result()
    finally:
        stopped.set()
        while working:
            with suppress(BaseException):  # the first interrupt is on its way already
                sleep(1e-3)
