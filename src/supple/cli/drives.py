"""supple inverse, energy: what a motion or a saved run takes of the motors."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ..errors import InputError
from .arguments import ROBOT, check_figure, check_file, chosen_robot, number_between
from .command import command
from .console import JSON, PLOT, WIDTH, give, print_json, print_table, tell_saved

if TYPE_CHECKING:
    from ..studies.along_motion import TorquesAlong
    from ..studies.energy import EnergyStudy

COLUMNS = (
    *("joint", "robot", "peak_torque", "at", "rms_torque"),
    *("peak_power", "energy_in", "energy_back"),
)


@command(
    "inverse",
    "supple inverse canadarm --plot torques.png",
    "supple inverse puma --rigid --out torques.csv",
)
def inverse(
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
    from ..files import write_whole
    from ..simulation.inputs import motion_file
    from ..studies.along_motion import figure_rows, inverse_along

    if motion is not None and trajectory is not None:
        raise InputError("--motion and --trajectory exclude each other")
    check_figure(plot, width)
    check_file(out, (".csv",))
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


@command(
    "energy",
    "supple simulate canadarm --out run.nc",
    "supple energy run.nc --plot energy.png",
)
def energy(
    run: Path = typer.Argument(help="A saved run, as supple simulate --out writes it."),
    plot: Path | None = PLOT,
    width: str = WIDTH,
    json: bool = JSON,
) -> None:
    """What each motor gives and takes, what links store in bending, and what is lost."""
    from ..simulation import load_result
    from ..studies import energy_study

    check_figure(plot, width)
    study = energy_study(load_result(run))
    saved = [] if plot is None else [str(study.plot(plot, width=width))]
    give(json, saved, lambda: _facts(study), lambda: _print_energy(study))


def _facts(study: EnergyStudy) -> dict[str, object]:
    return {
        "robot": study.name,
        "work": study.work,
        "dissipated": study.dissipated,
        "kinetic": study.kinetic,
        "joints": [asdict(j) for j in study.joints],
        "links": [asdict(x) for x in study.links],
        "warnings": list(study.warnings),
    }


def _print_energy(study: EnergyStudy) -> None:
    heads = ("joint", "peak torque", "rms", "peak power", "mean power", "energy in", "back", "lost")
    rows = [
        (
            *(j.name, j.peak_torque, j.rms_torque, j.peak_power, j.mean_power),
            *(j.energy_in, j.energy_back, j.lost),
        )
        for j in study.joints
    ]
    title = f"{study.name}: work {study.work:.6g}, lost {study.dissipated:.6g}"
    print_table(title, heads, rows)
    if study.links:
        bends = [(x.name, x.peak_stored, x.last_stored, x.lost) for x in study.links]
        print_table("bending", ("link", "most stored", "at the end", "lost"), bends)
