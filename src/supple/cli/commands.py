"""The commands gathered into one application."""

from __future__ import annotations

import typer

from . import (
    bench,
    bode,
    cache,
    campbell,
    check,
    energy,
    equations,
    frequencies,
    help,
    inverse,
    linearise,
    map,
    new,
    reproduce,
    robots,
    show,
    simulate,
    statics,
    zeros,
)
from .console import told_warnings

app = typer.Typer(
    name="supple",
    help="Kinematics and dynamics of robots whose links bend.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
for _name, _module in (
    ("robots", robots),
    ("show", show),
    ("check", check),
    ("new", new),
    ("simulate", simulate),
    ("statics", statics),
    ("frequencies", frequencies),
    ("linearise", linearise),
    ("bode", bode),
    ("campbell", campbell),
    ("map", map),
    ("inverse", inverse),
    ("energy", energy),
    ("equations", equations),
    ("zeros", zeros),
    ("reproduce", reproduce),
    ("cache", cache),
    ("bench", bench),
    ("help", help),
):
    app.command(_name)(_module.command)


def _version(value: bool) -> None:
    if value:
        from .. import __version__

        typer.echo(f"supple {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Show the version and leave."
    ),
) -> None:
    """Kinematics and dynamics of robots whose links bend."""
    context.with_resource(told_warnings())
