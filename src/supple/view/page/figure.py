"""A robot as solids: beams as tubes, rigid links as rods between what sits on them, joints by kind.

Each solid has a form of unit size (cylinder along z, sphere, box), the number of the place it is
fixed to (`places`), and a matrix that sizes and puts it there. Rods are as thick as `unit`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from ...lazy import cached_property
from ...robot import Link, Robot
from ...screws import rotation_from_axes
from ...types import Floats
from ..skeleton import HIDDEN
from .places import PagePlaces

JOINT, LOAD = -1, -2  # paints of what is no link's own


@dataclass(frozen=True, eq=False)
class Solid:
    """A form of unit size, where, its matrix (3, 4), and its paint: a link's number, or JOINT,
    LOAD. `other`: a rod to there instead, which grows as the two places part."""

    form: str
    place: int
    matrix: Floats
    paint: int
    other: int | None = None


@dataclass(frozen=True, eq=False)
class Plate:
    """A flat body: corners in turn about its middle, in the axes of its place."""

    place: int
    corners: Floats
    normal: Floats
    paint: int


@dataclass
class PageFigure:
    """The solids of a robot, made once."""

    places: PagePlaces
    solids: list[Solid] = field(default_factory=list)
    plates: list[Plate] = field(default_factory=list)

    @classmethod
    def of(cls, places: PagePlaces) -> PageFigure:
        out = cls(places)
        for i, link in enumerate(places.robot.links):
            if link.role not in (*HIDDEN, "hub"):
                out._link(i, link)
            for k in places.payloads[i]:
                out._load(k, link)
        for loop, (a, _) in zip(places.robot.loops, places.loops, strict=True):
            out._joint(a, loop.joint.kind, 1.15 * out.unit)
        return out

    @property
    def robot(self) -> Robot:
        return self.places.robot

    @cached_property
    def extent(self) -> float:
        """The diagonal of the box around the robot at home."""
        at = self.places.at(self.robot.home()[None]).p[0]
        drawn = [k for k in range(len(at)) if not self._rides(k)]
        return max(float(np.linalg.norm(np.ptp(at[drawn], axis=0))), 1e-9)

    def _rides(self, k: int) -> bool:
        n = len(self.robot.links)
        return k < 2 * n and self.robot.links[k % n].role in HIDDEN

    @cached_property
    def unit(self) -> float:
        """Half the thickness of what has no section: by the robot's extent and its lengths."""
        ends = [station.r0 + station.rho for _, station in self.places.nodes]
        long = [size for x in ends if (size := float(np.linalg.norm(x))) > 1e-6 * self.extent]
        return min(0.0105 * self.extent, 0.09 * float(np.median(long)) if long else np.inf)

    def half(self, i: int) -> Floats | None:
        """(n, 2) of the sections of link i; None where its model gives none."""
        line = self.robot.links[i].body.line
        if line is None or line.beam.outline is None:
            return None
        return line.beam.outline.half(self.places.sections[i].x)

    def _link(self, i: int, link: Link) -> None:
        line, origin = link.body.line, np.zeros(3)
        if line is None and link.body.m:
            self._reduced(i)
        elif line is None:
            self._rigid(i, link)
        else:
            self._rod(i, origin, line.start, 0.7, i)
            for k in self.places.on[i]:  # off the axis: a rod back to the node
                station = self.places.nodes[k - 2 * len(self.robot.links)][1]
                self._rod(k, -(station.R0.T @ station.rho), origin, 0.6, i)
        self._base(i, link)
        self._joint(i, link.joint.kind, self._radius(i, link))

    def _reduced(self, i: int) -> None:
        """A body that bends without a line (reduced elsewhere): rods to what sits on it, which
        move with its nodes."""
        n, r = 2 * len(self.robot.links), 0.85 * self.unit
        rod = np.column_stack([np.diag([r, r, 1.0]), np.zeros(3)])
        for k in dict.fromkeys((*self.places.on[i], *self.places.stations[i].values())):
            station = self.places.nodes[k - n][1]
            if np.linalg.norm(station.r0 + station.rho) > 1e-6 * self.extent:
                self.solids.append(Solid("cylinder", i, rod, i, k))
                self._ball(k, np.zeros(3), r, i)

    def _rigid(self, i: int, link: Link) -> None:
        n, least = 2 * len(self.robot.links), 1e-6 * self.extent
        ends: list[Floats] = []
        for k in self.places.on[i]:
            end = self.places.nodes[k - n][1].r0 + self.places.nodes[k - n][1].rho
            if np.linalg.norm(end) > least and all(np.linalg.norm(x - end) > least for x in ends):
                ends.append(end)
        if len(ends) > 2 and self._plate(i, np.array(ends)):
            return
        floats, origin = link.joint.kind == "floating", np.zeros(3)
        if floats:
            self._block(i, link, ends)
        for end in ends:
            self._rod(i, origin, end, 0.85, i)
            self._ball(i, end, 0.85 * self.unit, i)
        if not floats and (ends or link.body.mass > 0.0):
            self._ball(i, origin, 0.85 * self.unit, i)
        if not ends and link.body.mass > 0.0 and not floats:
            centre = np.asarray(link.body.c0 / link.body.mass, dtype=float)
            self._rod(i, origin, centre, 0.6, i)
            self._ball(i, centre, 1.1 * self.unit, i)

    def _block(self, i: int, link: Link, on: list[Floats]) -> None:
        """The block with the link's mass and inertia; smaller where it would hide what sits on
        it."""
        body = link.body
        if body.mass <= 0.0:
            return
        centre = body.c0 / body.mass
        spread = body.W0 / body.mass - np.outer(centre, centre)
        variances, axes = np.linalg.eigh(0.5 * (spread + spread.T))
        sides = np.sqrt(12.0 * np.maximum(variances, 0.0))
        if sides.min() <= 0.0:
            return
        axes = axes * np.linalg.det(axes)
        share = min([1.0, *(float(np.abs((x - centre) @ axes / (0.5 * sides)).max()) for x in on)])
        self._put("box", i, axes * (share * sides), centre, i)

    def _plate(self, i: int, ends: Floats) -> bool:
        """Three ends or more that lie in a plane: a plate with a rim."""
        middle = ends.mean(axis=0)
        spokes = ends - middle
        _, sizes, axes = np.linalg.svd(spokes)
        if sizes[1] < 0.05 * sizes[0] or (len(sizes) > 2 and sizes[2] > 0.2 * sizes[1]):
            return False
        angles = np.arctan2(spokes @ axes[1], spokes @ axes[0])
        turn = np.cross(axes[0], axes[1])
        corners = ends[np.argsort(angles)]
        for a, b in pairwise([*corners, corners[0]]):
            self._rod(i, a, b, 0.6, i)
            self._ball(i, a, 0.6 * self.unit, i)
        self.plates.append(Plate(i, corners, turn, i))
        return True

    def _load(self, k: int, link: Link) -> None:
        loads = sum(p.properties.mass for p in link.body.parts if p.kind == "payload")
        share = loads / max(self.robot.mass, 1e-300)
        self._ball(k, np.zeros(3), self.unit * (1.2 + 1.6 * float(np.cbrt(share))), LOAD)

    def _base(self, i: int, link: Link) -> None:
        """What a link of the world stands on."""
        if link.parent < 0 and link.joint.kind != "floating":
            r = self._radius(i, link)
            foot = np.diag([1.9 * r, 1.9 * r, 0.7 * r])
            self._put("cylinder", self._mount(i), foot, np.array([0.0, 0.0, -1.5 * r]), JOINT)

    def _mount(self, i: int) -> int:
        return len(self.robot.links) + i

    def _joint(self, place: int, kind: str, r: float) -> None:
        if kind == "revolute" or (kind == "cylindrical" and place >= 2 * len(self.robot.links)):
            self._put("cylinder", place, np.diag([r, r, 2.3 * r]), np.zeros(3), JOINT)
        elif kind in ("spherical", "universal"):
            self._ball(place, np.zeros(3), 1.15 * r, JOINT)
        elif kind in ("prismatic", "cylindrical") and place < len(self.robot.links):
            mount = self._mount(place)
            self._put("box", mount, np.diag([1.9 * r, 1.9 * r, 2.4 * r]), np.zeros(3), JOINT)
            rail = np.column_stack([np.diag([0.5 * r, 0.5 * r, 1.0]), np.zeros(3)])
            self.solids.append(Solid("cylinder", mount, rail, JOINT, place))
        elif kind in ("prismatic", "planar"):
            self._put("box", place, np.diag([1.9 * r, 1.9 * r, 1.9 * r]), np.zeros(3), JOINT)

    def _radius(self, i: int, link: Link) -> float:
        """A joint is a little wider than the sections beside it."""
        wide = [0.9 * self.unit if link.role == "helper" else 1.3 * self.unit]
        for k, end in ((i, 0), (link.parent, -1)):
            half = self.half(k) if k >= 0 else None
            wide += [] if half is None else [1.25 * float(half[end].max())]
        return min(max(wide), 3.0 * self.unit)

    def _rod(self, place: int, a: Floats, b: Floats, share: float, paint: int) -> None:
        way = np.asarray(b - a, dtype=float)
        long = float(np.linalg.norm(way))
        if long > 1e-6 * self.extent:
            r = share * self.unit
            turn = rotation_from_axes(way / long) * np.array([r, r, long])
            self._put("cylinder", place, turn, 0.5 * (a + b), paint)

    def _ball(self, place: int, at: Floats, r: float, paint: int) -> None:
        self._put("sphere", place, r * np.eye(3), at, paint)

    def _put(self, form: str, place: int, A: Floats, at: Floats, paint: int) -> None:
        self.solids.append(Solid(form, place, np.column_stack([A, at]), paint))
