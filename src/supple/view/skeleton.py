"""The lines that stand for a robot in a picture: bent beams as curves, rigid links as strokes.

A rigid link is drawn from its origin to all that sits on it: its tip, the joints of the links it
carries, its sides of the loops. A beam is its bent axis; what sits off the axis has a stroke of
its own, and so has the way that a sliding joint has gone. A body of finite elements, of which
stations alone are known, is a cubic from its root to each of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..bodies import Station
from ..bodies.material_points import axis
from ..bodies.section_kinematics import Grid
from ..errors import InputError
from ..modes.quadrature import POINTS, gauss
from ..recursion.kinematics import Pose, poses
from ..recursion.path import paths, station_path
from ..recursion.space import space
from ..robot import Robot
from ..types import Array, Floats

HIDDEN = ("rotor", "payload")  # roles that ride on what is drawn already


@dataclass(frozen=True)
class SkeletonLine:
    """A curve in the world (n, 3) that belongs to a link."""

    link: str
    points: Floats
    beam: bool

    @property
    def size(self) -> float:
        return float(np.ptp(self.points, axis=0).max())

    def like(self, other: SkeletonLine, least: float) -> bool:
        """Whether it is the same stroke: a tip that carries a joint."""
        same = self.link == other.link and len(self.points) == len(other.points)
        return same and float(np.abs(self.points - other.points).max()) <= least


def skeleton(robot: Robot, q: Floats, points: int = 33) -> list[SkeletonLine]:
    """All lines of the robot at configuration q, link by link; strokes of no length left out."""
    lines = all_lines(robot, q, points)
    return [lines[i] for i in drawable(robot, lines)]


def drawable(robot: Robot, lines: list[SkeletonLine]) -> list[int]:
    """Which lines are to be drawn; InputError where there are none."""
    found = visible(lines)
    if not found:
        raise InputError(
            f"{robot.name} has nothing to draw: none of its links has a length. Give them one "
            f"(rigid: {{length: ...}} or {{tip: [x, y, z]}}), or their joints an origin"
        )
    return found


def all_lines(robot: Robot, q: Floats, points: int = 33) -> list[SkeletonLine]:
    """With those of no length: always as many, in the same order."""
    at = _Drawn.of(robot, q)
    return [line for i in range(len(robot.links)) for line in at.lines(i, points)]


def visible(lines: list[SkeletonLine]) -> list[int]:
    """Which of them have a length, and are no other's twin."""
    least = 1e-6 * max((x.size for x in lines), default=0.0)
    out: list[int] = []
    for i, line in enumerate(lines):
        if line.size > least and not any(line.like(lines[k], least) for k in out):
            out.append(i)
    return out


def joints(robot: Robot, q: Floats) -> Floats:
    """Places (n, 3) of the joints that move."""
    at = _Drawn.of(robot, q)
    found = [at.frames[i].p for i, link in enumerate(robot.links) if link.joint.nv in (1, 2, 3)]
    return at.numbers(found).reshape(-1, 3)


@dataclass(frozen=True)
class _Drawn:
    """A robot at a configuration, shapes of the order that its kinematics gives them."""

    robot: Robot
    q: Array
    frames: list[Pose]

    @classmethod
    def of(cls, robot: Robot, q: Floats) -> _Drawn:
        small = space(robot).shapes(robot, q)
        return cls(robot, small, poses(robot, paths(robot, small, np.zeros(robot.nv))))

    def numbers(self, points: list[Array]) -> Floats:
        return np.array(space(self.robot).value(points), dtype=float)

    def place(self, i: int, station: Station) -> Array:
        """A station of link i in the world; of the world itself where i is -1."""
        if i < 0:
            return np.asarray(station.r0 + station.rho)
        link, frame = self.robot.links[i], self.frames[i]
        way = station_path(self.robot, station, self.q[link.d], np.zeros(link.body.m))
        return np.asarray(frame.p + frame.R @ way.pose()[1])

    def lines(self, i: int, points: int) -> Iterator[SkeletonLine]:
        link = self.robot.links[i]
        if link.role in HIDDEN:
            return
        if any(way > 2 for way in link.joint.axes) and link.joint.nv < 6:  # it has slid so far
            yield self._line(i, [self.place(link.parent, link.mount), self.frames[i].p])
        line = link.body.line
        if line is not None:
            yield SkeletonLine(link.name, self.numbers(self._beam(i, self._at(i, points))), True)
        for station in self._on(i):
            if line is None and link.body.m and not station.stands_still:
                yield SkeletonLine(link.name, self.numbers(self._cubic(i, station, points)), True)
                continue
            root = self.frames[i].p
            if line is not None and station.x is not None:
                root = self._beam(i, np.array([0.0, max(station.x, 1e-9 * line.beam.length)]))[-1]
            yield self._line(i, [root, self.place(i, station)])

    def _cubic(self, i: int, station: Station, points: int) -> list[Array]:
        """A body whose line is not known: from its root, where it is clamped, to a station with
        the place and turn that it has; between them a cubic."""
        link, frame = self.robot.links[i], self.frames[i]
        way = station_path(self.robot, station, self.q[link.d], np.zeros(link.body.m))
        R, end = way.pose()
        root = link.body.stations.get("root")
        start = np.zeros(3) if root is None else root.r0
        along = station.r0 + station.rho - start
        turned = R @ (station.R0.T @ along)
        out = []
        for t in np.linspace(0.0, 1.0, max(points, 2)):
            s = 1.0 - t
            r = (1.0 + 2.0 * t) * s * s * start + t * t * (3.0 - 2.0 * t) * end
            r = r + t * s * s * along - t * t * s * turned
            out.append(frame.p + frame.R @ r)
        return out

    def _line(self, i: int, points: list[Array]) -> SkeletonLine:
        return SkeletonLine(self.robot.links[i].name, self.numbers(points), False)

    def _on(self, i: int) -> Iterator[Station]:
        """What sits on link i."""
        robot, stations = self.robot, self.robot.links[i].body.stations
        if robot.links[i].body.line is None and "tip" in stations:
            yield stations["tip"]
        yield from (x.mount for x in robot.links if x.parent == i and x.role not in HIDDEN)
        for loop in robot.loops:
            sides = () if loop.is_tie else (loop.first, loop.second)
            yield from (station for k, station in sides if k == i)

    def _at(self, i: int, points: int) -> Floats:
        line = self.robot.links[i].body.line
        assert line is not None
        even = np.linspace(0.0, line.beam.length, max(points, 2))
        return np.unique(np.concatenate([even, line.beam.breaks]))

    def _beam(self, i: int, x: Floats) -> list[Array]:
        """The bent axis at x, from the root on, in the world."""
        link, frame, line = self.robot.links[i], self.frames[i], self.robot.links[i].body.line
        assert line is not None
        inner = np.unique(np.concatenate([np.linspace(0.0, x[-1], 9), x]))
        r = axis(line, Grid(*gauss(inner, POINTS)), inner, self.q[link.d])[0]
        return [frame.p + frame.R @ r[k] for k in np.searchsorted(inner, x)]
