"""How a robot vibrates: its natural modes as bent robots, a panel a mode."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ..analyse.frequencies import frequencies
from ..checks import real_numbers, whole
from ..errors import InputError
from ..recursion import configuration_rate, mass_matrix
from ..robot import Robot
from ..types import Floats
from .plane import Plane, chosen_plane, known_plane
from .skeleton import SkeletonLine, all_lines, drawable
from .stick_figures import draw_lines
from .style import COLOURS, GREY, label, new_figure, page, paler, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SWING = 0.12  # of the robot's size: how far a mode is drawn to move it
PLAIN = 1e-3  # of its size: a mode that moves no axis further than this is a twist
SMALL = 1e-6  # of the way to the drawn amplitude: where the motion is still linear
MOST = 24


@styled
def modes(
    robot: Robot,
    q: ArrayLike | None = None,
    *,
    locked: bool = True,
    count: int = 6,
    plane: str = "auto",
) -> Figure:
    """The first `count` modes that vibrate at q, joints locked or free; each in the world plane
    that shows it best, unless one is given. Thin: at rest; pale: half a period later."""
    most = whole(count, "count", 1, MOST)
    at = robot.home() if q is None else real_numbers(q)
    found = frequencies(robot, at, locked=locked)
    first = [k for k in range(len(found.omega)) if found.omega[k] > 0.0][:most]
    if not first:
        held = "with its joints locked" if locked else "with its joints free"
        raise InputError(f"{robot.name} has no modes that vibrate {held}")
    columns = min(len(first), 3 if page().inches > 4.0 else 2)
    rows = ceil(len(first) / columns)
    wide = page().inches / columns
    each = (4.3, 3.6) if page().headed else (wide, 0.85 * wide)
    how = "joints locked" if locked else "joints free"
    figure = new_figure((each[0] * columns, each[1] * rows), f"{robot.name}: modes, {how}")
    cells = list(figure.subplots(rows, columns, squeeze=False).flat)
    M = np.asarray(mass_matrix(robot, at), dtype=float)
    for axes, k in zip(cells, first, strict=False):
        _draw(axes, robot, at, found.shapes[:, k], plane)
        name = _mostly(robot, M, found.shapes[:, k], locked)
        words = f"{found.hertz[k]:.4g} Hz, {name}"
        axes.set_title(label(words, "", each[0] - 0.5), fontsize=page().font - 1)
    for axes in cells[len(first) :]:
        axes.set_visible(False)
    return figure


def _draw(axes: Axes, robot: Robot, q: Floats, shape: Floats, plane: str) -> None:
    lines = all_lines(robot, q)
    seen, moves = drawable(robot, lines), mode_slopes(robot, q, shape)
    rest, slope = [lines[i] for i in seen], [moves[i] for i in seen]
    size = max(float(np.ptp(_points(rest), axis=0).max()), 1e-300)
    largest = float(np.linalg.norm(_points(slope), axis=1).max())
    scale = 0.0 if largest < PLAIN * size * float(np.abs(shape).max()) else SWING * size / largest
    view = _view(plane, _points(rest), scale * _points(slope))
    for sign, colour in ((-1.0, paler(COLOURS[0])), (1.0, COLOURS[0])):
        moved = [_moved(a, b, sign * scale) for a, b in zip(rest, slope, strict=True)]
        draw_lines(axes, moved, view, colour, 1.3)
    draw_lines(axes, rest, view, GREY, 0.7, style="--", zorder=4)
    if not scale:
        axes.text(0.5, 0.9, "twists about its axis", transform=axes.transAxes, ha="center")
    view.name(axes, "m" if robot.units == "SI" else "model units")


def mode_slopes(robot: Robot, q: Floats, shape: Floats) -> list[SkeletonLine]:
    """How the lines move a unit of the mode: their derivative along it at q."""
    way = np.asarray(configuration_rate(robot, q, shape), dtype=float)
    step = SMALL / max(float(np.abs(way).max()), 1e-300)
    sides = [all_lines(robot, robot.normalized(q + s * step * way)) for s in (1.0, -1.0)]
    return [
        SkeletonLine(a.link, (a.points - b.points) / (2.0 * step), a.beam)
        for a, b in zip(*sides, strict=True)
    ]


def _moved(line: SkeletonLine, slope: SkeletonLine, scale: float) -> SkeletonLine:
    return SkeletonLine(line.link, line.points + scale * slope.points, line.beam)


def _view(plane: str, rest: Floats, move: Floats) -> Plane:
    """The direction that moves most up or to the right, beside that in which the robot is
    largest."""
    if known_plane(plane) != "auto" or not move.any():
        return chosen_plane(plane, rest)
    moving = int(np.argmax(np.abs(move).max(axis=0)))
    spread = np.ptp(rest, axis=0)
    spread[moving] = -1.0
    return chosen_plane("".join("xyz"[k] for k in sorted((moving, int(np.argmax(spread))))), rest)


def _mostly(robot: Robot, M: Floats, shape: Floats, locked: bool) -> str:
    """The coordinate that has most of the mode's kinetic energy; of locked joints, the shape."""
    share = np.abs(shape * (M @ shape))
    if locked and robot.modes:
        share[robot.joint_indices] = -1.0
    return robot.velocity_names[int(np.argmax(share))]


def _points(lines: list[SkeletonLine]) -> Floats:
    return np.vstack([line.points for line in lines])
