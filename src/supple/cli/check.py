"""supple check: is a model file right?"""

from __future__ import annotations

from pathlib import Path

import typer

from .console import JSON, print_json


def command(
    file: Path = typer.Argument(help="A model file (.yaml)."),
    json: bool = JSON,
) -> None:
    """Check a model file: say what is wrong with it, and what is doubtful."""
    from ..errors import ModelError
    from ..model import build
    from ..model.yaml import read

    try:
        robot = build(read(file))
    except ModelError as error:
        if not json:
            raise
        faults = [
            {"message": f.message, "key": f.key, "line": f.line, "column": f.column, "help": f.help}
            for f in error.faults
        ]
        print_json({"file": str(file), "ok": False, "errors": faults})
        raise typer.Exit(2) from None
    if json:
        print_json({"file": str(file), "ok": True, "errors": []})
        return
    typer.echo(
        f"{file}: ok ({robot.name}, {len(robot.links)} links, {robot.nv} degrees of freedom)"
    )
