"""supple new, check, export: files of models and studies."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ..errors import Fault, FileError, InputError, ModelError, counted
from . import unwind_on_interrupt
from .command import command
from .console import JSON, print_json, show_warnings, tell

if TYPE_CHECKING:
    from ..robot import Robot


@command(
    "new",
    "supple new arm.yaml",
    "supple new linkage.yaml --closed",
    "supple new bent.yaml --from robot.urdf --bend forearm_link",
    "supple new study.yaml --study",
)
def new(
    file: Path = typer.Argument(help="Where to write it, e.g. arm.yaml."),
    force: bool = typer.Option(False, "--force", help="Overwrite an existing file."),
    closed: bool = typer.Option(False, "--closed", help="A closed chain: a four-bar linkage."),
    source: Path | None = typer.Option(None, "--from", help="A URDF file that it extends."),
    bend: list[str] | None = typer.Option(None, help="With --from: a link that bends; repeat it."),
    study: bool = typer.Option(False, "--study", help="A study file for supple sweep instead."),
    json: bool = JSON,
) -> None:
    """Write a commented model file: a two-link arm with one flexible link, or a URDF robot whose
    links bend (their sections a proposal)."""
    from ..files import write_whole

    _check_new(file, force)
    if source is not None or bend:
        _extend(file, source, bend or [], json)
        return
    if closed and study:
        raise InputError("--closed is for robots, --study for studies; give one of them")
    name = "model/template_closed.yaml" if closed else "model/template.yaml"
    name = "sweeps/template.yaml" if study else name
    write_whole(file, (files("supple") / name).read_text(encoding="utf-8"))
    first = f"supple sweep {file} --check" if study else f"supple check {file}"
    then = f"supple show {file}" if closed else f"supple simulate {file} --plot run.png"
    then = f"supple sweep {file}" if study else then
    if json:
        print_json({"file": str(file), "next": [first, then]})
        return
    typer.echo(f"wrote {file}. Next: {first}; {then}")


def _check_new(file: Path, force: bool) -> None:
    """Refuse to overwrite a file; Ctrl-C then leaves none behind."""
    from ..checks import file_name

    if file_name(file, "write").exists() and not force:
        raise FileError(f"{file} exists already; choose another name, or --force to overwrite it")
    unwind_on_interrupt()


def _extend(file: Path, source: Path | None, bend: list[str], json: bool) -> None:
    """Write a model that extends a URDF file."""
    from ..files import write_whole
    from ..model.urdf.propose import proposal

    if source is None:
        raise InputError("--bend names links of a URDF file: add --from robot.urdf")
    write_whole(file, proposal(file, source, bend))
    then = [f"supple check {file}", f"supple show {file}"]
    told = "The sections in it are a proposal, guessed from mass, inertia and size: look at them. "
    if json:
        print_json({"file": str(file), "proposal": bool(bend), "next": then})
        return
    typer.echo(f"wrote {file}. {told if bend else ''}Next: {'; '.join(then)}")


@command(
    "check",
    "supple check arm.yaml",
    "supple check arm.yaml --json",
)
def check(
    file: Path = typer.Argument(help="A model file (.yaml, .urdf, .xml)."),
    json: bool = JSON,
) -> None:
    """Check a model file: say what is wrong with it, and what is doubtful."""
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
    from ..loops import degrees_of_freedom

    loops = f", {counted(len(robot.loops), 'loop')}" if robot.loops else ""
    return f"{counted(degrees_of_freedom(robot), 'degree')} of freedom{loops}"


def _plain(faults: Iterable[Fault]) -> list[dict[str, object]]:
    return [
        {"message": f.message, "key": f.key, "line": f.line, "column": f.column, "help": f.help}
        for f in faults
    ]


@command(
    "export",
    "supple export puma puma.urdf",
    "supple export robot.urdf robot.yaml",
)
def export(
    robot: str = typer.Argument(help="A shipped name, or a model file (.yaml, .urdf, .xml)."),
    file: Path = typer.Argument(help="Where to write it: a .urdf (rigid) or a .yaml file."),
    force: bool = typer.Option(False, "--force", help="Overwrite an existing file."),
    json: bool = JSON,
) -> None:
    """Write a robot as a rigid URDF file, or as a model file of Supple; what is lost is told."""
    from ..model import load, write_model

    _check_new(file, force)
    lost = write_model(load(robot), file)
    if json:
        print_json({"file": str(file), "lost": lost})
        return
    tell(f"wrote {file}")
    for words in lost:
        tell(f"  lost: {words}")
