"""Commands by name, and what each has beside its own options: --quiet, completion, examples."""

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
COMMANDS: dict[str, Callable[..., None]] = {}
EXAMPLES: dict[str, tuple[str, ...]] = {}
"""Lines that the help of each command ends with."""


def command(name: str, *examples: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Makes a function the command `supple NAME`."""

    def named(function: Callable[..., None]) -> Callable[..., None]:
        COMMANDS[name], EXAMPLES[name] = _dressed(function), examples
        return function

    return named


def _dressed(function: Callable[..., None]) -> Callable[..., None]:
    """The command with --quiet, and with names that a shell completes."""
    parameters = signature(function).parameters
    for name, completer in COMPLETERS.items():
        if name in parameters and hasattr(parameters[name].default, "autocompletion"):
            parameters[name].default.autocompletion = completer

    @wraps(function)
    def run(*, quiet: bool, **options: object) -> None:
        with _silence(bool(options.get("json"))) if quiet else nullcontext():
            function(**options)

    last = Parameter("quiet", Parameter.KEYWORD_ONLY, default=QUIET, annotation=bool)
    run.__signature__ = signature(function).replace(  # type: ignore[attr-defined]
        parameters=[*parameters.values(), last]
    )
    run.__annotations__ = {**function.__annotations__, "quiet": bool}
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
