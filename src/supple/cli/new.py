"""supple new: a commented template to start from."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import typer

from . import unwind_on_interrupt


def command(
    file: Path = typer.Argument(help="Where to write it, e.g. arm.yaml."),
    force: bool = typer.Option(False, "--force", help="Overwrite an existing file."),
) -> None:
    """Write a commented model file: a two-link arm with one flexible link."""
    from ..checks import file_name
    from ..errors import FileError
    from ..files import write_whole

    if file_name(file, "write").exists() and not force:
        raise FileError(f"{file} exists already; choose another name, or --force to overwrite it")
    unwind_on_interrupt()
    words = (files("supple") / "model" / "template.yaml").read_text(encoding="utf-8")
    write_whole(file, words)
    typer.echo(f"wrote {file}. Next: supple check {file}; supple simulate {file} --plot run.png")
