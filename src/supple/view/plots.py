"""Figures of a run: what moves, what drives it, what bends, and where the energy goes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from ..types import Floats
from .turns import rotation_vectors

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..simulation.result import Result

Colour = str | tuple[float, float, float]
COLOURS = (
    *("#0b6e99", "#d9541e", "#5a8f29", "#8a4fbf", "#c9a227"),
    *("#3d3d3d", "#b8336a", "#6a7f8c", "#2ab7a9", "#8c5a3c"),
)
MOST = 6  # links that get a panel each when their curves are too many for one
LISTED = 24  # names that a legend holds
QUATERNION = (".qw", ".qx", ".qy", ".qz")


@dataclass(frozen=True)
class Curve:
    """One history. `group` is the link or joint it belongs to."""

    label: str
    values: Floats
    group: str
    wanted: Floats | None = None  # the desired history, dashed beside it


@dataclass(frozen=True)
class Panel:
    """Curves of one unit over time."""

    title: str
    unit: str
    curves: tuple[Curve, ...]


def overview(result: Result) -> Figure:
    """Joints, torques, reactions, forces of cuts, tip deflections, modal amplitudes and energies
    in one figure."""
    end = " (interrupted)" if result.interrupted else ""
    return panels(_panels(result), result.time, f"{result.robot_name}{end}")


def panels(given: Sequence[Panel], t: Floats, title: str, wanted: str = "desired") -> Figure:
    """Panels over time in two columns; `wanted`: what dashed curves are called."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    found = [p for panel in given for p in _parted(panel) if p.curves]
    rows = ceil(len(found) / 2)
    figure = Figure(figsize=(13, 0.7 + 2.9 * rows), layout="constrained", dpi=120)
    FigureCanvasAgg(figure)
    cells = list(figure.subplots(rows, 2, sharex=True, squeeze=False).flat)
    for axes, panel in zip(cells, found, strict=False):
        _draw(axes, panel, t, wanted)
    for axes in cells[len(found) :]:
        axes.set_visible(False)
    for axes in cells[max(len(found) - 2, 0) : len(found)]:
        axes.set_xlabel("time [s]")
        axes.tick_params(labelbottom=True)
    figure.suptitle(title, fontweight="bold")
    return figure


def _panels(result: Result) -> list[Panel]:
    """All that the run holds and that is not zero throughout."""
    return [
        *_coordinates(result),
        *_forces(result),
        *_cuts(result),
        _deflections(result),
        _amplitudes(result),
        _energies(result),
    ]


def _parted(panel: Panel) -> list[Panel]:
    """Too many curves for one panel: one for each link, where links are few enough."""
    groups = list(dict.fromkeys(c.group for c in panel.curves))
    parts = [tuple(c for c in panel.curves if c.group == name) for name in groups]
    if len(panel.curves) <= len(COLOURS) or len(groups) > MOST:
        return [panel]
    if max(map(len, parts)) > len(COLOURS) or len(groups) == 1:
        return [panel]
    pairs = zip(groups, parts, strict=True)
    return [Panel(f"{panel.title}: {name}", panel.unit, _short(name, part)) for name, part in pairs]


def _short(link: str, curves: tuple[Curve, ...]) -> tuple[Curve, ...]:
    """Labels without the link's name, which is in the title."""
    return tuple(replace(c, label=c.label.removeprefix(link).lstrip(" .")) for c in curves)


def _draw(axes: Axes, panel: Panel, t: Floats, wanted: str) -> None:
    """One colour a curve; names beside the data."""
    for curve, colour in zip(panel.curves, colours(len(panel.curves)), strict=True):
        axes.plot(t, curve.values, color=colour, linewidth=1.3, label=curve.label)
        if curve.wanted is not None:
            axes.plot(t, curve.wanted, color=_pale(colour), linestyle="--", linewidth=1.3)
    if any(c.wanted is not None for c in panel.curves):
        axes.plot([], [], color="#999999", linestyle="--", linewidth=1.3, label=wanted)
    axes.set_title(panel.title, loc="left", fontsize=10)
    axes.set_ylabel(panel.unit)
    axes.grid(True, color="#e4e4e4", linewidth=0.7)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.margins(x=0)
    legend_beside(axes)


def legend_beside(axes: Axes) -> None:
    handles, names = axes.get_legend_handles_labels()
    if len(names) > LISTED:  # colours run along the robot: a few names tell the way
        keep = np.unique(np.linspace(0, len(names) - 1, 12).astype(int))
        handles, names = [handles[i] for i in keep], [names[i] for i in keep]
        names[-1] += f"\n({len(axes.lines)} curves)"
    small = len(names) > 12
    axes.legend(
        handles,
        names,
        loc="upper left",
        bbox_to_anchor=(1.01, 1.03),
        fontsize=7 if small else 8,
        frameon=False,
        ncols=2 if small else 1,
        borderaxespad=0.0,
    )


def colours(count: int) -> list[Colour]:
    """As many colours, all different: chosen ones, or for many a run from blue to red, dark
    enough for white paper."""
    if count <= len(COLOURS):
        return list(COLOURS[:count])
    from matplotlib import colormaps

    run = colormaps["turbo"](np.linspace(0.05, 0.95, count))
    return [(r, g, b) for r, g, b in 0.82 * run[:, :3]]


def _pale(colour: Colour) -> tuple[float, ...]:
    from matplotlib.colors import to_rgb

    return tuple(0.55 * x + 0.45 for x in to_rgb(colour))


def _unit(result: Result, si: str) -> str:
    return si if result.data.attrs.get("units", "SI") == "SI" else "model units"


def _coordinates(result: Result) -> list[Panel]:
    """Joint angles, angles of motors on elastic gears, which are as many times larger as the ratio
    says, lengths, and quaternions as turns."""
    names: list[str] = json.loads(result.data.attrs["joints"])
    wide = [n.removesuffix(".qw") for n in names if n.endswith(".qw")]
    turned = [joint for joint in wide if all(joint + end in names for end in QUATERNION)]
    plain = [n for n in names if not any(n == joint + e for joint in turned for e in QUATERNION)]
    lengths = json.loads(result.data.attrs.get("lengths", "[]"))
    wanted = _wanted(result)
    turning = [Curve(n, result[n], n, wanted.get(n)) for n in plain if n not in lengths]
    motors = [c for c in turning if c.label.endswith(".motor")]
    angles = [c for c in turning if not c.label.endswith(".motor")]
    places = [Curve(n, result[n], n, wanted.get(n)) for n in plain if n in lengths]
    turns = [
        Curve(f"{joint} about {axis}", values, joint)
        for joint in turned
        for axis, values in zip("xyz", _turn(result, joint), strict=True)
    ]
    return [
        Panel("joint angles", "rad", tuple(angles)),
        Panel("motor angles", "rad", tuple(motors)),
        Panel("joint positions", _unit(result, "m"), tuple(places)),
        Panel("turns (rotation vectors)", "rad", tuple(turns)),
    ]


def _turn(result: Result, joint: str) -> Floats:
    return rotation_vectors(np.stack([result[joint + end] for end in QUATERNION], axis=1)).T


def _wanted(result: Result) -> dict[str, Floats]:
    if "desired" not in result.data:
        return {}
    names = [str(n) for n in result.data["joint"].values]
    return dict(zip(names, result["desired"].T, strict=True))


def _forces(result: Result) -> list[Panel]:
    """Torques and forces of joints, and the reactions of those that are prescribed."""
    rates = [str(n) for n in result.data["velocity"].values]
    driven = [str(n) for n in result.data["driven"].values] if "reaction" in result.data else []
    modes, lengths = _names(result, "mode"), json.loads(result.data.attrs.get("lengths", "[]"))
    own = [(n, result["tau"][:, i]) for i, n in enumerate(rates) if n not in {*modes, *driven}]
    told = [(n, result["reaction"][:, i]) for i, n in enumerate(driven)]
    out = []
    for title, pairs in (("{} of joints", own), ("{} that prescribed joints need", told)):
        curves = _seen([Curve(n, values, n) for n, values in pairs])
        turning = tuple(c for c in curves if c.label not in lengths)
        sliding = tuple(c for c in curves if c.label in lengths)
        out += [
            Panel(title.format("torques"), _unit(result, "N m"), turning),
            Panel(title.format("forces"), _unit(result, "N"), sliding),
        ]
    return out


def _cuts(result: Result) -> list[Panel]:
    """Forces and moments at the cuts of closed chains, in the axes of their first sides."""
    if "multipliers" not in result.data:
        return []
    names, rows = _names(result, "cut"), result["multipliers"].T
    kinds = {"f": ("forces at the cuts", "N"), "n": ("moments at the cuts", "N m")}
    pairs = zip(names, rows, strict=True)
    seen = _seen([Curve(n, x, n.rpartition(".")[0]) for n, x in pairs])
    return [
        Panel(title, _unit(result, unit), tuple(c for c in seen if c.label[-2] == letter))
        for letter, (title, unit) in kinds.items()
    ]


def _deflections(result: Result) -> Panel:
    bend = result["deflection"]
    curves = [
        Curve(f"{link} {letter}", bend[:, i, k], link)
        for i, link in enumerate(_names(result, "link"))
        for k, letter in enumerate("xyz")
    ]
    return Panel("tip deflections, in link axes", _unit(result, "m"), _seen(curves))


def _amplitudes(result: Result) -> Panel:
    names, rows = _names(result, "mode"), result["amplitude"].T
    curves = [Curve(n, x, n.partition(".")[0]) for n, x in zip(names, rows, strict=True)]
    return Panel("modal amplitudes", "", tuple(curves))


def _energies(result: Result) -> Panel:
    names = ("kinetic", "elastic", "gravity", "work", "dissipated")
    curves = [Curve(n, result[n] - result[n][0], n) for n in names]
    title = f"energy since the start (imbalance {result.energy_error:.1e} relative)"
    return Panel(title, _unit(result, "J"), _seen(curves) or tuple(curves[:1]))


def _names(result: Result, dimension: str) -> list[str]:
    return [str(n) for n in result.data[dimension].values]


def _seen(curves: Sequence[Curve]) -> tuple[Curve, ...]:
    """Those that are not zero throughout, but for rounding."""
    largest = max((float(np.abs(c.values).max()) for c in curves), default=0.0)
    return tuple(c for c in curves if np.abs(c.values).max() > 1e-12 * largest)
