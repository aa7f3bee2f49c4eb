"""Forces and moments in the sections of a robot's beams, by equilibrium.

A section passes on what all that lies beyond it asks for: the inertia of the rest of the beam in
its bent shape, of the payloads on it and of the links it carries, less gravity and external loads.
It is the load that the outer part puts on the section: a pull and EI kappa count positive. At
the root it is minus what the joint gives, hub and rotor aside. What sits at x itself is beyond
the section, but at the root: there it is on the joint's side.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..bodies import BeamLine
from ..bodies.body import Acceleration
from ..bodies.material_points import axis, beam_points, payload_points
from ..bodies.section_kinematics import Grid
from ..modes.quadrature import POINTS, gauss
from ..recursion.inverse import LinkLoad, Wrenches, external_loads, net_loads, total_loads
from ..recursion.kinematics import Pose, motions, poses
from ..recursion.path import FrameMotion, FramePath
from ..recursion.space import space
from ..robot import Robot
from ..screws import cross, square
from ..screws.series import stumpff
from ..types import Array, Floats
from .actuation import cut_forces
from .wrenches import CutLoad, cut_loads, less_cuts


@dataclass(frozen=True)
class MovingRobot:
    """A robot in motion: states of the order that its kinematics gives them (`space`), the
    frames' poses and motions, and what each link with all that it carries asks for."""

    robot: Robot
    given: Array  # q as it was given
    q: Array
    qd: Array
    qdd: Array
    external: Wrenches
    ways: list[FramePath]
    frames: list[Pose]
    motions: list[FrameMotion]
    totals: list[LinkLoad]
    cuts: list[CutLoad]

    @classmethod
    def of(
        cls,
        robot: Robot,
        q: Array,
        qd: Array,
        qdd: Array,
        external: Wrenches,
        multipliers: Array | None = None,
    ) -> MovingRobot:
        """multipliers (rows,): what the cuts of a closed chain carry."""
        ways, _, loads = net_loads(robot, q, qd, qdd, robot.gravity, external)
        small, rates = space(robot).shapes(robot, q), space(robot).rates(robot, qd)
        moves = motions(robot, ways, rates, qdd, robot.gravity)
        frames = poses(robot, ways)
        cuts = [] if multipliers is None else cut_loads(robot, small, frames, multipliers)
        totals = total_loads(robot, ways, less_cuts(loads, cuts))
        return cls(robot, q, small, rates, qdd, external, ways, frames, moves, totals, cuts)

    def shapes(self, i: int) -> tuple[Array, Array, Array]:
        """Shapes of link i, their rates and accelerations."""
        link = self.robot.links[i]
        return self.q[link.d], self.qd[link.e], self.qdd[link.e]

    def shape_numbers(self, i: int) -> Array:
        """Shapes of link i as they were given."""
        return self.given[self.robot.links[i].d]


@dataclass(frozen=True)
class Sections:
    """Sections of a beam: place in link axes and in the world, force and moment in their own
    axes; all (n, 3)."""

    place: Array
    position: Array
    force: Array
    moment: Array


def section_forces(
    robot: Robot,
    q: Array,
    qd: Array,
    qdd: Array,
    where: str,
    external: Wrenches | None = None,
) -> tuple[Array, Array]:
    """Force and moment (3,) each in the section of a beam at a station, in section axes; of closed
    chains those for which the motors alone drive this motion."""
    loads = external or {}
    cuts = cut_forces(robot, q, qd, qdd, loads) if robot.loops else None
    at, (i, station) = MovingRobot.of(robot, q, qd, qdd, loads, cuts), robot.station(where)
    line = robot.links[i].body.line
    assert line is not None
    assert station.x is not None
    found = sections(at, i, line, np.array([station.x]))
    return found.force[0], found.moment[0]


def sections(moving: MovingRobot, i: int, line: BeamLine, x: Floats) -> Sections:
    """The sections at x (n,), rising, of link i."""
    here, frame, rows = space(moving.robot), moving.frames[i], []
    nodes, grid = _grid(line, x)
    pick = np.searchsorted(nodes, x)
    r, theta = (part[pick] for part in axis(line, grid, nodes, moving.shapes(i)[0]))
    n, f = _beyond(moving, i, line, x, grid, pick)
    for k in range(len(x)):
        own = [_turned_back(theta[k], v) @ line.R for v in (f[k], n[k] - cross(r[k], f[k]))]
        rows.append([r[k], frame.p + frame.R @ r[k], *own])
    place, position, force, moment = (
        np.array(here.value(list(part))) for part in zip(*rows, strict=True)
    )
    return Sections(place, position, 0.0 - force, 0.0 - moment)


def _turned_back(theta: Array, v: Array) -> Array:
    """exp(theta~)^T v."""
    c1, c2, *_ = stumpff(theta @ theta)
    across = cross(theta, v)
    return np.asarray(v - c1 * across + c2 * cross(theta, across))


def _beyond(
    moving: MovingRobot, i: int, line: BeamLine, x: Floats, grid: Grid, pick: NDArray[np.intp]
) -> tuple[Array, Array]:
    """Moment about O and force (n, 3) that all beyond x asks for, in link axes."""
    frame = moving.motions[i]
    motion = Acceleration(frame.w, square(frame.w, frame.dw), frame.a)
    parts = beam_points(moving.robot.links[i].body, line, grid, *moving.shapes(i)).load(motion)
    n, f = (_from_the_tip(part)[pick] for part in parts)
    for place, load in _on_line(moving, i, line, motion):
        beyond = (place > 0.0) & (x <= place + 1e-12 * line.beam.length)
        n = n + np.where(beyond[:, None], load.n, 0.0)
        f = f + np.where(beyond[:, None], load.f, 0.0)
    return n, f


def _grid(line: BeamLine, x: Floats) -> tuple[Floats, Grid]:
    """Panels that end at the sections asked for and where the beam has kinks."""
    length, count = line.beam.length, max((f.count for f in line.base.fields), default=0)
    even = np.linspace(0.0, length, max(8, count) + 1)
    nodes = np.unique(np.concatenate([even, line.beam.breaks, x]))
    return nodes, Grid(*gauss(nodes, POINTS))


def _from_the_tip(part: Array) -> Array:
    """Sums (nodes, 3) over all points beyond each node."""
    panels = part.reshape(-1, POINTS, 3).sum(axis=1)
    return np.concatenate([np.cumsum(panels[::-1], axis=0)[::-1], np.zeros((1, 3))])


def _on_line(
    moving: MovingRobot, i: int, line: BeamLine, motion: Acceleration
) -> Iterator[tuple[float, LinkLoad]]:
    """What sits on the line: its x, and what it asks for about O."""
    robot, none = moving.robot, np.zeros(0)
    body = robot.links[i].body
    for k, (x, _) in enumerate(body.carried):
        n, f = payload_points(body, line, k, *moving.shapes(i)).load(motion)
        yield x, LinkLoad(n[0], f[0], none)
    for c, child in enumerate(robot.links):
        if child.parent == i and child.mount.x is not None:
            yield (
                child.mount.x,
                LinkLoad(*moving.ways[c].back(moving.totals[c].n, moving.totals[c].f)),
            )
    for where, wrench in moving.external.items():
        j, station = robot.station(where)
        if j == i and station.x is not None:
            load = external_loads(robot, moving.ways, moving.q, {where: wrench})[i]
            yield station.x, LinkLoad(-load.n, -load.f, none)
    for cut in moving.cuts:
        if cut.i == i and cut.station.x is not None:
            yield cut.station.x, LinkLoad(-cut.load.n, -cut.load.f, none)


__all__ = ["MovingRobot", "Sections", "section_forces", "sections"]
