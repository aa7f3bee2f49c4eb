"""supple view: runs and robots in three dimensions, in the browser or as a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from .arguments import source_of
from .console import JSON, print_json

if TYPE_CHECKING:
    from ..view.page import View

EXAMPLES = (
    "supple view run.nc",
    "supple view canadarm",
    "supple view soft.nc stiff.nc --export both.html",
    "supple view run.nc --export run.gif --magnify 10",
)


def command(
    sources: list[str] = typer.Argument(
        help="Saved runs (.nc), laid over each other; or one robot: a name or a model file."
    ),
    export: Path | None = typer.Option(
        None,
        help="Write a file instead: .html (one file, opens offline), .glb (Blender, slides), "
        ".gif, or .mp4 where ffmpeg is at hand.",
    ),
    magnify: float = typer.Option(1.0, help="Show bending so many times larger, at first."),
    json: bool = JSON,
) -> None:
    """Show runs, or a robot with sliders and its modes, in three dimensions in the browser."""
    if export is not None:
        from ..files import check_target
        from ..view.page.show import FILES

        check_target(export, FILES)
    made = _view(sources, magnify)
    path = made.save(export) if export is not None else made.show()
    if json:
        print_json({"sources": sources, "title": made.title, "saved": str(path)})
        return
    typer.echo(f"saved {path}" if export is not None else f"opened {path}")


def _view(sources: list[str], magnify: float) -> View:
    from ..errors import InputError
    from ..robot import Robot
    from ..view.page import view_of

    found = [source_of(name) for name in sources]
    if len(found) > 1 and any(isinstance(x, Robot) for x in found):
        raise InputError(
            f"got {', '.join(sources)}: runs (.nc) are laid over each other, but a robot is shown "
            f"alone; simulate it first: supple simulate ROBOT --out run.nc"
        )
    labels = None if isinstance(found[0], Robot) else [Path(name).stem for name in sources]
    return view_of(*found, labels=labels, magnify=magnify)
