"""supple map: deflection and stiffness of a station over a workspace."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ..errors import InputError, counted
from .arguments import (
    KINEMATICS,
    ROBOT,
    Q,
    check_figure,
    check_file,
    chosen_robot,
    numbers,
    pairs,
    positions,
    wrenches,
)
from .command import command
from .console import JSON, PLOT, WIDTH, give, print_table, progress_bar

if TYPE_CHECKING:
    from ..analyse import WorkspaceMap
    from ..robot import Robot
    from ..types import Coordinates, Floats

RANGE = "FROM:TO:COUNT, or one number that holds it there"


@command(
    "map",
    "supple map canadarm --joint joint2=-90*deg:90*deg:7 --load link3.tip=0,-20,0",
    "supple map canadarm --x 4:14:6 --y -6:6:7 --q 0,0.3,0.3 --plot map.png",
)
def deflections(
    robot: str = ROBOT,
    station: str = typer.Option("", help="The station; default: the last link's tip."),
    x: str = typer.Option("", help=f"Places of the unbent station: {RANGE}."),
    y: str = typer.Option("", help=f"Likewise: {RANGE}."),
    z: str = typer.Option("", help=f"Likewise: {RANGE}."),
    joint: list[str] = typer.Option([], help="NAME=FROM:TO:COUNT instead of places. Repeatable."),
    load: list[str] = typer.Option([], help="STATION=fx,fy,fz or a wrench. Repeatable."),
    q: list[str] = Q,
    kinematics: str | None = KINEMATICS,
    plot: Path | None = PLOT,
    width: str = WIDTH,
    out: Path | None = typer.Option(None, help="Save the map as a table here (.csv)."),
    json: bool = JSON,
) -> None:
    """How far a station gives way under gravity and load, and how stiff it is, place by place.

    --q says where the joints begin: elbow up or down, and joints that the map does not move.
    """
    from ..files import write_whole

    check_figure(plot, width)
    check_file(out, (".csv",))
    arm = chosen_robot(robot, kinematics)
    axes = _axes(x, y, z, joint)
    found = _mapped(arm, station or _last(arm), axes, wrenches(load), positions(arm, q))
    saved = [] if plot is None else [str(found.plot(plot, width=width))]
    saved += [] if out is None else [str(write_whole(out, _csv(found)))]
    give(json, saved, lambda: _facts(found), lambda: _print(found))


def _mapped(
    arm: Robot,
    station: str,
    axes: dict[str, Floats | float],
    loads: dict[str, list[float]],
    start: Coordinates | None,
) -> WorkspaceMap:
    from ..analyse import workspace_map

    with progress_bar(f"map of {arm.name}", float(_size(axes)), "places") as bar:
        return workspace_map(arm, station, axes, loads, start=start, progress=bar)


def _axes(x: str, y: str, z: str, joint: list[str]) -> dict[str, Floats | float]:
    given = {name: text for name, text in (("x", x), ("y", y), ("z", z)) if text}
    out = {name: _range(f"--{name}", text) for name, text in given.items()}
    out |= {name: _range("--joint", text) for name, text in pairs("--joint", joint)}
    if not out:
        raise InputError("a map needs axes: --x 0:1:11 --y -1:1:21, or --joint NAME=-1:1:21")
    return out


def _size(axes: dict[str, Floats | float]) -> int:
    """How many places there are."""
    import math

    return math.prod(len(row) for row in axes.values() if not isinstance(row, float))


def _range(option: str, text: str) -> Floats | float:
    import numpy as np

    parts = [part for word in text.split(":") for part in numbers(option, word)]
    if len(parts) == 1:
        return parts[0]
    if len(parts) != 3 or not 1 <= parts[2] <= 20_000 or parts[2] != int(parts[2]):
        raise InputError(f"{option} {text!r}: expected {RANGE}, e.g. 0:1.5:16")
    return np.linspace(parts[0], parts[1], int(parts[2]))


def _last(arm: Robot) -> str:
    ends = [link.name for link in arm.links if "tip" in link.body.stations]
    return ends[-1] if ends else str(arm.links[-1].name)


def _rows(found: WorkspaceMap) -> list[dict[str, float]]:
    """A row for each place that is reached."""
    import numpy as np

    data, out = found.data, []
    for index in np.argwhere(np.isfinite(data["sag"].values)):
        here = data.isel(dict(zip(found.axes, map(int, index), strict=True)))
        row = {name: float(here[name]) for name in found.axes}
        row |= {f"d{a}": float(here["deflection"].sel(axis=a)) for a in "xyz"}
        row |= {n: float(here[n]) for n in ("sag", "softest", "stiffest", "along")}
        row |= {f"torque {j}": float(here["torque"].sel(joint=j)) for j in data["joint"].values}
        out.append(row)
    return out


def _csv(found: WorkspaceMap) -> str:
    rows = _rows(found)
    lines = [",".join(rows[0])] if rows else []
    lines += [",".join(f"{v:.10g}" for v in row.values()) for row in rows]
    return "\n".join([*lines, ""])


def _print(found: WorkspaceMap) -> None:
    import numpy as np

    rows = []
    for name, words in (
        ("sag", "deflection"),
        ("softest", "stiffness, softest way"),
        ("along", "stiffness along the load"),
        ("stiffness_left", "share of stiffness left"),
    ):
        values = found.data[name].values
        seen = values[np.isfinite(values)]
        if len(seen):
            rows.append((words, float(seen.min()), float(np.median(seen)), float(seen.max())))
    total = found.blank + found.reached
    title = f"{found.robot.name}: {found.station} at {found.reached} of {counted(total, 'place')}"
    blank = f"{counted(found.blank, 'place')} blank: out of reach, or without a rest"
    notes = [blank] if found.blank else []
    print_table(title, ("", "least", "middle", "largest"), rows, notes)


def _facts(found: WorkspaceMap) -> dict[str, object]:
    import math

    rows = [{k: v if math.isfinite(v) else None for k, v in row.items()} for row in _rows(found)]
    return {
        "robot": found.robot.name,
        "station": found.station,
        "axes": {name: found.data[name].values.tolist() for name in found.axes},
        "reached": found.reached,
        "blank": found.blank,
        "warnings": list(found.warnings),
        "places": rows,
    }
