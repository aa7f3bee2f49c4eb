"""Pictures of a workspace map: deflection and stiffness, place by place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..errors import unknown_name
from ..types import Floats
from .style import BLANK, COLOURS, label, new_figure, page, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..analyse import WorkspaceMap

WORLD = ("x", "y", "z")
TITLES = {
    "sag": ("deflection", "m"),
    "softest": ("stiffness along the softest direction", "N/m"),
    "stiffest": ("stiffness along the stiffest direction", "N/m"),
    "along": ("stiffness along the load", "N/m"),
    "stiffness_left": ("share of the stiffness that is left", ""),
}


@styled
def picture(found: WorkspaceMap, what: str = "") -> Figure:
    """Two panels, or the one that is asked for; places without a rest stay blank (grey)."""
    if what and what not in TITLES:
        raise unknown_name("variable to draw", what, TITLES, where="the map")
    names = [what] if what else ["sag", "softest"]
    blank = f"; {found.blank} of {found.blank + found.reached} places blank" if found.blank else ""
    across = min(len(names), page().columns)
    down = len(names) // across
    each = (6.2, 5.2) if page().headed else (page().inches / across, 0.8 * page().inches / across)
    size = (each[0] * across, each[1] * down)
    figure = new_figure(size, f"{found.robot.name}: {found.station}{blank}")
    for axes, name in zip(figure.subplots(down, across, squeeze=False).flat, names, strict=True):
        _panel(figure, axes, found, name, each[0])
    return figure


def _panel(figure: Figure, axes: Axes, found: WorkspaceMap, name: str, inches: float) -> None:
    values = np.asarray(found.data[name].values, dtype=float)
    values = np.where(np.isfinite(values), values, np.nan)
    title, unit = TITLES[name]
    unit = unit if found.robot.units == "SI" else "model units"
    words = label(title, unit, inches - 1.2)
    rows = [np.asarray(found.data[a].values) for a in found.axes]
    if len(rows) == 1:
        axes.plot(rows[0], values, color=COLOURS[0])
        axes.set_ylabel(words)
    else:
        _colours(figure, axes, found, rows, values)
        axes.grid(False)
        axes.set_ylabel(label(_label(found, 1), "", 2.0))
        axes.set_title(words, loc="left")
    axes.set_xlabel(_label(found, 0))


def _colours(
    figure: Figure, axes: Axes, found: WorkspaceMap, rows: list[Floats], values: Floats
) -> None:
    from matplotlib.colors import LogNorm

    seen = values[np.isfinite(values)]
    wide = len(seen) > 0 and seen.min() > 0.0 and seen.max() > 8.0 * seen.min()
    norm = LogNorm(float(seen.min()), float(seen.max())) if wide else None
    axes.set_facecolor(BLANK)
    if not len(seen):
        axes.set_xlim(rows[0][0], rows[0][-1])
        axes.set_ylim(rows[1][0], rows[1][-1])
        axes.text(0.5, 0.5, "no place is reached", transform=axes.transAxes, ha="center")
        return
    mesh = axes.pcolormesh(*rows, values.T, shading="nearest", cmap="viridis", norm=norm)
    figure.colorbar(mesh, ax=axes, shrink=0.9)
    if found.axes[0] in WORLD:
        axes.set_aspect("equal")
        _draw_robot(axes, found, rows)


def _draw_robot(axes: Axes, found: WorkspaceMap, rows: list[Floats]) -> None:
    """The robot at one place near the middle, for orientation."""
    from ..recursion import link_poses, station_pose

    sag = np.asarray(found.data["sag"].values)
    places = np.argwhere(np.isfinite(sag))
    middle = places[len(places) // 2]
    q = np.asarray(found.data["q"].values)[tuple(middle)]
    u, v = ("xyz".index(name) for name in found.axes)
    points = [pose.p for pose in link_poses(found.robot, q)]
    if found.robot.loops or len(set(found.robot.parents)) != len(found.robot.parents):
        return  # more than a chain: one line does not show it
    points.append(station_pose(found.robot, q, found.station).p)
    line = np.array([[p[u], p[v]] for p in points], dtype=float)
    axes.plot(line[:, 0], line[:, 1], "o-", color=COLOURS[1], markersize=3)


def _label(found: WorkspaceMap, k: int) -> str:
    name = found.axes[k]
    long = "m" if found.robot.units == "SI" else "model units"
    if name in WORLD:
        return f"{name} of {found.station}, unbent [{long}]"
    return f"{name} [{long if _slides(found, name) else 'rad'}]"


def _slides(found: WorkspaceMap, name: str) -> bool:
    for link in found.robot.links:
        if link.joint_name == name:
            return any(axis > 2 for axis in link.joint.axes)
    return False
