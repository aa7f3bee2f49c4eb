"""How far a study is: a line with rate and time left, and the outcomes so far."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from ..types import Floats
from . import console

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.table import Table

    from ..sweeps import Study, StudyProgress


Rows = dict[str, tuple[int, float, float, float]]
"""Of each outcome so far: count, sum, least and largest."""


def _add(rows: Rows, columns: dict[str, Floats]) -> None:
    for name, values in columns.items():
        x = values[np.isfinite(values)]
        n, total, least, most = rows.get(name, (0, 0.0, np.inf, -np.inf))
        ends = float(x.min(initial=least)), float(x.max(initial=most))
        rows[name] = (n + len(x), total + float(x.sum()), *ends)


def _table(rows: Rows, progress: StudyProgress) -> Table:
    from rich.table import Table

    out = Table(title=line(progress), title_justify="left", box=None, pad_edge=False)
    for head in ("outcome", "least", "mean", "largest"):
        out.add_column(head, justify="left" if head == "outcome" else "right")
    for name, (n, total, least, most) in rows.items():
        if n:
            out.add_row(name, *(f"{x:.4g}" for x in (least, total / n, most)))
    return out


def line(progress: StudyProgress) -> str:
    """Points, failures, rate, time left."""
    failed = f", {progress.failed} failed" if progress.failed else ""
    left = "" if not np.isfinite(progress.left) else f", {clock(progress.left)} left"
    return f"{progress.done} of {progress.total} points{failed}, {progress.rate:.4g} a second{left}"


def clock(seconds: float) -> str:
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60} min {whole % 60} s" if whole < 3600 else f"{whole / 3600:.1f} h"


@contextmanager
def live(study: Study) -> Iterator[Callable[[StudyProgress], None]]:
    """A table that renews itself on a terminal; a line now and then elsewhere."""
    from rich.console import Console
    from rich.live import Live

    err, rows = Console(stderr=True), Rows()
    if console.quiet:
        yield lambda at: None
        return
    if not err.is_terminal:
        told = [time.monotonic()]

        def say_line(progress: StudyProgress) -> None:
            if time.monotonic() - told[0] > 10.0:
                told[0] = time.monotonic()
                console.say(line(progress))

        yield say_line
        return
    words = f"{study.spec.name}: starting workers ..."
    with Live(words, console=err, transient=True, refresh_per_second=4) as shown:

        def show(progress: StudyProgress) -> None:
            _add(rows, progress.latest.columns)
            shown.update(_table(rows, progress))

        yield show
