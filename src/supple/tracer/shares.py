"""The states of a batch shared among threads."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache as remember
from itertools import pairwise

import numpy as np

from ..errors import InputError, brief

ALONE = 256
"""States below which threads cost more than they bring."""


@remember
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


def run_shared(run: Callable[[int, int], None], count: int, threads: int) -> None:
    """run(first, last) over all states, by as many threads as it pays."""
    most = min(threads, max(1, count // ALONE))
    if most == 1:
        run(0, count)
        return
    edges = [count * i // most for i in range(most + 1)]
    list(_pool(os.getpid()).map(lambda span: run(*span), pairwise(edges)))
