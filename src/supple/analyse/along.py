"""What a bent link looks like along its axis: position, deflection, curvature, moment, strain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .. import checks
from ..bodies import BeamLine, node
from ..errors import InputError, unknown_name
from ..model.lines import beam_lines
from ..recursion import link_poses
from ..robot import Robot
from ..types import Floats


@dataclass(frozen=True)
class Along:
    """A link at points x along its beam (n,).

    position    (n, 3) in the world
    deflection  (n, 3) off the straight beam, in beam axes: along it, in y, in z
    curvature   (n, 3) twist rate and bending curvatures about the section's y and z [1/m]
    moment      (n, 3) torque and bending moments about the same axes [N m]
    """

    link: str
    x: Floats
    position: Floats
    deflection: Floats
    curvature: Floats
    moment: Floats


@dataclass(frozen=True)
class Gauge:
    """Curvature, moment and axial strain of the fibre at a station on a beam."""

    station: str
    x: float
    curvature: Floats  # (3,)
    moment: Floats  # (3,)
    strain: float


def along(robot: Robot, q: Floats, points: int = 41) -> dict[str, Along]:
    """Every beam of the robot at configuration q."""
    q = checks.configuration(robot, q)
    count = checks.number(points, "points", "a whole number, at least 2")
    if not (count.is_integer() and 2 <= count <= 1_000_000):
        raise InputError(f"points is {points}; it must be a whole number, 2 to 1 000 000")
    lines, points = beam_lines(robot), int(count)
    return {name: _along(robot, q, name, line, points) for name, line in lines.items()}


def _along(robot: Robot, q: Floats, name: str, line: BeamLine, points: int) -> Along:
    i = robot.index(name)
    d, pose = q[robot.links[i].d], link_poses(robot, q)[i]
    x = np.linspace(0.0, line.beam.length, points)
    nodes = [line.station(float(at)) for at in x]
    r = np.array([node(s, d, np.zeros(len(d))).r for s in nodes])
    moved = r - np.array([s.r0 for s in nodes])
    return Along(
        name,
        x,
        pose.p + r @ (pose.R @ robot.links[i].frame.T).T,
        moved @ line.R,
        line.curvature(d, x),
        line.moment(d, x),
    )


def gauge(robot: Robot, q: Floats, where: str) -> Gauge:
    """A station on a beam; its offset (0, y, z) is where the fibre lies in the section.

    strain = u' - y kappa_z + z kappa_y
    """
    q = checks.configuration(robot, q)
    lines = beam_lines(robot)
    name, _, at = where.partition(".")
    if name not in lines:
        robot.index(name)
        raise InputError(f"{where}: link {name} has no beam; beams are: {', '.join(lines)}")
    line = lines[name]
    at = at or "tip"
    if at not in line.stations:
        raise unknown_name("station", at, line.stations, where=f"the beam of link {name}")
    x, offset = line.stations[at]
    d, here = q[robot.links[robot.index(name)].d], np.array([x])
    kappa, moment = line.curvature(d, here)[0], line.moment(d, here)[0]
    stretch = float(line.stretch(d, here)[0]) if len(d) else 0.0
    strain = stretch - offset[1] * kappa[2] + offset[2] * kappa[1]
    return Gauge(where, x, kappa, moment, float(strain))


def gauges(robot: Robot, q: Floats) -> list[Gauge]:
    """All stations that a model file sets on its beams."""
    ends = ("root", "tip")
    return [
        gauge(robot, q, f"{name}.{station}")
        for name, line in beam_lines(robot).items()
        for station in line.stations
        if station not in ends
    ]
