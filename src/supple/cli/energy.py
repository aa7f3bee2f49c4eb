"""supple energy: torque, power and energy of a saved run."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from .arguments import check_figure
from .console import JSON, PLOT, WIDTH, print_json, print_table, tell_saved

if TYPE_CHECKING:
    from ..studies.energy import EnergyStudy

EXAMPLES = (
    "supple simulate canadarm --out run.nc",
    "supple energy run.nc --plot energy.png",
)


def command(
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
    if json:
        print_json({**_facts(study), "saved": saved})
        return
    _print(study)
    tell_saved(saved)


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


def _print(study: EnergyStudy) -> None:
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
