"""supple export: a robot's model as another file."""

from __future__ import annotations

from pathlib import Path

import typer

from . import unwind_on_interrupt
from .console import JSON, print_json, tell

EXAMPLES = (
    "supple export puma puma.urdf",
    "supple export robot.urdf robot.yaml",
)


def command(
    robot: str = typer.Argument(help="A shipped name, or a model file (.yaml, .urdf, .xml)."),
    file: Path = typer.Argument(help="Where to write it: a .urdf (rigid) or a .yaml file."),
    force: bool = typer.Option(False, "--force", help="Overwrite an existing file."),
    json: bool = JSON,
) -> None:
    """Write a robot as a rigid URDF file, or as a model file of Supple; what is lost is told."""
    from ..checks import file_name
    from ..errors import FileError
    from ..model import load, write_model

    if file_name(file, "write").exists() and not force:
        raise FileError(f"{file} exists already; choose another name, or --force to overwrite it")
    unwind_on_interrupt()
    lost = write_model(load(robot), file)
    if json:
        print_json({"file": str(file), "lost": lost})
        return
    tell(f"wrote {file}")
    for words in lost:
        tell(f"  lost: {words}")
