"""A figure of a robot at rest: its bent shape, curvature and bending moment along its links."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..types import Floats
from .plane import chosen_plane
from .skeleton import skeleton
from .stick_figures import draw_lines, unbent
from .style import COLOURS, GREY, INK, label, legend, looks, new_figure, page, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..analyse import Statics

ACROSS, DOWN = "SC;SM", "S;C;M"  # shape, curvature, moment
SHARE = 0.15  # of the robot's size: the length of a load's arrow


@styled
def picture(found: Statics) -> Figure:
    """Shape in the plane where the robot is largest, and what bends it."""
    wide = page().columns > 1
    bends = bool(found.robot.modes)
    size = (11.0, 5.5) if wide else (page().inches, 2.4 * page().inches)
    size = size if bends else (6.5, 5.5)
    figure = new_figure(size, f"{found.robot.name} at rest")
    panels = figure.subplot_mosaic((ACROSS if wide else DOWN) if bends else "S")
    _shape(panels["S"], found)
    if bends:
        each = figure.get_size_inches()[0] / (2 if wide else 1)
        _along(panels["C"], panels["M"], found, each)
    return figure


def _along(curvature: Axes, moment: Axes, found: Statics, inches: float) -> None:
    """Curvatures and moments of every link about the axes of its sections."""
    bent = found.along()
    for (name, a), (colour, _) in zip(bent.items(), looks(len(bent)), strict=True):
        for axes, values in ((curvature, a.curvature), (moment, a.moment)):
            least = 1e-12 * np.abs(values).max()
            for k, (axis, style) in enumerate(zip("xyz", (":", "--", "-"), strict=True)):
                if np.abs(values[:, k]).max() > least:
                    axes.plot(a.x, values[:, k], style, color=colour, label=f"{name} {axis}")
    si = found.robot.units == "SI"
    curvature.set_ylabel(label("twist, curvature", "1/m" if si else "model units"))
    moment.set_ylabel(label("torque, moment", "N m" if si else "model units"))
    moment.set_xlabel(f"x along the link [{'m' if si else 'model units'}]")
    for axes in (curvature, moment):
        if not axes.lines:
            axes.text(0.5, 0.5, "zero throughout", transform=axes.transAxes, ha="center")
        legend(axes, inches)


def _shape(axes: Axes, found: Statics) -> None:
    robot = found.robot
    bent, still = skeleton(robot, found.q), skeleton(robot, unbent(robot, found.q))
    points = np.vstack([*(line.points for line in [*bent, *still]), np.zeros((1, 3))])
    view = chosen_plane("auto", points)
    beams = list(dict.fromkeys(line.link for line in bent if line.beam))
    colour = dict(zip(beams, (c for c, _ in looks(len(beams))), strict=True))
    if robot.modes:
        draw_lines(axes, still, view, GREY, 0.8, style=":", label="unbent", zorder=2)
    for line in bent:
        draw_lines(axes, [line], view, colour.get(line.link, INK), 1.8 if line.beam else 1.4)
    for where, wrench in found.wrench.items():
        p = view.seen(found.position(where))
        axes.plot(*p, "o", color=COLOURS[1], markersize=3 * page().line)
        _arrow(axes, p, view.seen(wrench[3:]), SHARE * float(np.ptp(points, axis=0).max()))
    view.name(axes, "m" if robot.units == "SI" else "model units")
    if robot.modes:
        axes.set_title("dotted: unbent", fontsize=page().font - 1)


def _arrow(axes: Axes, p: Floats, force: Floats, length: float) -> None:
    """Where a load pushes to, ending at the station."""
    size = float(np.linalg.norm(force))
    if size > 0.0:
        arrow = {"arrowstyle": "->", "color": COLOURS[1]}
        x, y = p - length / size * force
        axes.annotate("", (p[0], p[1]), (x, y), arrowprops=arrow)
