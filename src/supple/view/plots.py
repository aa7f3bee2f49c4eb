"""Figures of a run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ..simulation.result import Result

COLOURS = ("#0b6e99", "#d9541e", "#5a8f29", "#8a4fbf", "#c9a227", "#3d3d3d", "#b8336a", "#6a7f8c")


def overview(result: Result) -> Any:
    """Joint coordinates, tip deflections, modal amplitudes and energies in one figure."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 7.5), layout="constrained", dpi=120)
    FigureCanvasAgg(figure)
    panels = figure.subplots(2, 2, sharex=True)
    _joints(panels[0, 0], result)
    _deflections(panels[0, 1], result)
    _amplitudes(panels[1, 0], result)
    _energies(panels[1, 1], result)
    for axes in panels.flat:
        axes.grid(True, color="#e4e4e4", linewidth=0.7)
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_prop_cycle(color=COLOURS)
        axes.margins(x=0)
    for axes in panels[1]:
        axes.set_xlabel("time [s]")
    figure.suptitle(f"{result.robot_name}", fontweight="bold")
    return figure


def _unit(result: Result, si: str) -> str:
    return si if result.data.attrs.get("units", "SI") == "SI" else "model units"


def _legend(axes: Any, count: int) -> None:
    if 0 < count <= 12:
        axes.legend(fontsize=8, frameon=False, ncols=2 if count > 5 else 1)
    elif count > 12:
        axes.text(0.99, 0.98, f"{count} curves", transform=axes.transAxes, ha="right", va="top")


def _joints(axes: Any, result: Result) -> None:
    names = json.loads(result.data.attrs["joints"])
    t = result.time
    axes.set_title("joint coordinates")
    axes.set_ylabel("rad, m")
    for i, name in enumerate(names):
        axes.plot(t, result[name], color=COLOURS[i % len(COLOURS)], label=name)
    if "desired" in result.data:
        joints = [str(n) for n in result.data["joint"].values]
        for k, name in enumerate(joints):
            i = names.index(name)
            style = {"color": COLOURS[i % len(COLOURS)], "linestyle": "--", "linewidth": 1.0}
            axes.plot(t, result["desired"][:, k], **style)
        axes.plot([], [], color="#777777", linestyle="--", linewidth=1.0, label="desired")
    _legend(axes, len(names))


def _deflections(axes: Any, result: Result) -> None:
    bend = result["deflection"]
    links = [str(n) for n in result.data["link"].values]
    axes.set_title("tip deflection of each link")
    axes.set_ylabel(_unit(result, "m"))
    count = 0
    for i, link in enumerate(links):
        for k, letter in enumerate("xyz"):
            if np.any(bend[:, i, k]):
                label = f"{link} {letter}"
                axes.plot(result.time, bend[:, i, k], color=COLOURS[count % 8], label=label)
                count += 1
    if not count:
        axes.text(0.5, 0.5, "no flexible links", transform=axes.transAxes, ha="center")
    _legend(axes, count)


def _amplitudes(axes: Any, result: Result) -> None:
    modes = [str(n) for n in result.data["mode"].values]
    axes.set_title("modal amplitudes")
    for i, name in enumerate(modes):
        series = result["amplitude"][:, i]
        axes.plot(result.time, series, color=COLOURS[i % 8], label=name, linewidth=1.0)
    if not modes:
        axes.text(0.5, 0.5, "no shape coordinates", transform=axes.transAxes, ha="center")
    _legend(axes, len(modes))


def _energies(axes: Any, result: Result) -> None:
    axes.set_title(f"energy (imbalance {result.energy_error:.1e} relative)")
    axes.set_ylabel(_unit(result, "J"))
    count = 0
    for i, name in enumerate(("kinetic", "elastic", "gravity", "work", "dissipated")):
        series = result[name]
        if np.any(series != series[0]):
            count += 1
            axes.plot(
                result.time,
                series - (series[0] if name == "gravity" else 0.0),
                color=COLOURS[i],
                label=name,
            )
    _legend(axes, count)
