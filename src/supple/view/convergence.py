"""How a robot's frequencies settle as its links get more shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ..analyse.frequencies import frequencies
from ..checks import real_numbers, whole
from ..errors import InputError
from ..robot import Robot
from ..types import Floats
from .style import label, legend, looks, new_figure, page, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST = 40  # shapes a field


@styled
def convergence(
    robot: Robot,
    q: ArrayLike | None = None,
    *,
    count: int = 5,
    most: int = 6,
) -> Figure:
    """Frequencies of the first `count` modes, joints locked where q has them, with 1 to `most`
    shapes in each field of each link; and how far they are from those with the most shapes."""
    at, omega = table(robot, q, whole(count, "count", 1, 14), whole(most, "most", 2, MOST))
    title = f"{robot.name}: convergence in the number of shapes"
    figure = new_figure((8.5, 7.0), title, tall=1.25)
    upper, lower = figure.subplots(2, 1, sharex=True)
    wide = figure.get_size_inches()[0]
    for k, (colour, style) in enumerate(looks(omega.shape[1])):
        look = {"color": colour, "linestyle": style, "marker": "o", "label": f"mode {k + 1}"}
        size = 2.5 * page().line
        upper.plot(at, omega[:, k] / (2.0 * np.pi), markersize=size, **look)
        off = np.abs(omega[:-1, k] / omega[-1, k] - 1.0)
        lower.plot(at[:-1], np.maximum(off, 1e-16), markersize=size, **look)
    upper.set_yscale("log")
    lower.set_yscale("log")
    high = 0.5 * figure.get_size_inches()[1] - 0.6
    upper.set_ylabel(label("frequency, joints locked", "Hz", high))
    lower.set_ylabel(label(f"distance from that with {at[-1]} shapes, relative", "", high))
    lower.set_xlabel("shapes in each field of each link")
    lower.set_xticks(at)
    legend(upper, wide)
    return figure


def table(robot: Robot, q: ArrayLike | None, count: int, most: int) -> tuple[list[int], Floats]:
    """Numbers of shapes, and omega (numbers, modes) [rad/s] of the modes that all of them have."""
    joints = None if q is None else real_numbers(q)[_places(robot)]
    at = list(range(1, most + 1))
    rows = [_omega(robot.with_modes(n), joints) for n in at]
    shown = min(count, *(len(row) for row in rows))
    if not shown:
        raise InputError(f"{robot.name} has no modes that vibrate with its joints locked")
    return at, np.array([row[:shown] for row in rows])


def _places(robot: Robot) -> list[int]:
    """Where the joints' own coordinates are in q."""
    return [i for link in robot.links for i in range(link.q.start, link.q.stop)]


def _omega(robot: Robot, joints: Floats | None) -> Floats:
    """Frequencies that are not zero, the joints held where they are told."""
    q = robot.home()
    if joints is not None:
        q[_places(robot)] = joints
    omega = frequencies(robot, q, locked=True).omega
    return np.asarray(omega[omega > 0.0])
