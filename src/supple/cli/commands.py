"""The commands gathered into one application, in the order in which its help lists them."""

from __future__ import annotations

from importlib import import_module

import typer

from . import START, sweep
from .command import COMMANDS, EXAMPLES, command
from .console import told_warnings

for _file in (
    *("robots", "model_files", "body", "simulate", "statics", "vibration", "linear", "map"),
    *("drives", "pictures", "equations", "reproduce", "cache", "bench", "help"),
):
    import_module(f".{_file}", __package__)
command("sweep", *sweep.EXAMPLES)(sweep.command)


def _examples(*lines: str) -> str:
    """The end of a help text."""
    return "\n\n".join(["[bold]Examples[/bold]", *(f"  {line}" for line in lines)])


app = typer.Typer(
    name="supple",
    help="Kinematics and dynamics of robots whose links bend.",
    epilog=_examples(
        "supple simulate canadarm --plot run.png",
        "supple COMMAND --help",
        "supple --install-completion",
    ),
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
for _name in (
    *("robots", "show", "check", "new", "body", "simulate", "statics", "frequencies"),
    *("linearise", "bode", "campbell", "map", "inverse", "energy", "plot", "view", "sweep"),
    *("equations", "export", "zeros", "reproduce", "cache", "bench", "help"),
):
    app.command(_name, epilog=_examples(*EXAMPLES[_name]))(COMMANDS[_name])


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
