"""supple statics: a robot at rest under gravity and end loads."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from .console import JSON, print_json, print_table

if TYPE_CHECKING:
    from ..analyse import Statics


def command(
    robot: str = typer.Argument(help="A shipped name, or a model file."),
    q: str = typer.Option("", help="Joint positions: numbers with commas, pi and deg allowed."),
    load: list[str] = typer.Option(
        [],
        help="STATION=fx,fy,fz or STATION=nx,ny,nz,fx,fy,fz in world axes. Repeatable.",
    ),
    reach: list[str] = typer.Option(
        [], help="STATION=x,y,z: find the joints that bring it there; - leaves one free."
    ),
    linear: bool = typer.Option(False, "--linear", help="Equations linear in the shapes."),
    kinematics: str | None = typer.Option(None, help="Elastic kinematics, e.g. first_order."),
    points: int = typer.Option(11, help="Points along each link, at least 2."),
    plot: Path | None = typer.Option(None, help="Save a figure here (.png, .pdf, .svg)."),
    json: bool = JSON,
) -> None:
    """Joint torques, shapes, curvature, moments and strains of a robot at rest."""
    from ..analyse import reach as find
    from ..analyse import statics
    from ..errors import InputError
    from ..model import load as read
    from ..simulation.result import PLOTS, check_target

    if plot is not None:
        check_target(plot, PLOTS)
    if points < 2:
        raise InputError(f"--points {points}: at least 2 points are needed along a link")
    arm = read(robot)
    if kinematics is not None:
        arm = arm.replace(elastic_kinematics=kinematics)
    joints = _numbers("--q", q) if q else None
    loads = {where: _numbers("--load", text) for where, text in _pairs("--load", load)}
    if reach:
        if linear:
            raise InputError("--linear and --reach exclude each other")
        target = {where: _place(text) for where, text in _pairs("--reach", reach)}
        found = find(arm, target, loads, start=joints)
    else:
        found = statics(arm, joints, loads, linear=linear)
    facts = _facts(found, points)
    saved = [str(_plot(found, plot))] if plot is not None else []
    if json:
        print_json({**facts, "saved": saved})
        return
    _print(facts)
    for path in saved:
        typer.echo(f"saved {path}")


def _pairs(option: str, words: list[str]) -> list[tuple[str, str]]:
    from ..errors import InputError

    out = []
    for text in words:
        where, mark, rest = text.partition("=")
        if not mark or not where.strip():
            raise InputError(f"{option} {text!r}: expected STATION=numbers, e.g. link3.tip=0,-5,0")
        out.append((where.strip(), rest))
    return out


def _numbers(option: str, text: str) -> list[float]:
    from ..errors import InputError
    from ..model.spec import number

    values = [number(part) for part in text.split(",")]
    if not all(isinstance(value, float) for value in values):
        raise InputError(f"{option} {text!r}: expected numbers separated by commas")
    return values


def _place(text: str) -> list[float | None]:
    parts = [part.strip() for part in text.split(",")]
    return [None if part == "-" else _numbers("--reach", part)[0] for part in parts]


def _facts(found: Statics, points: int) -> dict[str, Any]:
    from ..analyse import along, gauges

    robot, q = found.robot, found.q
    joints = {
        robot.coordinate_names[i]: float(q[i])
        for link in robot.links
        for i in range(link.q.start, link.q.stop)
    }
    bends = along(robot, q, points) if robot.modes else {}
    return {
        "robot": robot.name,
        "elastic_kinematics": robot.elastic_kinematics,
        "linear": found.linear,
        "stable": found.stable,
        "residual": found.residual,
        "iterations": found.iterations,
        "joints": joints,
        "torques": found.torques,
        "shapes": found.shapes,
        "loads": {where: w.tolist() for where, w in found.wrench.items()},
        "stations": {where: found.position(where).tolist() for where in _places(found)},
        "links": {
            name: {
                "x": a.x.tolist(),
                "position": a.position.tolist(),
                "deflection": a.deflection.tolist(),
                "curvature": a.curvature.tolist(),
                "moment": a.moment.tolist(),
            }
            for name, a in bends.items()
        },
        "gauges": [
            {
                "station": g.station,
                "x": g.x,
                "curvature": g.curvature.tolist(),
                "moment": g.moment.tolist(),
                "strain": g.strain,
            }
            for g in (gauges(robot, q) if robot.modes else [])
        ],
    }


def _places(found: Statics) -> list[str]:
    ends = [link.name for link in found.robot.links if "tip" in link.body.stations]
    return list(dict.fromkeys([*ends, *found.wrench]))


def _print(facts: dict[str, Any]) -> None:
    title = f"{facts['robot']} at rest, {facts['elastic_kinematics']}"
    rows = [
        (name, facts["joints"].get(name, ""), torque) for name, torque in facts["torques"].items()
    ]
    print_table(title, ("joint", "position", "torque"), rows)
    if facts["shapes"]:
        print_table("shapes", ("shape", "amplitude"), list(facts["shapes"].items()))
    where = [(name, *place) for name, place in facts["stations"].items()]
    if where:
        print_table("stations in the world", ("station", "x", "y", "z"), where)
    for name, a in facts["links"].items():
        columns = ("x", "along", "y", "z", "twist", "k_y", "k_z", "torque", "M_y", "M_z")
        lists = zip(a["x"], a["deflection"], a["curvature"], a["moment"], strict=True)
        _lean_table(name, columns, [(x, *d, *k, *m) for x, d, k, m in lists])
    if facts["gauges"]:
        rows = [(g["station"], g["x"], *g["curvature"], g["strain"]) for g in facts["gauges"]]
        _lean_table("gauges", ("station", "x", "twist", "k_y", "k_z", "strain"), rows)
    if not facts["stable"]:
        typer.echo("this rest is not stable: a small push makes the shapes leave it")


def _lean_table(title: str, columns: tuple[str, ...], rows: list[tuple[Any, ...]]) -> None:
    """A table without the columns that are zero throughout."""
    keep = [i for i, name in enumerate(columns) if name == "x" or any(row[i] for row in rows)]
    print_table(title, [columns[i] for i in keep], [[row[i] for i in keep] for row in rows])


def _plot(found: Statics, path: Path) -> Path:
    from ..simulation.result import write_whole
    from ..view.statics import picture

    figure, kind = picture(found), path.suffix[1:].lower()
    return write_whole(path, lambda temporary: figure.savefig(temporary, format=kind))
