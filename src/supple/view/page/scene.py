"""A robot as the page needs it: frames, the stations on them, beams with their shapes and sections.

The page computes where everything is by the same formulas as `bodies.station.node` and
`recursion.path`, from the same constants. Of a second-order tensor it keeps each product of
shapes once: B_kl d_k d_l / 2 = sum over k <= l of P_kl d_k d_l.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...bodies import BeamLine, Body, Station
from ...bodies.section_kinematics import Grid, rows
from ...joints import Joint
from ...loops.assembly import motor_links, size
from ...loops.closure import TURNS, closed_axes
from ...modes.quadrature import POINTS, gauss
from ...robot import Link, Robot
from ...types import Floats
from ..skeleton import HIDDEN
from .numbers import Numbers

MOST_SECTIONS = 1200  # of a robot, shared by its beams


def scene(robot: Robot, numbers: Numbers) -> dict[str, Any]:
    """All that does not change with time."""
    beams = sum(link.body.line is not None for link in robot.links)
    points = int(np.clip(MOST_SECTIONS // max(beams, 1), 9, 33))
    return {
        "name": robot.name,
        "description": robot.description,
        "units": robot.units,
        "gravity": _list(robot.gravity),
        "small": bool(robot.kinematics.small),
        "size": size(robot),
        "names": list(robot.coordinate_names),
        "home": _list(robot.home()),
        "links": [_link(robot, i, points, numbers) for i in range(len(robot.links))],
        "loops": [_loop(robot, k) for k in range(len(robot.loops))],
        "held": sorted(motor_links(robot)) if robot.loops else [],
    }


def _link(robot: Robot, i: int, points: int, numbers: Numbers) -> dict[str, Any]:
    link = robot.links[i]
    body = link.body
    return {
        "name": link.name,
        "role": link.role,
        "parent": link.parent,
        "joint": {"name": link.joint_name, **_joint(link.joint)},
        "limits": _limits(link),
        "q": [link.q.start, link.q.stop],
        "d": [link.d.start, link.d.stop],
        "frame": _list(link.frame),
        "mount": place(link.mount),
        "stations": {name: place(station) for name, station in body.stations.items()},
        "on": [place(station) for station in _on(robot, i)],
        "beam": None if body.line is None else beam(body.line, points, numbers),
        **_mass(body),
    }


def _mass(body: Body) -> dict[str, Any]:
    """Mass, its centre, and the sides of the block with its mass and inertia; payloads apart."""
    mass = float(body.mass)
    com = body.c0 / mass if mass > 0.0 else np.zeros(3)
    spread = body.W0 / mass - np.outer(com, com) if mass > 0.0 else np.zeros((3, 3))
    variances, axes = np.linalg.eigh(0.5 * (spread + spread.T))
    if np.linalg.det(axes) < 0.0:
        axes[:, 0] *= -1.0
    block = np.sqrt(12.0 * np.maximum(variances, 0.0))
    loads = [
        {"at": place(body.stations[part.station]), "mass": part.properties.mass}
        for part in body.parts
        if part.kind == "payload" and part.station
    ]
    return {
        "mass": mass,
        "com": _list(com),
        "block": {"sides": _list(block), "axes": _list(axes)},
        "payloads": loads,
    }


def _joint(joint: Joint) -> dict[str, Any]:
    return {"kind": joint.kind, "axes": list(joint.axes), "nq": joint.nq}


def _limits(link: Link) -> list[float] | None:
    """Where its coordinate has stops."""
    drive = link.drive
    return [drive.lower, drive.upper] if drive.upper > drive.lower else None


def _on(robot: Robot, i: int) -> Iterator[Station]:
    """What sits on link i: joints it carries, sides of loops, its tip where it is rigid."""
    stations = robot.links[i].body.stations
    if "tip" in stations:
        yield stations["tip"]
    yield from (x.mount for x in robot.links if x.parent == i and x.role not in HIDDEN)
    for loop in robot.loops:
        yield from (station for k, station in (loop.first, loop.second) if k == i)


def _loop(robot: Robot, k: int) -> dict[str, Any]:
    loop = robot.loops[k]
    turns, slides = closed_axes(loop)
    return {
        "name": loop.name,
        "joint": _joint(loop.joint),
        "sides": [[i, place(station)] for i, station in (loop.first, loop.second)],
        "turns": [[list(entry) for entry in row] for row in TURNS[turns]],
        "closed_turns": list(turns),
        "slides": list(slides),
    }


def place(station: Station) -> dict[str, Any]:
    """A station's constants; absent ones are left out."""
    out: dict[str, Any] = {"r": _list(station.r0), "R": _list(station.R0)}
    parts = {"rho": station.rho, "S": station.S, "T": station.Theta}
    parts |= {"S2": products(station.S2), "T2": products(station.Theta2)}
    out |= {name: _list(part) for name, part in parts.items() if np.any(part != 0.0)}
    return out if station.x is None else {**out, "x": station.x}


def products(B: Floats) -> Floats:
    """(m, m, ...) -> (m (m + 1) / 2, ...): factors of d_k d_l, k <= l, of B_kl d_k d_l / 2."""
    m = len(B)
    parts = [
        0.5 * (B[k, n] + B[n, k]) * (0.5 if k == n else 1.0) for k in range(m) for n in range(k, m)
    ]
    return np.array(parts).reshape(-1, *B.shape[2:])


def beam(line: BeamLine, points: int, numbers: Numbers) -> dict[str, Any]:
    """Sections along a beam: where they are and how they turn (link axes), their curvature
    (section axes) and stretch, for unit shapes and products of shapes; and how large they are."""
    length, base, R = line.beam.length, line.base, line.R
    x = np.unique(np.concatenate([np.linspace(0.0, length, points), line.beam.breaks]))
    straight = line.start + np.outer(x, R[:, 0])
    S = np.moveaxis(base.displacement(x) @ R.T, 1, 0)  # (n, m, 3)
    T = np.moveaxis(base.rotation(x) @ R.T, 1, 0)
    m = S.shape[1]
    S2, T2 = _second(line, x) if line.second and m else (np.zeros((len(x), 0, 3)),) * 2
    outline = line.beam.outline
    return {
        "length": length,
        "x": numbers.put(x),
        "r": numbers.put(straight),
        "R": _list(R),
        "S": numbers.put(S),
        "T": numbers.put(T),
        "S2": numbers.put(S2),
        "T2": numbers.put(T2),
        "curvature": numbers.put(np.moveaxis(base.rotation(x, 1), 1, 0)),
        "stretch": numbers.put(base.stretch(x).T),
        "half": None if outline is None else numbers.put(outline.half(x)),
        "shape": None if outline is None else outline.shape,
        "E": None if outline is None else outline.E,
    }


def _second(line: BeamLine, x: Floats) -> tuple[Floats, Floats]:
    """Products of shapes at x, (n, m (m + 1) / 2, 3) each, in link axes."""
    fine = np.unique(np.concatenate([np.linspace(0.0, x[-1], 17), x]))
    points, pick = Grid(*gauss(fine, POINTS)), np.searchsorted(fine, x)
    found = list(rows(line.base, points))
    both = []
    for part in ("dS2", "dTheta2"):
        ends = [[points.ends(y)[pick] for y in getattr(row, part)] for row in found]
        packed = products(np.array(ends))  # (pairs, n, 3)
        both.append(np.moveaxis(packed, 1, 0) @ line.R.T)
    return both[0], both[1]


def _list(array: Floats) -> list[float]:
    return [float(v) for v in np.asarray(array, dtype=float).reshape(-1)]
