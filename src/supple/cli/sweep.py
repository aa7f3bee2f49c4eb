"""supple sweep: a study of many points, on all cores or on a cluster, and its report.

How far it is: a line with rate and time left, and the outcomes so far.
"""

from __future__ import annotations

import math
import time
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from . import console, unwind_on_interrupt
from .arguments import check_figure
from .console import JSON, PLOT, WIDTH, print_json, print_table, say, tell, tell_saved

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.table import Table

    from ..sweeps import Study, StudyProgress, Sweep
    from ..types import Floats

EXAMPLES = (
    "supple new study.yaml --study",
    "supple sweep study.yaml --workers 2",
    "supple sweep study.yaml --resume --scheduler tcp://127.0.0.1:8786",
    "supple sweep report arm-study.sweep --plot report.png",
)


def command(
    study: str = typer.Argument(help="A study file; or the word report, and then its folder."),
    folder: Path | None = typer.Argument(None, help="With report: the folder of the results."),
    out: Path | None = typer.Option(None, help="Folder of the results; default: NAME.sweep."),
    resume: bool = typer.Option(False, "--resume", help="Go on with what is there."),
    retry: bool = typer.Option(False, "--retry", help="Compute points anew that failed."),
    workers: int | None = typer.Option(None, help="Processes; default: one for each core."),
    scheduler: str | None = typer.Option(None, help="Address of a Dask scheduler to run on."),
    limit: float | None = typer.Option(None, help="Seconds that a point may take."),
    point: int | None = typer.Option(None, help="Compute this point alone and show it."),
    check: bool = typer.Option(False, "--check", help="Only say whether the study is right."),
    pareto: str | None = typer.Option(None, help="A,B: points that are best in both outcomes."),
    plot: Path | None = PLOT,
    width: str = WIDTH,
    json: bool = JSON,
) -> None:
    """Vary numbers of a robot or of what is done with it, and keep what comes of it."""
    from ..sweeps import load_sweep, read_study, sweep

    check_figure(plot, width)
    _check_words(study, folder)
    if folder is not None:
        _report(load_sweep(folder), pareto, plot, width, json)
        return
    made = read_study(study)
    if check:
        _checked(made, json)
    elif point is not None:
        _one(made, point, json)
    else:
        work = partial(sweep, made, out=out, resume=resume, retry=retry, limit=limit)
        on_cores = partial(work, workers=workers, scheduler=scheduler)
        _report(_watched(on_cores, made), pareto, plot, width, json)


def _check_words(study: str, folder: Path | None) -> None:
    """The word report and a folder, or a study file alone."""
    from ..errors import InputError

    if study == "report" and folder is None:
        raise InputError("supple sweep report needs the folder of the results, e.g. x.sweep")
    if study != "report" and folder is not None:
        raise InputError(f"there is a second word, {str(folder)!r}; --out names the folder")


def _watched(work: Callable[..., Sweep], study: Study) -> Sweep:
    """The study done, and shown while it is; Ctrl-C leaves with code 130."""
    unwind_on_interrupt()
    try:
        with _live(study) as progress:
            return work(progress=progress)
    except KeyboardInterrupt:
        say("\ninterrupted; finished points are kept, --resume goes on")
        raise typer.Exit(130) from None


Rows = dict[str, tuple[int, float, float, float]]
"""Of each outcome so far: count, sum, least and largest."""


def _add(rows: Rows, columns: dict[str, Floats]) -> None:
    import numpy as np

    for name, values in columns.items():
        x = values[np.isfinite(values)]
        n, total, least, most = rows.get(name, (0, 0.0, np.inf, -np.inf))
        ends = float(x.min(initial=least)), float(x.max(initial=most))
        rows[name] = (n + len(x), total + float(x.sum()), *ends)


def _table(rows: Rows, progress: StudyProgress) -> Table:
    from rich.table import Table

    out = Table(title=_line(progress), title_justify="left", box=None, pad_edge=False)
    for head in ("outcome", "least", "mean", "largest"):
        out.add_column(head, justify="left" if head == "outcome" else "right")
    for name, (n, total, least, most) in rows.items():
        if n:
            out.add_row(name, *(f"{x:.4g}" for x in (least, total / n, most)))
    return out


def _line(progress: StudyProgress) -> str:
    """Points, failures, rate, time left."""
    failed = f", {progress.failed} failed" if progress.failed else ""
    left = "" if not math.isfinite(progress.left) else f", {_clock(progress.left)} left"
    return f"{progress.done} of {progress.total} points{failed}, {progress.rate:.4g} a second{left}"


def _clock(seconds: float) -> str:
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60} min {whole % 60} s" if whole < 3600 else f"{whole / 3600:.1f} h"


@contextmanager
def _live(study: Study) -> Iterator[Callable[[StudyProgress], None]]:
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
                say(_line(progress))

        yield say_line
        return
    words = f"{study.spec.name}: starting workers ..."
    with Live(words, console=err, transient=True, refresh_per_second=4) as shown:

        def show(progress: StudyProgress) -> None:
            _add(rows, progress.latest.columns)
            shown.update(_table(rows, progress))

        yield show


def _checked(study: Study, json: bool) -> None:
    from ..errors import counted

    facts = {
        "study": study.spec.name,
        "robot": study.robot.name,
        "points": len(study),
        "blocks": len(study.blocks),
        "varied": list(study.points.names),
        "outcomes": list(study.spec.outcomes),
        "notes": study.notes(),
    }
    if json:
        print_json(facts)
        return
    points, numbers = counted(len(study), "point"), counted(len(study.points.names), "number")
    blocks = counted(len(study.blocks), "block")
    for note in study.notes():
        tell(f"note: {note}")
    tell(f"{study.source}: ok ({study.spec.name}, {points} of {numbers} in {blocks})")


def _one(study: Study, point: int, json: bool) -> None:
    """One point, here and now."""
    from ..errors import InputError, SimulationError

    if not 0 <= point < len(study):
        raise InputError(f"--point {point}: the study has the points 0 to {len(study) - 1}")
    found = study.experiment.run(study.points.some([point]))
    if found.trouble[0]:
        raise SimulationError(f"point {point}: {found.trouble[0]}")
    outcomes = {name: float(values[0]) for name, values in found.columns.items()}
    if json:
        print_json({"point": point, "varied": study.points.at(point), "outcomes": outcomes})
        return
    rows = [*study.points.at(point).items(), *outcomes.items()]
    print_table(f"{study.spec.name}, point {point}", ("number", "value"), rows)


def _report(found: Sweep, pareto: str | None, plot: Path | None, width: str, json: bool) -> None:
    from ..errors import InputError
    from ..sweeps.report import checked_pair, facts

    pair = None
    if pareto is not None:
        words = [word.strip() for word in pareto.split(",")]
        if len(words) != 2:
            raise InputError(f"--pareto {pareto!r}: expected two outcomes, e.g. --pareto a,b")
        pair = checked_pair(found, (words[0], words[1]))
    saved = [] if plot is None else [str(found.plot(plot, pareto=pair, width=width))]
    if json:
        print_json({**facts(found, pair), "saved": saved})
        return
    for line in found.report(pair).splitlines():
        typer.echo(line)
    tell_saved(saved)
