"""How far a study is: a line with rate and time left, and the outcomes so far."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from . import console

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.table import Table

    from ..sweeps import Study, StudyProgress


class _Outcomes:
    """Least, mean and largest of each outcome so far."""

    def __init__(self) -> None:
        self.rows: dict[str, tuple[int, float, float, float]] = {}  # count, sum, least, largest

    def add(self, progress: StudyProgress) -> None:
        for name, values in (
            progress.latest.columns if progress.latest is not None else {}
        ).items():
            x = values[np.isfinite(values)]
            if not len(x):
                continue
            n, total, least, most = self.rows.get(name, (0, 0.0, np.inf, -np.inf))
            self.rows[name] = (
                n + len(x),
                total + float(x.sum()),
                min(least, float(x.min())),
                max(most, float(x.max())),
            )

    def table(self, progress: StudyProgress) -> Table:
        from rich.table import Table

        out = Table(title=line(progress), title_justify="left", box=None, pad_edge=False)
        for head in ("outcome", "least", "mean", "largest"):
            out.add_column(head, justify="left" if head == "outcome" else "right")
        for name, (n, total, least, most) in self.rows.items():
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

    err, outcomes = Console(stderr=True), _Outcomes()
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
            outcomes.add(progress)
            shown.update(outcomes.table(progress))

        yield show
