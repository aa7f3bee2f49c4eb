"""Natural frequencies of a robot over the position of one of its joints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ..analyse.frequencies import frequencies
from ..checks import real_numbers, whole
from ..errors import InputError, unknown_name
from ..loops.placing import closed_at
from ..robot import Link, Robot
from ..types import Floats
from .style import label, legend, looks, new_figure, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STEPS = 49


@styled
def frequency(
    robot: Robot,
    joint: str = "",
    *,
    q: ArrayLike | None = None,
    count: int = 8,
) -> Figure:
    """The first `count` modes, joints locked, as one joint (default: the second, since the first
    turns the whole robot) goes once round, or as far as its stops; one that slides: a unit to each
    side. Blank where the loops of a closed chain do not close."""
    link = _link(robot, joint)
    slides = link.joint.axes[0] > 2
    at = _way(link)
    base = robot.home() if q is None else real_numbers(q)
    free = len(frequencies(robot, robot.home(), locked=True).omega)  # as many wherever it is
    rows = [_omega(robot, base, link, float(x)) for x in at if free]
    shown = min(whole(count, "count", 1, 14), max(map(len, rows), default=0))
    if not shown:
        raise InputError(f"{robot.name} has no modes that vibrate with its joints locked")
    omega = np.full((STEPS, shown), np.nan)
    for k, row in enumerate(rows):
        omega[k, : len(row[:shown])] = row[:shown]
    held = "motors" if robot.loops or robot.gears else "other joints"
    figure = new_figure((8.0, 5.5), f"{robot.name}: natural frequencies, {held} locked")
    axes = figure.subplots()
    for k, (colour, style) in enumerate(looks(shown)):
        axes.plot(at, omega[:, k] / (2.0 * np.pi), style, color=colour, label=f"mode {k + 1}")
    spread = omega[omega > 0.0]
    if spread.max() > 30.0 * spread.min():
        axes.set_yscale("log")
    unit = ("m" if robot.units == "SI" else "model units") if slides else "rad"
    axes.set_xlabel(f"position of {link.joint_name} [{unit}]")
    axes.set_ylabel(label("frequency", "Hz"))
    legend(axes, figure.get_size_inches()[0])
    return figure


def _way(link: Link) -> Floats:
    """Positions of the joint."""
    half, drive = 1.0 if link.joint.axes[0] > 2 else np.pi, link.drive
    low, high = (drive.lower, drive.upper) if drive.stop_stiffness else (-half, half)
    return np.linspace(max(low, -half), min(high, half), STEPS)


def _link(robot: Robot, joint: str) -> Link:
    """The link on this joint, which must have one coordinate."""
    single = {x.joint_name: x for x in robot.links if x.joint.nq == 1 and x.role != "rotor"}
    if not single:
        raise InputError(f"{robot.name} has no joint with one coordinate to move")
    if joint and joint not in single:
        raise unknown_name("joint with one coordinate", joint, single, where=f"robot {robot.name}")
    moved = [x for x in single.values() if x.joint_name in robot.actuated or not robot.loops]
    choice = moved or list(single.values())
    return single[joint] if joint else choice[0 if robot.loops else min(1, len(choice) - 1)]


def _omega(robot: Robot, base: Floats, link: Link, x: float) -> Floats:
    """Frequencies of what vibrates; none where the chain does not close."""
    q = base.copy()
    q[link.q] = x
    if robot.loops:
        try:
            q = closed_at(robot, {link.q.start: x})
        except InputError:
            return np.zeros(0)
    omega = frequencies(robot, robot.unwound(q), locked=True).omega
    return np.asarray(omega[omega > 0.0])
