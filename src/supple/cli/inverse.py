"""supple inverse: the torques that a motion takes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from .arguments import ROBOT, check_figure, check_table, chosen_robot, number_between
from .console import JSON, PLOT, WIDTH, print_json, print_table, tell_saved

if TYPE_CHECKING:
    from ..studies.along_motion import TorquesAlong

COLUMNS = (
    *("joint", "robot", "peak_torque", "at", "rms_torque"),
    *("peak_power", "energy_in", "energy_back"),
)
EXAMPLES = (
    "supple inverse canadarm --plot torques.png",
    "supple inverse puma --rigid --out torques.csv",
)


def command(
    robot: str = ROBOT,
    motion: str | None = typer.Option(None, help="A motion of the model file; default: the first."),
    trajectory: Path | None = typer.Option(None, help="CSV of joint positions: t, joint names."),
    rigid: bool = typer.Option(False, "--rigid", help="Of the rigid robot alone: no run."),
    samples: int = typer.Option(501, help="Instants, 5 to 1,000,000."),
    kinematics: str | None = typer.Option(None, help="Elastic kinematics, e.g. second_order."),
    plot: Path | None = PLOT,
    width: str = WIDTH,
    out: Path | None = typer.Option(None, help="Save the torques over time here (.csv)."),
    json: bool = JSON,
) -> None:
    """Torques along a motion, of the rigid robot and of the one that bends, joints kept on it."""
    from ..errors import InputError
    from ..files import write_whole
    from ..simulation.inputs import motion_file
    from ..studies.along_motion import figure_rows, inverse_along

    if motion is not None and trajectory is not None:
        raise InputError("--motion and --trajectory exclude each other")
    check_figure(plot, width)
    check_table(out)
    arm = chosen_robot(robot, kinematics)
    wanted = motion if trajectory is None else motion_file(arm, trajectory)
    count = number_between("--samples", samples, 5, 1_000_000)
    found = inverse_along(arm, wanted, samples=count, bending=not rigid)
    saved = [] if plot is None else [str(found.plot(plot, width=width))]
    saved += [] if out is None else [str(write_whole(out, _csv(found)))]
    if json:
        values = [dict(zip(COLUMNS, row, strict=True)) for row in figure_rows(found)]
        print_json({"robot": arm.name, "joints": values, "saved": saved})
        return
    _print(found)
    tell_saved(saved)


def _print(found: TorquesAlong) -> None:
    from ..studies.along_motion import figure_rows

    heads = [name.replace("_", " ") for name in COLUMNS]
    notes = ["bending: joints stay on the motion, links bend and vibrate from rest"]
    title = f"{found.robot.name}: torques along the motion"
    print_table(title, heads, figure_rows(found), notes if found.bending else ())


def _csv(found: TorquesAlong) -> str:
    data = found.data
    names = [str(n) for n in data["joint"].values]
    kinds = [n for n in ("q", "qd", "qdd", "rigid", "bending") if n in data]
    lines = [",".join(["t", *(f"{kind} {n}" for kind in kinds for n in names)])]
    for k, t in enumerate(data["time"].values):
        numbers = [float(t), *(float(x) for kind in kinds for x in data[kind].values[k])]
        lines.append(",".join(f"{x:.10g}" for x in numbers))
    return "\n".join([*lines, ""])
