"""The states of a batch shared among threads."""

from __future__ import annotations

import os
from _thread import get_ident, start_new_thread
from collections.abc import Callable
from contextlib import suppress
from functools import cache as remember
from queue import Empty, SimpleQueue

import numpy as np

from ..errors import InputError, brief
from ..lazy import once

ALONE = 256
"""States below which threads cost more than they bring."""


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
    """run(first, last) over all states, at most `piece` of them at once, by as many threads as it
    pays, this one among them. An exception that a signal handler raises between two pieces ends
    all of it, and nobody is left at work then: what they write to may be freed."""
    most = min(threads, max(1, count // ALONE))
    size = min(piece, -(-count // most))
    pieces, working, errors = iter(range(0, count, size)), set[int](), list[BaseException]()
    done: SimpleQueue[None] = SimpleQueue()

    def share() -> None:
        for first in pieces:
            run(first, min(first + size, count))

    def assist() -> None:
        working.add(get_ident())  # before it takes a piece: it is waited for, or finds none
        try:
            share()
        except BaseException as error:  # raised again by who waits
            errors.append(error)
        working.discard(get_ident())
        done.put(None)

    def settle() -> None:
        while working:
            with suppress(Empty):
                done.get(timeout=0.1)

    try:
        _crew(os.getpid()).ask(assist, most - 1)
        share()
    except BaseException as error:
        errors.insert(0, error)
    while True:
        try:
            if errors:
                for _ in pieces:  # none are left to take
                    pass
            settle()
            break
        except BaseException as error:  # however many interrupts come
            errors.append(error)
    if errors:
        raise errors[0]


class _Crew:
    """Threads that wait for work, started as they are needed; they end with the process."""

    def __init__(self) -> None:
        self._work: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._count = 0

    def ask(self, work: Callable[[], None], threads: int) -> None:
        """So many threads are to do this."""
        while self._count < threads:
            self._count += 1
            start_new_thread(self._serve, ())
        for _ in range(threads):
            self._work.put(work)

    def _serve(self) -> None:
        while True:
            self._work.get()()


@once
def _crew(process: int) -> _Crew:
    """Of this process: a forked one has none of its parent's threads."""
    return _Crew()
