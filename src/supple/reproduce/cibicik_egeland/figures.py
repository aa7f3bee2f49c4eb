"""[CibicikEgeland], Figs. 5 to 10; the paper's zoomed-in parts stand on the right."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ... import recursion
from ...types import Floats
from ..manoeuvre import REACH, SLEW, START, Run, robot, run
from ..report import Figure
from .tables import GROUPS, indices

if TYPE_CHECKING:
    from matplotlib.axes import Axes


KEY = "Solid: linearised; grey dashes: nonlinear; on the right the shaded part."


def figures() -> tuple[Figure, ...]:
    """Figures 5 to 10."""
    _, torsion, xy, xz = GROUPS
    tall = (9.0, 10.0)
    return (
        Figure(
            "figure-05-manoeuvre", _draw_manoeuvre, (1, 2), (9.0, 4.0),
            "The manoeuvre as commanded: start, 3 s and 6 s.",
        ),
        Figure(
            "figure-06-joints", _draw_joints, (2, 1), (9.0, 6.5),
            "Joint angles and rates. Solid: linearised; grey dashes: nonlinear. As in the paper "
            "they cover each other.",
        ),
        Figure(
            "figure-07-bending-xy", _draw_shapes(xy, (0.0, 3.0), (0.48, 0.7)), (4, 2), tall,
            f"Bending in the xy plane. {KEY}",
        ),
        Figure(
            "figure-08-torsion", _draw_shapes(torsion, (2.5, 6.0), (2.99, 3.06)), (4, 2), tall,
            f"Torsion; nothing before 3 s. {KEY}",
        ),
        Figure(
            "figure-09-bending-xz", _draw_shapes(xz, (2.5, 6.0), (2.98, 3.3)), (4, 2), tall,
            f"Bending in the xz plane; nothing before 3 s. {KEY}",
        ),
        Figure(
            "figure-10-torques", _draw_torques, (2, 2), (9.0, 6.5),
            f"Torques of the joints; the gains are ours. {KEY}",
        ),
    )  # fmt: skip


AxesGrid = npt.NDArray[np.object_]
"""Matplotlib axes in rows and columns, or one row or column of them."""


def _draw_manoeuvre(axes: AxesGrid) -> None:
    """From the side, in the plane of the arm, and from above."""
    looks = (("start", START, "0.5", "--", 1.5), ("3 s", REACH, "0.75", "-", 5.0))
    for name, goal, color, style, width in (*looks, ("6 s", SLEW, "black", "-", 1.5)):
        q = robot().neutral()
        q[indices("joints")] = goal
        places = [pose.p for pose in recursion.link_poses(robot(), q)]
        x, y, z = np.array([*places, recursion.station_pose(robot(), q, "link4").p]).T
        for panel, across, up in ((axes[0], np.hypot(x, y), z), (axes[1], x, y)):
            panel.plot(
                across, up, style, color=color, lw=width, marker="o", markersize=4, label=name
            )
    for panel, title, words in (
        (axes[0], "from the side, in the arm's plane", ("reach [m]", "height [m]")),
        (axes[1], "from above", ("x [m]", "y [m]")),
    ):
        panel.set(xlabel=words[0], ylabel=words[1], aspect="equal")
        panel.margins(0.06)
        panel.set_title(title)
    axes[1].legend(title="commanded", loc="upper left")


Span = tuple[float, float]
"""From when until when."""

History = Callable[[Run], Floats]
"""Columns to draw over time."""


def _lines(panel: Axes, of: History, labels: list[str], span: Span) -> None:
    """Linearised solid, over nonlinear in wide grey dashes: what sticks out is the difference."""
    for model, style, width in (("nonlinear", "--", 2.6), ("linearised", "-", 0.9)):
        r = run(model)
        keep = (r.t >= span[0]) & (r.t <= span[1])
        for k, label in enumerate(labels):
            solid = model == "linearised"
            color, name = (f"C{k}", label) if solid else ("0.6", None)
            panel.plot(r.t[keep], of(r)[keep, k], style, color=color, lw=width, label=name)
    panel.set_xlim(*span)


def _zoomed(
    panels: AxesGrid, of: History, labels: list[str], spans: tuple[Span, Span], words: str
) -> None:
    """A history, and on the right the shaded part of it."""
    for panel, span in zip(panels, spans, strict=True):
        _lines(panel, of, labels, span)
    panels[0].axvspan(*spans[1], color="0.5", alpha=0.2, lw=0)
    panels[0].set_ylabel(words)
    panels[1].legend(loc="best")


def _titled(first: Axes, last: AxesGrid, words: str) -> None:
    first.set_title(words)
    for panel in last:
        panel.set_xlabel("t [s]")


def _draw_joints(axes: AxesGrid) -> None:
    columns, labels = indices("joints"), ["q1", "q2", "q3", "q4"]
    _lines(axes[0], lambda r: np.rad2deg(r.q[:, columns]), labels, (0.0, 6.0))
    _lines(axes[1], lambda r: np.rad2deg(r.u[:, columns]), labels, (0.0, 6.0))
    axes[0].set_ylabel("joint angle [deg]")
    axes[1].set_ylabel("joint rate [deg/s]")
    axes[0].legend(ncols=4)
    _titled(axes[0], axes[1:], "joints")


def _draw_shapes(group: str, span: Span, zoom: Span) -> Callable[[AxesGrid], None]:
    """Coordinates and speeds of one kind of shapes, link 2 and link 3."""

    def draw(axes: AxesGrid) -> None:
        names = robot().coordinate_names
        for link, rows in (("link2", axes[:2]), ("link3", axes[2:])):
            columns = [i for i in indices(group) if names[i].startswith(link)]
            labels = [names[i] for i in columns]
            _zoomed(rows[0], _columns("q", columns), labels, (span, zoom), f"{link}, coordinates")
            _zoomed(rows[1], _columns("u", columns), labels, (span, zoom), f"{link}, speeds [1/s]")
        _titled(axes[0][0], axes[-1], group)

    return draw


def _columns(history: str, columns: list[int]) -> History:
    return lambda r: np.asarray(getattr(r, history)[:, columns])


def _draw_torques(axes: AxesGrid) -> None:
    for row, pair, zoom in ((axes[0], [1, 2], (0.48, 0.7)), (axes[1], [0, 3], (2.98, 3.3))):
        labels = [f"T{k + 1}" for k in pair]
        _zoomed(row, _columns("torque", pair), labels, ((0.0, 4.0), zoom), "torque [N m]")
    _titled(axes[0][0], axes[-1], "torques")
