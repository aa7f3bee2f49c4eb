"""What the commands share: tables, JSON, errors with colour, a progress bar."""

from __future__ import annotations

import json
import os
import sys
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from shutil import get_terminal_size
from textwrap import fill
from typing import TYPE_CHECKING, Any

import typer

from ..errors import Fault, ModelError, SuppleError, SuppleWarning
from . import unwind_on_interrupt
from .tables import Rows, fitting_tables

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console
    from rich.progress import Progress
    from rich.text import Text

_WIDE = 160  # columns of a file or a pipe: nothing is broken over lines there
_TOLD: list[str] = []  # warnings of this command
quiet = False  # whether --quiet was given: no progress is shown
JSON = typer.Option(False, "--json", help="Print JSON instead of tables; takes no value.")
PLOT = typer.Option(None, help="Save a figure here (.png, .pdf, .svg).")
WIDTH = typer.Option("screen", help="Of the figure: screen, or a journal's double or single.")


def say(text: str) -> None:
    """A line for people, on standard error, so that standard output stays clean."""
    with suppress(OSError):  # nobody listens
        typer.echo(text, err=True)


@contextmanager
def told_warnings() -> Iterator[None]:
    """Supple's warnings are a line each on standard error, and kept for JSON; Python's others
    are for programmers and not shown."""

    def show(message: Warning | str, category: type[Warning], *_: object) -> None:
        words = " ".join(str(message).split())
        if issubclass(category, SuppleWarning) and words not in _TOLD:
            _TOLD.append(words)
            say(f"{typer.style('warning', fg='yellow', bold=True)}: {words}")

    _TOLD.clear()
    with warnings.catch_warnings():
        warnings.simplefilter("always", SuppleWarning)
        warnings.showwarning = show  # type: ignore[assignment]
        yield


def print_json(value: object) -> None:
    """JSON; an object holds the warnings too, under "warnings"."""
    if isinstance(value, dict):
        value = {**value, "warnings": value.get("warnings", list(_TOLD))}
    typer.echo(json.dumps(value, indent=2, allow_nan=False))


def width() -> int | None:
    """Columns of the terminal, or those that COLUMNS asks for; None: a file or a pipe, where
    lines are as long as they are."""
    if not sys.stdout.isatty() and not os.environ.get("COLUMNS", "").isdigit():
        return None
    return max(get_terminal_size().columns, 40)


def output() -> Console:
    """Standard output: as wide as the terminal, or as it takes in a file or a pipe."""
    from rich.console import Console

    class PipedConsole(Console):
        def on_broken_pipe(self) -> None:
            """A reader that left is no fault: `supple.cli` says so, where Rich leaves with 1."""
            raise BrokenPipeError

    return PipedConsole(width=width() or _WIDE, highlight=False)


def tell(text: str) -> None:
    """A line on standard output, broken between words where the terminal ends."""
    typer.echo(broken(text))


def give(
    json: bool,
    saved: Sequence[str],
    facts: Callable[[], dict[str, Any]],
    tables: Callable[[], None],
) -> None:
    """What a command has found, as JSON or as tables, and the files that it has written."""
    if json:
        print_json({**facts(), "saved": saved})
        return
    tables()
    tell_saved(saved)


def tell_saved(files: Sequence[str]) -> None:
    """A line for each file that was written."""
    for file in files:
        typer.echo(f"saved {file}")


def broken(text: str) -> str:
    """The text in lines that fit the terminal; words stay whole, what follows is indented."""
    if width() is None:
        return text
    if not text.strip("- "):
        return text[: width()]  # a rule under a table's head
    inner = len(text) - len(text.lstrip()) + 2
    return fill(
        text,
        width() or _WIDE,
        subsequent_indent=" " * inner,
        drop_whitespace=True,
        break_long_words=False,
        break_on_hyphens=False,
    )


def print_table(title: str, columns: Sequence[str], rows: Rows, notes: Sequence[str] = ()) -> None:
    """A plain table under its title; numbers are right-aligned, notes stand below."""
    from rich.text import Text

    console = output()
    console.print(Text(broken(title), style="bold"), soft_wrap=True)
    for part in fitting_tables(columns, rows, console.width):
        console.print(part)
    for note in notes:
        console.print(Text(broken(f"  {note}"), style="dim"), soft_wrap=True)


def show_error(error: SuppleError) -> None:
    """The error on standard error, coloured where the terminal can."""
    from rich.console import Console
    from rich.text import Text

    console = Console(stderr=True, soft_wrap=True, highlight=False)
    if not isinstance(error, ModelError):
        console.print(Text.assemble(("error", "bold red"), f": {error}"))
        return
    for fault in error.faults:
        for line in _fault_lines(fault, error.source):
            console.print(line)
        console.print()
    head, _, rest = error.summary.partition(";")
    see = "supple help model"
    console.print(Text.assemble((head, "bold"), f";{rest} See ", (see, "underline"), "."))


def show_warnings(doubts: Sequence[Fault], source: str) -> None:
    """Doubts about a model on standard error, as errors look."""
    from rich.console import Console

    console = Console(stderr=True, soft_wrap=True, highlight=False)
    for doubt in doubts:
        for line in _fault_lines(doubt, source, "warning"):
            console.print(line)
        console.print()


def _fault_lines(fault: Fault, source: str, word: str = "error") -> list[Text]:
    from rich.text import Text

    out = []
    for i, line in enumerate(fault.lines(source, word)):
        text = Text(line)
        if i == 0:
            text.stylize("bold red" if word == "error" else "bold yellow", 0, len(word))
        elif line.startswith("  -->"):
            text.stylize("blue", 0, 5)
            mark = line.rfind("  (")
            if mark > 5:
                text.stylize("dim", mark)
        else:
            bar = line.find("|")
            if bar >= 0:
                text.stylize("blue", 0, bar + 1)
            if i == 3 and "^" in line:
                text.stylize("red", line.index("^"), line.index("^") + 1)
            at = line.find("help:")
            if at >= 0 and i != 2:
                text.stylize("cyan", at, at + 5)
        out.append(text)
    return out


@contextmanager
def interruptible(saved: Sequence[str] = ()) -> Iterator[None]:
    """Ctrl-C leaves with code 130 and says which files were saved until then."""
    unwind_on_interrupt()
    try:
        yield
    except KeyboardInterrupt:
        say(f"\ninterrupted; {' and '.join(saved) or 'nothing'} was saved.")
        raise typer.Exit(130) from None


@contextmanager
def progress_bar(label: str, total: float, unit: str = "s") -> Iterator[Callable[[float], None]]:
    """A bar on standard error that shows up only when the work takes over a second."""
    bar = _LateBar(label, total, unit)
    try:
        yield bar.update
    finally:
        bar.stop()


class _LateBar:
    """A bar that is made when it is first to be seen; one line of words where it cannot move."""

    def __init__(self, label: str, total: float, unit: str) -> None:
        from rich.console import Console

        self.label, self.total, self.console = label, total, Console(stderr=True)
        self.started, self.shown = time.monotonic(), 0.0
        self.unit = unit
        self.bar: Progress | None = None
        self.told = False

    def update(self, done: float) -> None:
        now = time.monotonic()
        if quiet or now - self.shown < 0.1 or now - self.started < 1.0:
            return
        self.shown = now
        if self.console.is_terminal:
            self.bar = self.bar or self._begin()
            self.bar.update(self.bar.task_ids[0], completed=done)
        elif not self.told:
            self.told = True
            sys.stderr.write(f"{self.label} ...\n")

    def _begin(self) -> Progress:
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        bar = Progress(
            TextColumn(self.label),
            BarColumn(),
            TextColumn(f"{{task.completed:.4g}}/{{task.total:.4g}} {self.unit}"),
            TimeRemainingColumn(),
            console=self.console,
            transient=True,
        )
        bar.add_task(self.label, total=self.total)
        bar.start()
        return bar

    def stop(self) -> None:
        if self.bar is not None:
            self.bar.stop()
