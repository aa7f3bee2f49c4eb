"""The `supple` command: one small file a command, nothing heavy imported before it is needed."""

from __future__ import annotations

import sys

import typer

from . import check, frequencies, help, new, robots, show, simulate

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
    ("frequencies", frequencies),
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
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Show the version and leave."
    ),
) -> None:
    """Kinematics and dynamics of robots whose links bend."""


def main() -> None:
    """Run the command; a user's mistake is one message and exit code 2, never a traceback."""
    from ..errors import SuppleError

    try:
        app()
    except SuppleError as error:
        from .console import show_error

        show_error(error)
        sys.exit(2)
    except KeyboardInterrupt:
        typer.echo("\ninterrupted; nothing was saved.", err=True)
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)

