"""What a worker of a cluster does: it keeps desks, one for each of its threads, and hands them
blocks."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

import numpy as np

from ..types import Floats
from .block import Points
from .desk import Desk, block_of

Computed: TypeAlias = tuple[dict[str, Floats], list[str], float]
"""Of a block: the outcomes, what went wrong, and the seconds it took."""

SESSIONS = 2  # two studies at once need not close each other's desks
_IDLE: dict[str, list[Desk]] = {}
_ONE = threading.Lock()


def prepare(study: bytes, session: str, limit: float) -> None:
    """Have a desk ready, so that the first block need not wait for it."""
    with _desk(study, session, limit) as desk:
        desk.started()


def compute(
    study: bytes, session: str, limit: float, names: tuple[str, ...], values: Floats
) -> Computed:
    """A block of points at a desk."""
    with _desk(study, session, limit) as desk:
        found, seconds = block_of(desk, Points(names, np.asarray(values)))
    return found.columns, found.trouble, seconds


@contextmanager
def _desk(study: bytes, session: str, limit: float) -> Iterator[Desk]:
    """One that is idle, or a new one. Each session has its own: files and functions may have
    changed since the last one."""
    with _ONE:
        idle = _IDLE.setdefault(session, _IDLE.pop(session, []))  # the last one used is the last
        desk = idle.pop() if idle else Desk(study, limit)
        for key in list(_IDLE)[:-SESSIONS]:
            for old in _IDLE.pop(key):
                old.close()
    try:
        yield desk
    finally:
        with _ONE:
            _IDLE.setdefault(session, []).append(desk)
