"""The commands gathered into one application."""

from __future__ import annotations

import typer

from . import (
    START,
    bench,
    bode,
    body,
    cache,
    campbell,
    check,
    energy,
    equations,
    export,
    frequencies,
    help,
    inverse,
    linearise,
    map,
    new,
    plot,
    reproduce,
    robots,
    show,
    simulate,
    statics,
    sweep,
    view,
    zeros,
)
from .common_options import dressed, examples
from .console import told_warnings

app = typer.Typer(
    name="supple",
    help="Kinematics and dynamics of robots whose links bend.",
    epilog=examples(
        "supple simulate canadarm --plot run.png",
        "supple COMMAND --help",
        "supple --install-completion",
    ),
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
for _name, _module in (
    ("robots", robots),
    ("show", show),
    ("check", check),
    ("new", new),
    ("body", body),
    ("simulate", simulate),
    ("statics", statics),
    ("frequencies", frequencies),
    ("linearise", linearise),
    ("bode", bode),
    ("campbell", campbell),
    ("map", map),
    ("inverse", inverse),
    ("energy", energy),
    ("plot", plot),
    ("view", view),
    ("sweep", sweep),
    ("equations", equations),
    ("export", export),
    ("zeros", zeros),
    ("reproduce", reproduce),
    ("cache", cache),
    ("bench", bench),
    ("help", help),
):
    app.command(_name, epilog=examples(*_module.EXAMPLES))(dressed(_module.command))


def _version(value: bool) -> None:
    if value:
        from .. import __version__

        typer.echo(f"supple {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Show the version and exit."
    ),
) -> None:
    """Kinematics and dynamics of robots whose links bend."""
    if context.invoked_subcommand is None:
        typer.echo(START, nl=False)
    context.with_resource(told_warnings())
