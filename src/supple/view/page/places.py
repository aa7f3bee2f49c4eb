"""Everything of a robot that has a place in a picture, numbered, and where it all is at many q.

Numbers: the links' frames, then the mounts of their joints, then nodes (stations, what sits on a
link, payloads, sides of loops), then sections along the beams. The page's program has the same
numbers and formulas (`page/src/robot.js`); here they run over all configurations at once:

    node: r + S^T d + P d d, turned by exp(theta~), theta = T^T d + Q d d; then rho, R0; then joint
Linearised shapes: f(0) + (f(h d) - f(-h d)) / 2h.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ...bodies import BeamLine, Station
from ...bodies.section_kinematics import Grid, rows
from ...lazy import cached_property
from ...modes.quadrature import POINTS, gauss
from ...robot import Robot
from ...types import Floats
from ..skeleton import HIDDEN

MOST_SECTIONS = 1200  # of a robot, shared by its beams
STEP = 1e-4


@dataclass(frozen=True)
class Frames:
    """Places in the world: rotations (frames, n, 3, 3) and positions (frames, n, 3)."""

    R: Floats
    p: Floats


@dataclass(frozen=True)
class PageSections:
    """Sections of a beam at x, straight at r; how unit shapes and products of shapes move and
    turn them: (n, m, 3) and (n, m (m + 1) / 2, 3), in link axes."""

    x: Floats
    r: Floats
    S: Floats
    T: Floats
    S2: Floats
    T2: Floats

    @classmethod
    def of(cls, line: BeamLine, points: int) -> PageSections:
        length, base, R = line.beam.length, line.base, line.R
        x = np.unique(np.concatenate([np.linspace(0.0, length, points), line.beam.breaks]))
        S, T = (np.moveaxis(f(x) @ R.T, 1, 0) for f in (base.displacement, base.rotation))
        none = np.zeros((len(x), 0, 3))
        second = _second(line, x) if line.second and S.shape[1] else (none, none)
        return cls(x, line.start + np.outer(x, R[:, 0]), S, T, *second)


def _second(line: BeamLine, x: Floats) -> tuple[Floats, Floats]:
    fine = np.unique(np.concatenate([np.linspace(0.0, x[-1], 17), x]))
    points, pick = Grid(*gauss(fine, POINTS)), np.searchsorted(fine, x)
    found = list(rows(line.base, points))
    both = []
    for part in ("dS2", "dTheta2"):
        ends = [[points.ends(y)[pick] for y in getattr(row, part)] for row in found]
        both.append(np.moveaxis(products(np.array(ends)), 1, 0) @ line.R.T)
    return both[0], both[1]


def products(B: Floats) -> Floats:
    """(m, m, ...) -> (m (m + 1) / 2, ...): factors of d_k d_l, k <= l, of B_kl d_k d_l / 2."""
    pairs = [(k, n) for k in range(len(B)) for n in range(k, len(B))]
    parts = [0.5 * (B[k, n] + B[n, k]) * (0.5 if k == n else 1.0) for k, n in pairs]
    return np.array(parts).reshape(-1, *B.shape[2:])


@dataclass(frozen=True)
class PagePlaces:
    """The nodes of a robot, (link, station) each, and the sections of its beams, by link."""

    robot: Robot
    nodes: tuple[tuple[int, Station], ...]
    stations: tuple[dict[str, int], ...]  # of each link: numbers by name
    on: tuple[tuple[int, ...], ...]  # of each link: what sits on it
    payloads: tuple[tuple[int, ...], ...]
    loops: tuple[tuple[int, int], ...]
    sections: dict[int, PageSections]

    @classmethod
    def of(cls, robot: Robot, points: int | None = None) -> PagePlaces:
        taken = _NodeNumbers(2 * len(robot.links))
        links = range(len(robot.links))
        bodies = [link.body for link in robot.links]
        on = tuple(tuple(taken.put(i, s) for s in _on(robot, i)) for i in links)
        loads = tuple(tuple(taken.put(i, s) for s in _payloads(robot, i)) for i in links)
        named = tuple({n: taken.put(i, s) for n, s in bodies[i].stations.items()} for i in links)
        loops = [[taken.put(*side) for side in (x.first, x.second)] for x in robot.loops]
        lines = {i: body.line for i, body in enumerate(bodies) if body.line is not None}
        count = points or int(np.clip(MOST_SECTIONS // max(len(lines), 1), 9, 33))
        parts = {i: PageSections.of(line, count) for i, line in lines.items()}
        cuts = tuple((a, b) for a, b in loops)
        return cls(robot, tuple(taken.nodes), named, on, loads, cuts, parts)

    @cached_property
    def first(self) -> dict[int, int]:
        """The number of the first section of each beam."""
        at, out = 2 * len(self.robot.links) + len(self.nodes), {}
        for i, part in self.sections.items():
            out[i], at = at, at + len(part.x)
        return out

    @property
    def count(self) -> int:
        sections = sum(len(part.x) for part in self.sections.values())
        return 2 * len(self.robot.links) + len(self.nodes) + sections

    def at(self, q: Floats) -> Frames:
        """All places at configurations q (frames, nq)."""
        if not (self.robot.kinematics.small and self.robot.modes):
            return self._at(q)
        shapes = [k for link in self.robot.links for k in range(link.d.start, link.d.stop)]

        def scaled(factor: float) -> Frames:
            x = np.array(q, dtype=float)
            x[:, shapes] *= factor
            return self._at(x)

        still, up, down = scaled(0.0), scaled(STEP), scaled(-STEP)
        slope = 0.5 / STEP
        return Frames(still.R + slope * (up.R - down.R), still.p + slope * (up.p - down.p))

    def _at(self, q: Floats) -> Frames:
        robot, n = self.robot, len(self.robot.links)
        R, p = np.empty((self.count, len(q), 3, 3)), np.empty((self.count, len(q), 3))
        world = np.broadcast_to(np.eye(3), (len(q), 3, 3)), np.zeros((len(q), 3))

        def put(k: int, i: int, turn: Floats, shift: Floats) -> None:
            base_R, base_p = world if i < 0 else (R[i], p[i])
            R[k] = base_R @ turn
            p[k] = base_p + np.einsum("tij,tj->ti", base_R, shift)

        def shapes(i: int) -> Floats:
            return q[:, robot.links[i].d] if i >= 0 else np.zeros((len(q), 0))

        for i, link in enumerate(robot.links):
            put(n + i, link.parent, *_node(link.mount, shapes(link.parent)))
            put(i, n + i, *_joint(link.joint, q[:, link.q]))
        for k, (i, station) in enumerate(self.nodes):
            put(2 * n + k, i, *_node(station, shapes(i)))
        for i, part in self.sections.items():
            line = robot.links[i].body.line
            assert line is not None
            for k in range(len(part.x)):
                terms = (part.S[k], part.T[k], part.S2[k], part.T2[k])
                shift, turn = _bent(part.r[k], *terms, shapes(i))
                put(self.first[i] + k, i, turn @ line.R, shift)
        return Frames(np.moveaxis(R, 0, 1), np.moveaxis(p, 0, 1))


class _NodeNumbers:
    """Numbers given to nodes as they come."""

    def __init__(self, first: int) -> None:
        self.first, self.nodes = first, list[tuple[int, Station]]()

    def put(self, i: int, station: Station) -> int:
        self.nodes.append((i, station))
        return self.first + len(self.nodes) - 1


def _on(robot: Robot, i: int) -> Iterator[Station]:
    """What sits on link i: its tip, joints it carries, sides of loops."""
    stations = robot.links[i].body.stations
    if "tip" in stations:
        yield stations["tip"]
    yield from (x.mount for x in robot.links if x.parent == i and x.role not in HIDDEN)
    for loop in robot.loops:
        yield from (station for k, station in (loop.first, loop.second) if k == i)


def _payloads(robot: Robot, i: int) -> Iterator[Station]:
    """Where it carries loads; those that ride on it as links of their own too."""
    body = robot.links[i].body
    for part in body.parts:
        if part.kind == "payload" and part.station:
            at = body.stations[part.station]
            yield replace(at, rho=at.rho + at.R0 @ part.properties.com)


def _node(station: Station, d: Floats) -> tuple[Floats, Floats]:
    second = products(station.S2), products(station.Theta2)
    r, R = _bent(station.r0, station.S, station.Theta, *second, d)
    return R @ station.R0, r + R @ station.rho


def _bent(
    r: Floats, S: Floats, T: Floats, S2: Floats, T2: Floats, d: Floats
) -> tuple[Floats, Floats]:
    """Position (frames, 3) and rotation (frames, 3, 3) of a node."""
    m = d.shape[1]
    if not m:
        return np.broadcast_to(r, (len(d), 3)), np.broadcast_to(np.eye(3), (len(d), 3, 3))
    shift, turn = d @ S, d @ T
    if len(S2):
        pairs = np.stack([d[:, k] * d[:, n] for k in range(m) for n in range(k, m)], axis=1)
        shift, turn = shift + pairs @ S2, turn + pairs @ T2
    return r + shift, exponentials(turn)


def exponentials(theta: Floats) -> Floats:
    """exp(theta~) of many (frames, 3)."""
    s = np.einsum("ti,ti->t", theta, theta)
    small, root = s < 1e-8, np.sqrt(np.maximum(s, 1e-300))
    c1 = np.where(small, 1.0 - s / 6.0, np.sin(root) / root)
    c2 = np.where(small, 0.5 - s / 24.0, (1.0 - np.cos(root)) / np.maximum(s, 1e-300))
    t = np.zeros((len(theta), 3, 3))
    t[:, 2, 1], t[:, 0, 2], t[:, 1, 0] = theta.T
    t = t - np.swapaxes(t, 1, 2)
    return np.asarray(np.eye(3) + c1[:, None, None] * t + c2[:, None, None] * (t @ t))


def _joint(joint: object, q: Floats) -> tuple[Floats, Floats]:
    """As `Joint.place` says, for many q (frames, nq)."""
    from ...joints import Joint

    assert isinstance(joint, Joint)
    R, r = np.empty((len(q), 3, 3)), np.zeros((len(q), 3))
    for k, one in enumerate(q):
        shift, turn = joint.place(one)
        R[k] = np.asarray(turn.matrix(), dtype=float) if turn.factors else np.eye(3)
        if shift is not None:
            r[k] = shift
    return R, r
