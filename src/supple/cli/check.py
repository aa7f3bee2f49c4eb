"""supple check: is a model file right?"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from .console import JSON, print_json, show_warnings, tell

if TYPE_CHECKING:
    from ..errors import Fault
    from ..robot import Robot

EXAMPLES = (
    "supple check arm.yaml",
    "supple check arm.yaml --json",
)


def command(
    file: Path = typer.Argument(help="A model file (.yaml, .urdf, .xml)."),
    json: bool = JSON,
) -> None:
    """Check a model file: say what is wrong with it, and what is doubtful."""
    from ..errors import ModelError, counted
    from ..model import build, plausibility
    from ..model.build import complete
    from ..model.load import open_document

    try:
        document = complete(open_document(file))
        robot = build(document)
    except ModelError as error:
        if not json:
            raise
        report = {"ok": False, "errors": _plain(error.faults), "warnings": []}
        print_json({"file": str(file), **report})
        raise typer.Exit(2) from None
    doubts = plausibility(robot, document)
    if json:
        print_json({"file": str(file), "ok": True, "errors": [], "warnings": _plain(doubts)})
        return
    show_warnings(doubts, document.source)
    many = f", {counted(len(doubts), 'warning')}" if doubts else ""
    links = counted(len(robot.links), "link")
    tell(f"{file}: ok ({robot.name}, {links}, {_freedom(robot)}{many})")


def _freedom(robot: Robot) -> str:
    from ..errors import counted
    from ..loops import degrees_of_freedom

    loops = f", {counted(len(robot.loops), 'loop')}" if robot.loops else ""
    return f"{counted(degrees_of_freedom(robot), 'degree')} of freedom{loops}"


def _plain(faults: Iterable[Fault]) -> list[dict[str, object]]:
    return [
        {"message": f.message, "key": f.key, "line": f.line, "column": f.column, "help": f.help}
        for f in faults
    ]
