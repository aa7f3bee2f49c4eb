"""What a bent link looks like along its axis: position, deflection, curvature, section forces,
strain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .. import checks
from ..bodies import BeamLine
from ..errors import InputError, brief, unknown_name
from ..loops.actuation import cut_forces
from ..loops.closed_checks import driven_robot
from ..loops.closure import closure_residual
from ..loops.sections import MovingRobot, sections
from ..model.lines import beam_lines
from ..robot import Robot, split_station_name
from ..types import Coordinates, Floats
from .places import Loads, checked_loads

MOST = 10_000  # points along a link


@dataclass(frozen=True, eq=False)
class BeamState:
    """The state of a link at points x (n,) along its beam; vectors are in section axes (x along the
    beam) unless another frame is named.

    position        (n, 3) in the world
    deflection      (n, 3) off the straight beam, in beam axes: along it, in y, in z
    curvature       (n, 3) twist rate and bending curvatures about y and z [1/m]
    force           (n, 3) pull and shear forces that the part beyond puts on the section [N]
    moment          (n, 3) torque and bending moments about y and z, likewise [N m]
    elastic_moment  (n, 3) stiffness times curvature [N m]

    `force` and `moment` balance what lies beyond the section. `elastic_moment` is the
    moment that the shapes give: it approaches `moment` as shapes are added.
    """

    link: str
    x: Floats
    position: Floats
    deflection: Floats
    curvature: Floats
    force: Floats
    moment: Floats
    elastic_moment: Floats


@dataclass(frozen=True, eq=False)
class Gauge:
    """A section at a station on a beam, and the axial strain of the fibre there; force, moment
    and elastic_moment are those of `BeamState`."""

    station: str
    x: float
    curvature: Floats  # (3,)
    force: Floats  # (3,)
    moment: Floats  # (3,)
    elastic_moment: Floats  # (3,)
    strain: float


@checks.finite_results("section forces")
def along(
    robot: Robot,
    q: Coordinates,
    qd: ArrayLike | None = None,
    qdd: ArrayLike | None = None,
    external: Loads = None,
    points: int = 41,
    *,
    cuts: ArrayLike | None = None,
) -> dict[str, BeamState]:
    """Every beam of the robot at configuration q, at rest or in motion, under external loads
    {station: force or wrench in world axes}.

    cuts: multipliers (rows,) at the cuts of a closed chain; default: those for which its motors
    alone drive this motion."""
    at = _moving(robot, q, qd, qdd, external, cuts)
    count = checks.number(points, "points", f"a whole number, 2 to {MOST}")
    if not (count.is_integer() and 2 <= count <= MOST):
        raise InputError(f"points is {points}; it must be a whole number, 2 to {MOST}")
    lines = beam_lines(robot)
    return {name: _along(at, name, line, int(count)) for name, line in lines.items()}


def _moving(
    robot: Robot,
    q: Coordinates,
    qd: ArrayLike | None,
    qdd: ArrayLike | None,
    external: Loads,
    cuts: ArrayLike | None,
) -> MovingRobot:
    checks.check_robot(robot, "section forces")
    at = checks.configuration(robot, q)
    still = np.zeros(robot.nv)
    rates = still if qd is None else checks.velocity(robot, qd)
    pushes = still if qdd is None else checks.velocity(robot, qdd, "qdd")
    loads = checked_loads(robot, external, "external")
    if not robot.loops:
        return MovingRobot.of(robot, at, rates, pushes, loads)
    if cuts is not None:
        rows = len(closure_residual(robot, at))
        names = tuple(f"row {k}" for k in range(rows))
        given = checks.vector(cuts, "cuts", rows, names, robot)
        return MovingRobot.of(robot, at, rates, pushes, loads, given)
    ready = driven_robot(robot, at, rates, pushes)
    forces = np.asarray(cut_forces(ready, at, rates, pushes, loads), dtype=float)
    return MovingRobot.of(ready, at, rates, pushes, loads, forces)


def _along(moving: MovingRobot, name: str, line: BeamLine, points: int) -> BeamState:
    i = moving.robot.index(name)
    x, d = np.linspace(0.0, line.beam.length, points), moving.shape_numbers(i)
    found = sections(moving, i, line, x)
    straight = line.start + np.outer(x, line.R[:, 0])
    return BeamState(
        name,
        x,
        found.position,
        (found.place - straight) @ line.R,
        line.curvature(d, x),
        found.force,
        found.moment,
        line.moment(d, x),
    )


@checks.finite_results("section forces")
def gauge(
    robot: Robot,
    q: Coordinates,
    where: str,
    qd: ArrayLike | None = None,
    qdd: ArrayLike | None = None,
    external: Loads = None,
    *,
    cuts: ArrayLike | None = None,
) -> Gauge:
    """A station on a beam; its offset (0, y, z) is where the fibre lies in the section. cuts: as
    in `along`.

    strain = u' - y kappa_z + z kappa_y
    """
    return _gauge(_moving(robot, q, qd, qdd, external, cuts), where)


def _gauge(moving: MovingRobot, where: str) -> Gauge:
    line, station = _on_beam(moving.robot, where)
    (i, _), (x, offset) = moving.robot.station(where), line.stations[station]
    d, here = moving.shape_numbers(i), np.array([x])
    kappa, found = line.curvature(d, here)[0], sections(moving, i, line, here)
    strain, elastic = _strain(line, d, x, offset), line.moment(d, here)[0]
    return Gauge(where, x, kappa, found.force[0], found.moment[0], elastic, strain)


def strain_row(robot: Robot, where: str) -> Floats:
    """How the strain of the fibre at a station follows the coordinates: (nv,)."""
    line, station = _on_beam(robot, where)
    link = robot.links[robot.station(where)[0]]
    x, offset = line.stations[station]
    out = np.zeros(robot.nv)
    out[link.e] = [_strain(line, d, x, offset) for d in np.eye(link.body.m)]
    return out


def curvature_row(robot: Robot, where: str, axis: int) -> Floats:
    """How the curvature about an axis of the section follows the coordinates: (nv,)."""
    line, station = _on_beam(robot, where)
    link = robot.links[robot.station(where)[0]]
    here, out = np.array([line.stations[station][0]]), np.zeros(robot.nv)
    out[link.e] = [line.curvature(d, here)[0, axis] for d in np.eye(link.body.m)]
    return out


def _strain(line: BeamLine, d: Floats, x: float, offset: Floats) -> float:
    """u' - y kappa_z + z kappa_y at the amplitudes d."""
    here = np.array([x])
    kappa, stretch = line.curvature(d, here)[0], float(line.stretch(d, here)[0])
    return float(stretch - offset[1] * kappa[2] + offset[2] * kappa[1])


def _on_beam(robot: Robot, where: str) -> tuple[BeamLine, str]:
    """The beam and the station on it that a name means."""
    lines = beam_lines(robot)
    if not isinstance(where, str):
        raise InputError(
            f"gauge is {brief(where)}; it must be text: link.station, a station with an x"
        )
    name, station = split_station_name(where, [link.name for link in robot.links])
    if name not in lines:
        robot.index(name)
        beams = ", ".join(lines) or "none"
        raise InputError(f"{where}: link {name} has no beam; beams are: {beams}")
    line, station = lines[name], station or "tip"
    if station not in line.stations:
        raise unknown_name("station", station, line.stations, where=f"the beam of link {name}")
    return line, station


@checks.finite_results("section forces")
def gauges(
    robot: Robot,
    q: Coordinates,
    qd: ArrayLike | None = None,
    qdd: ArrayLike | None = None,
    external: Loads = None,
    *,
    cuts: ArrayLike | None = None,
) -> list[Gauge]:
    """All stations that a model file sets on its beams."""
    at, ends = _moving(robot, q, qd, qdd, external, cuts), ("root", "tip")
    return [
        _gauge(at, f"{name}.{station}")
        for name, line in beam_lines(robot).items()
        for station in line.stations
        if station not in ends
    ]
