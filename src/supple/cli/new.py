"""supple new: a commented template to start from."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import typer

from . import unwind_on_interrupt
from .console import JSON, print_json

EXAMPLES = (
    "supple new arm.yaml",
    "supple new linkage.yaml --closed",
    "supple new bent.yaml --from robot.urdf --bend forearm_link",
    "supple new study.yaml --study",
)


def command(
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
    from ..checks import file_name
    from ..errors import FileError, InputError
    from ..files import write_whole

    if file_name(file, "write").exists() and not force:
        raise FileError(f"{file} exists already; choose another name, or --force to overwrite it")
    unwind_on_interrupt()
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


def _extend(file: Path, source: Path | None, bend: list[str], json: bool) -> None:
    """Write a model that extends a URDF file."""
    from ..errors import InputError
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
