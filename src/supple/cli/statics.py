"""supple statics: a robot at rest under gravity and end loads."""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ..errors import InputError
from .arguments import (
    KINEMATICS,
    ROBOT,
    Q,
    check_figure,
    chosen_robot,
    numbers,
    pairs,
    positions,
    wrenches,
)
from .command import command
from .console import JSON, PLOT, WIDTH, give, print_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..analyse import BeamState, Gauge, Statics
    from ..types import Json


@command(
    "statics",
    "supple statics canadarm --load link3.tip=0,-20,0 --plot rest.png",
    "supple statics piedboeuf-arm --q 30*deg --load arm.endpoint=0,-2.46,0",
)
def statics(
    robot: str = ROBOT,
    q: list[str] = Q,
    load: list[str] = typer.Option(
        [],
        help="STATION=fx,fy,fz or STATION=nx,ny,nz,fx,fy,fz in world axes. Repeatable.",
    ),
    reach: list[str] = typer.Option(
        [], help="STATION=x,y,z: find the joints that bring it there; - leaves one free."
    ),
    linear: bool = typer.Option(False, "--linear", help="Equations linear in the shapes."),
    kinematics: str | None = KINEMATICS,
    points: int = typer.Option(11, help="Points along each link, at least 2."),
    plot: Path | None = PLOT,
    width: str = WIDTH,
    json: bool = JSON,
) -> None:
    """Joint torques, shapes, section forces and strains of a robot at rest."""
    from ..analyse import reach as reached, statics as at_rest
    from ..files import drawn
    from ..view.statics import picture

    check_figure(plot, width)
    if points < 2:
        raise InputError(f"--points {points}: at least 2 points are needed along a link")
    arm = chosen_robot(robot, kinematics)
    joints = positions(arm, q)
    loads = wrenches(load)
    target = {where: _place(text) for where, text in pairs("--reach", reach)}
    if target and linear:
        raise InputError("--linear and --reach exclude each other")
    if target:
        found = reached(arm, target, loads, start=joints)
    else:
        found = at_rest(arm, joints, loads, linear=linear)
    facts = _facts(found, points)
    saved = [] if plot is None else [str(drawn(plot, lambda: picture(found, width=width)))]
    give(json, saved, lambda: facts, lambda: _print(facts))


def _place(text: str) -> list[float | None]:
    parts = [part.strip() for part in text.split(",")]
    return [None if part == "-" else numbers("--reach", part)[0] for part in parts]


def _facts(found: Statics, points: int) -> dict[str, Json]:
    robot = found.robot
    bends = found.along(points) if robot.modes else {}
    return {
        "robot": robot.name,
        "elastic_kinematics": robot.elastic_kinematics,
        "linear": found.linear,
        "stable": found.stable,
        "stiffness_left": found.stiffness_left if isfinite(found.stiffness_left) else None,
        "warnings": list(found.warnings),
        "residual": found.residual,
        "iterations": found.iterations,
        "joints": found.joints,
        "torques": found.torques,
        "behind_gears": [found.robot.links[gear.link].joint_name for gear in found.robot.gears],
        "shapes": found.shapes,
        "loads": {where: w.tolist() for where, w in found.wrench.items()},
        "stations": {where: found.position(where).tolist() for where in _places(found)},
        "links": {name: _link_facts(a) for name, a in bends.items()},
        "gauges": [_gauge_facts(g) for g in (found.gauges() if robot.modes else [])],
    }


def _link_facts(a: BeamState) -> dict[str, object]:
    names = ("x", "position", "deflection", *SECTION_FACTS)
    return {name: getattr(a, name).tolist() for name in names}


def _gauge_facts(g: Gauge) -> dict[str, object]:
    section = {name: getattr(g, name).tolist() for name in SECTION_FACTS}
    return {"station": g.station, "x": g.x, **section, "strain": g.strain}


def _places(found: Statics) -> list[str]:
    """Tips by their links' names, then stations of the model, then other places of loads."""
    links = found.robot.links
    ends = [link.name for link in links if "tip" in link.body.stations]
    own = ("origin", "root", "tip")
    named = [f"{link.name}.{s}" for link in links for s in link.body.stations if s not in own]
    loaded = [where for where in found.wrench if where.removesuffix(".tip") not in ends]
    return list(dict.fromkeys([*ends, *named, *loaded]))


def _print(facts: dict[str, Json]) -> None:
    title = f"{facts['robot']} at rest, {facts['elastic_kinematics']}"
    rows = [
        (name, facts["joints"].get(name, ""), torque) for name, torque in facts["torques"].items()
    ]
    rows += [(name, facts["joints"][name], "") for name in facts["behind_gears"]]
    print_table(title, ("joint", "position", "torque"), rows)
    if facts["shapes"]:
        print_table("shapes", ("shape", "amplitude"), list(facts["shapes"].items()))
    where = [(name, *place) for name, place in facts["stations"].items()]
    if where:
        print_table("stations in the world", ("station", "x", "y", "z"), where)
    for name, a in facts["links"].items():
        shape = zip(a["x"], a["deflection"], a["curvature"], strict=True)
        bends = ("x", "along", "y", "z", "twist", "k_y", "k_z")
        _lean_table(f"{name}: deflection and curvature", bends, [(x, *d, *k) for x, d, k in shape])
        inner = zip(a["x"], a["force"], a["moment"], a["elastic_moment"], strict=True)
        title = f"{name}: section forces (equilibrium), and stiffness times curvature"
        _lean_table(title, ("x", *SECTION), [(x, *f, *m, *e) for x, f, m, e in inner])
    if facts["gauges"]:
        columns = ("station", "x", "twist", "k_y", "k_z", *SECTION[:6], "strain")
        parts = ("curvature", "force", "moment")
        rows = [
            (g["station"], g["x"], *(x for part in parts for x in g[part]), g["strain"])
            for g in facts["gauges"]
        ]
        _lean_table("gauges", columns, rows)


SECTION_FACTS = ("curvature", "force", "moment", "elastic_moment")
SECTION = ("N", "Q_y", "Q_z", "T", "M_y", "M_z", "GJ twist", "EI k_y", "EI k_z")


def _lean_table(
    title: str, columns: tuple[str, ...], rows: Sequence[Sequence[float | str]]
) -> None:
    """A table without the columns that are zero throughout, rounding aside."""
    sizes = [
        max((abs(x) for x in (row[i] for row in rows) if not isinstance(x, str)), default=1.0)
        for i in range(len(columns))
    ]
    least = 1e-12 * max(sizes)
    keep = [i for i, name in enumerate(columns) if name in ("x", "station") or sizes[i] > least]
    print_table(title, [columns[i] for i in keep], [[row[i] for i in keep] for row in rows])
