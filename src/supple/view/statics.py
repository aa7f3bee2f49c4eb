"""A figure of a robot at rest: its bent shape, curvature and bending moment along its links."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..types import Floats
from .plots import COLOURS, legend_beside

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..analyse import Along, Statics


def picture(found: Statics) -> Figure:
    """Shape in the plane where the robot is largest, and what bends it."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    from ..analyse import along

    figure = Figure(figsize=(11, 5.5), layout="constrained", dpi=120)
    FigureCanvasAgg(figure)
    panels = figure.subplot_mosaic([["shape", "curvature"], ["shape", "moment"]])
    bent = found.along() if found.robot.modes else {}
    straight = _straight(found)
    cuts = found.multipliers if found.robot.loops else None  # the straight links do not meet
    still = along(found.robot, straight, cuts=cuts) if found.robot.modes else {}
    _shape(panels["shape"], found, bent, still)
    for i, (name, a) in enumerate(bent.items()):
        for panel, values in (("curvature", a.curvature), ("moment", a.moment)):
            least = 1e-12 * np.abs(values).max()
            for k, (axis, style) in enumerate(zip("xyz", (":", "--", "-"), strict=True)):
                if np.abs(values[:, k]).max() > least:
                    label = f"{name} {axis}"
                    panels[panel].plot(a.x, values[:, k], style, color=COLOURS[i % 8], label=label)
    panels["curvature"].set_ylabel("twist, curvature [1/m]")
    panels["moment"].set_ylabel("torque, moment [N m]")
    panels["moment"].set_xlabel("x along the link [m]")
    for name, axes in panels.items():
        axes.grid(True, color="#e4e4e4", linewidth=0.7)
        axes.spines[["top", "right"]].set_visible(False)
        if name != "shape" and bent:
            legend_beside(axes)
    figure.suptitle(f"{found.robot.name} at rest", fontweight="bold")
    return figure


def _straight(found: Statics) -> Floats:
    q = found.q.copy()
    for link in found.robot.links:
        q[link.d] = 0.0
    return q


def _rigid_lines(found: Statics) -> list[Floats]:
    """From each link's origin to its stations, for links without a beam."""
    from ..recursion import station_pose

    out = []
    for link in found.robot.links:
        if link.body.m == 0 and "tip" in link.body.stations:
            ends = (f"{link.name}.origin", f"{link.name}.tip")
            out.append(np.array([station_pose(found.robot, found.q, e).p for e in ends]))
    return out


def _shape(axes: Axes, found: Statics, bent: dict[str, Along], still: dict[str, Along]) -> None:
    lines = _rigid_lines(found)
    points = np.vstack([*(a.position for a in bent.values()), *lines, np.zeros((1, 3))])
    u, v = sorted(np.argsort(np.ptp(points, axis=0))[1:])
    for line in lines:
        axes.plot(line[:, u], line[:, v], color="#3d3d3d", linewidth=3.0)
    for i, (name, a) in enumerate(bent.items()):
        colour = COLOURS[i % 8]
        axes.plot(still[name].position[:, u], still[name].position[:, v], ":", color="#9a9a9a")
        axes.plot(a.position[:, u], a.position[:, v], color=colour, linewidth=2.5, label=name)
    for where, wrench in found.wrench.items():
        p, f = found.position(where), wrench[3:]
        if where.partition(".")[0] in bent:  # the tool that carries the load
            end = bent[where.partition(".")[0]].position[-1]
            axes.plot([end[u], p[u]], [end[v], p[v]], color="#3d3d3d", linewidth=1.0)
        size = float(np.linalg.norm(f[[u, v]]))
        if size > 0.0:
            span = 0.15 * float(np.ptp(points, axis=0).max()) / size
            tip = p - span * f
            arrow = {"arrowstyle": "->", "color": "#d9541e"}
            axes.annotate("", (p[u], p[v]), (tip[u], tip[v]), arrowprops=arrow)
            axes.plot(p[u], p[v], "o", color="#d9541e", markersize=4)
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_xlabel(f"{'xyz'[u]} [m]")
    axes.set_ylabel(f"{'xyz'[v]} [m]")
    axes.set_title("shape (dotted: unbent)", loc="left", fontsize=10)
