"""Robots as papers print them: a sequence of stick figures in time, bent links as curves, the
shape of the rigid robot thin beneath."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..checks import number, whole
from ..errors import InputError, brief
from ..loops.placing import closed_at
from ..robot import Robot
from ..types import Floats
from .plane import Plane, chosen_plane, known_plane
from .skeleton import SkeletonLine, joints, skeleton
from .style import PALE, Colour, legend, new_figure, page, run_of_colours, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST = 60  # figures in a sequence


@styled
def sticks(
    robot: Robot,
    t: Floats,
    q: Floats,
    *,
    frames: int = 7,
    plane: str = "auto",
    magnify: float = 1.0,
) -> Figure:
    """The robot at `frames` instants of the motion q (time, nq), the last one dark. magnify: how
    many times larger its bending is drawn."""
    count, plane, times = checked_look(frames, plane, magnify)
    at = np.unique(np.linspace(0, len(t) - 1, count).round().astype(int))
    bent = [skeleton(robot, magnified(robot, q[k], times)) for k in at]
    still = [skeleton(robot, unbent(robot, q[k])) for k in at] if robot.modes else []
    view = chosen_plane(plane, _all_points([*bent, *still]))
    words = f"; bending drawn {times:g} times larger" if times != 1.0 and robot.modes else ""
    figure = new_figure((8.5, 6.0), f"{robot.name}: {t[at[0]]:.4g} to {t[at[-1]]:.4g} s{words}")
    axes = figure.subplots()
    for lines in still:
        draw_lines(axes, lines, view, PALE, 0.6, zorder=2)
    shades = run_of_colours(len(at))[::-1]
    for k, lines, shade in zip(at, bent, shades, strict=True):
        draw_lines(axes, lines, view, shade, 1.6, label=f"{t[k]:.3g} s", zorder=3)
        dots = view.seen(joints(robot, magnified(robot, q[k], times)))
        axes.plot(*dots.T, "o", color=shade, markersize=2.5 * page().line, zorder=4)
    if still:
        axes.plot([], [], color=PALE, linewidth=0.8 * page().line, label="unbent")
    view.name(axes, "m" if robot.units == "SI" else "model units")
    legend(axes, figure.get_size_inches()[0])
    return figure


def checked_look(frames: int, plane: str, magnify: float) -> tuple[int, str, float]:
    """The options of `sticks`, looked at before a robot is run for them."""
    allowed = "a number from 0 to a million"
    times = number(magnify, "magnify", allowed)
    if not 0.0 <= times <= 1e6:
        raise InputError(f"magnify is {brief(magnify)}; it must be {allowed}")
    return whole(frames, "frames", 1, MOST), known_plane(plane), times


def draw_lines(
    axes: Axes,
    lines: Sequence[SkeletonLine],
    view: Plane,
    colour: Colour,
    thick: float,
    *,
    label: str = "",
    style: str = "-",
    zorder: float = 3.0,
) -> None:
    """A robot's lines, of `thick` times the page's width; `label` names all of them once."""
    for i, line in enumerate(lines):
        name = label if i == 0 and label else "_"
        wide = thick * page().line
        u, v = view.seen(line.points).T
        axes.plot(u, v, style, color=colour, linewidth=wide, label=name, zorder=zorder)


def magnified(robot: Robot, q: Floats, times: float) -> Floats:
    """The configuration with its shapes so many times as large."""
    out = np.array(q, dtype=float)
    for link in robot.links:
        out[link.d] *= times
    return out


def unbent(robot: Robot, q: Floats) -> Floats:
    """The joints as they are, no shapes; of a closed chain the motors as they are, and the other
    joints where the loops close without bending."""
    out = magnified(robot, q, 0.0)
    if not robot.loops:
        return out
    motors = [link for link in robot.links if link.joint_name in robot.actuated]
    shapes = {k: 0.0 for link in robot.links for k in range(link.d.start, link.d.stop)}
    held = {k: float(q[k]) for link in motors for k in range(link.q.start, link.q.stop)}
    return closed_at(robot, {**held, **shapes})


def _all_points(robots: Sequence[Sequence[SkeletonLine]]) -> Floats:
    return np.vstack([line.points for lines in robots for line in lines])
