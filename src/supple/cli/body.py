"""supple body: what a finite-element file says of a body."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ..errors import InputError
from .command import command
from .console import JSON, print_json, print_table, tell

if TYPE_CHECKING:
    from ..finite_elements.part import PartSummary


@command(
    "body",
    "supple body part.sid",
    "supple body part.sti --root 1,2,3 --station tip=21 --modes 8",
    "supple body K.mtx --mass M.mtx --nodes nodes.txt --root 1",
)
def body(
    file: Path = typer.Argument(help="Standard Input Data (.sid), a stiffness matrix, or a .npz."),
    mass: Path | None = typer.Option(None, "--mass", help="The mass matrix."),
    nodes: Path | None = typer.Option(None, "--nodes", help="Where the nodes are."),
    freedoms: Path | None = typer.Option(None, "--freedoms", help="What each row is."),
    root: str | None = typer.Option(None, "--root", help="Nodes on the joint, e.g. 1,2,3."),
    station: list[str] = typer.Option([], "--station", help="NAME=NODES, e.g. tip=21."),
    method: str = typer.Option("craig_bampton", "--method", help="Or guyan, normal."),
    modes: int | None = typer.Option(None, "--modes", help="How many normal modes."),
    keep: int | None = typer.Option(None, "--keep", help="How many shapes of all."),
    json: bool = JSON,
) -> None:
    """Show the body in a finite-element file: mass, centre, inertia, shapes, what it lacks."""
    from ..finite_elements import summary
    from ..finite_elements.public import load_part

    part = load_part(
        file,
        mass=mass,
        nodes=nodes,
        freedoms=freedoms,
        root=None if root is None else _nodes(root),
        stations=dict(_station(words) for words in station),
        method=method,
        modes=modes,
        keep=keep,
    )
    facts = summary(part)
    if json:
        print_json(facts)
        return
    _print(file, facts)


def _print(file: Path, facts: PartSummary) -> None:
    x, y, z = facts["com"]
    rows = [("mass", f"{facts['mass']:.6g}"), ("mass centre", f"{x:.6g}, {y:.6g}, {z:.6g}")]
    for words, pairs in (
        ("inertia xx, yy, zz", ((0, 0), (1, 1), (2, 2))),
        ("inertia xy, yz, xz", ((0, 1), (1, 2), (0, 2))),
    ):
        rows.append((words, ", ".join(f"{facts['inertia'][i][j]:.6g}" for i, j in pairs)))
    rows.append(("stiffens under load", "yes" if facts["stiffens"] else "no"))
    rows += [(name, f"{value:.2g}") for name, value in facts["checks"].items()]
    print_table(f"{file}: {facts['kind']}, {facts['shapes']} shapes", ("of the body", ""), rows)
    omega = facts["frequencies_clamped_rad_s"]
    if omega:
        lines = [(k + 1, f"{w:.6g}", f"{w / 6.283185307179586:.6g}") for k, w in enumerate(omega)]
        print_table("modes, held at the root", ("mode", "rad/s", "Hz"), lines)
    places = [(name, *(f"{v:.6g}" for v in r)) for name, r in list(facts["stations"].items())[:40]]
    print_table("stations", ("name", "x", "y", "z"), places)
    for note in facts["notes"]:
        tell(f"note: {note}")


def _nodes(words: str) -> int | list[int] | str:
    parts = words.split(",")
    if all(p.strip().isascii() and p.strip().isdigit() and len(p) < 10 for p in parts):
        numbers = [int(p) for p in parts]
        return numbers[0] if len(numbers) == 1 else numbers
    return words


def _station(words: str) -> tuple[str, int | list[int] | str]:
    name, is_, nodes = words.partition("=")
    if not (name and is_ and nodes):
        raise InputError(f"--station is {words!r}; it must be NAME=NODES, e.g. tip=21")
    return name, _nodes(nodes)
