"""What every command has beside its own options: --quiet, completion, examples in its help."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, redirect_stdout
from functools import wraps
from inspect import Parameter, signature

import typer

from . import console
from .completing import COMPLETERS

QUIET = typer.Option(
    False, "--quiet", help="No tables, no progress; files are saved, warnings and JSON stay."
)


def examples(*lines: str) -> str:
    """The end of a help text."""
    return "\n\n".join(["[bold]Examples[/bold]", *(f"  {line}" for line in lines)])


def dressed(command: Callable[..., None]) -> Callable[..., None]:
    """The command with --quiet, and with names that a shell completes."""
    parameters = signature(command).parameters
    for name, completer in COMPLETERS.items():
        if name in parameters and hasattr(parameters[name].default, "autocompletion"):
            parameters[name].default.autocompletion = completer

    @wraps(command)
    def run(*, quiet: bool, **options: object) -> None:
        with _silence(bool(options.get("json"))) if quiet else nullcontext():
            command(**options)

    last = Parameter("quiet", Parameter.KEYWORD_ONLY, default=QUIET, annotation=bool)
    run.__signature__ = signature(command).replace(  # type: ignore[attr-defined]
        parameters=[*parameters.values(), last]
    )
    run.__annotations__ = {**command.__annotations__, "quiet": bool}
    return run


@contextmanager
def _silence(json: bool) -> Iterator[None]:
    """Nothing on standard output but JSON that was asked for, and no progress."""
    console.quiet = True
    try:
        if json:
            yield
            return
        with open(os.devnull, "w", encoding="utf-8") as nowhere, redirect_stdout(nowhere):
            yield
    finally:
        console.quiet = False
