"""Solids of unit size as meshes, and the tubes of beams: for files that hold geometry."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ...types import Floats

RIM = 20  # corners of what is round
SQUARE = ((1, -1), (1, 1), (-1, 1), (-1, -1))


@dataclass(frozen=True)
class Mesh:
    """Corners (n, 3), their normals, and faces: triangles (k, 3)."""

    points: Floats
    normals: Floats
    faces: NDArray[np.int64]


@cache
def form(name: str) -> Mesh:
    """A cylinder along z (radius 1, height 1), a sphere (radius 1), a box (sides 1)."""
    return {"cylinder": _cylinder, "sphere": _sphere, "box": _box}[name]()


def _cylinder() -> Mesh:
    around = _circle(RIM)
    ring = np.column_stack([around, np.zeros(RIM)])
    half = np.array([0.0, 0.0, 0.5])
    low, high = ring - half, ring + half
    up = np.tile([0.0, 0.0, 1.0], (RIM, 1))
    points = np.concatenate([low, high, low, high])
    normals = np.concatenate([ring, ring, -up, up])
    caps = [[2 * RIM, 2 * RIM + k + 1, 2 * RIM + k] for k in range(1, RIM - 1)]
    caps += [[3 * RIM, 3 * RIM + k, 3 * RIM + k + 1] for k in range(1, RIM - 1)]
    return Mesh(points, normals, np.concatenate([sides(2, RIM, True), np.array(caps)]))


def _sphere(rings: int = 11) -> Mesh:
    height = np.linspace(0.0, np.pi, rings)
    around = _circle(RIM)
    points = np.concatenate(
        [np.column_stack([np.sin(a) * around, np.full(RIM, -np.cos(a))]) for a in height]
    )
    return Mesh(points, points, sides(rings, RIM, True))


def _box() -> Mesh:
    points, normals, faces = list[Floats](), list[Floats](), list[list[int]]()
    for axis in range(3):
        for sign in (-1.0, 1.0):
            corners = np.zeros((4, 3))
            corners[:, axis] = 0.5 * sign
            corners[:, [(axis + 1) % 3, (axis + 2) % 3]] = 0.5 * sign * np.array(SQUARE)
            corners[:, axis] = 0.5 * sign
            normals += [sign * np.eye(3)[axis]] * 4
            first = len(points)
            points += list(corners)
            turn = [[0, 1, 2], [0, 2, 3]] if sign > 0 else [[0, 2, 1], [0, 3, 2]]
            faces += [[first + k for k in face] for face in turn]
    return Mesh(np.array(points), np.array(normals), _outward(points, normals, faces))


def _outward(
    points: list[Floats], normals: list[Floats], faces: list[list[int]]
) -> NDArray[np.int64]:
    """Faces turned so that their corners run counter-clockwise seen from outside."""
    out = []
    for a, b, c in faces:
        turn = np.cross(points[b] - points[a], points[c] - points[a]) @ normals[a]
        out.append([a, b, c] if turn > 0.0 else [a, c, b])
    return np.array(out)


def _circle(n: int) -> Floats:
    angle = 2.0 * np.pi * np.arange(n) / n
    return np.column_stack([np.cos(angle), np.sin(angle)])


def sides(rings: int, n: int, closed: bool) -> NDArray[np.int64]:
    """Triangles between rings of n corners each, one after the other along the axis; of a ring
    that is not closed only the sides between corners 2k and 2k + 1."""
    out = []
    for k in range(rings - 1):
        for j in range(0, n, 1 if closed else 2):
            a, b = k * n + j, k * n + (j + 1) % n
            out += [[a, b, a + n], [b, b + n, a + n]]
    return np.array(out)


@dataclass(frozen=True)
class Ring:
    """The rim of a section: corners (n, 2) along y and z in half widths, and their normals."""

    corners: Floats
    normals: Floats
    closed: bool


@cache
def ring(square: bool) -> Ring:
    if not square:
        around = _circle(RIM)
        return Ring(around, around, True)
    corners, normals = [], []
    for k in range(4):
        corners += [SQUARE[k], SQUARE[(k + 1) % 4]]
        middle = 0.5 * (np.array(SQUARE[k]) + np.array(SQUARE[(k + 1) % 4]))
        normals += [middle, middle]
    return Ring(np.array(corners, dtype=float), np.array(normals), False)


def tube(half: Floats, square: bool) -> Mesh:
    """A beam's surface with a cap at each end: corners (n, 3) in the axes of their sections, the
    rings one after the other, then the two caps."""
    rim, count = ring(square), len(half)
    n = len(rim.corners)
    zero = np.zeros((n, 1))
    points = [np.hstack([zero, rim.corners * h]) for h in half]
    normals = [np.hstack([zero, rim.normals])] * count
    faces = [sides(count, n, rim.closed)]
    for end, sign in ((0, -1.0), (count - 1, 1.0)):
        first = len(points) * n
        points.append(points[end])
        normals.append(np.tile([sign, 0.0, 0.0], (n, 1)))
        fan = [[first, first + k, first + k + 1] for k in range(1, n - 1)]
        faces.append(np.array(fan if sign > 0 else [face[::-1] for face in fan]))
    return Mesh(np.concatenate(points), np.concatenate(normals), np.concatenate(faces))


def owners(count: int, n: int) -> NDArray[np.int64]:
    """Which section each corner of a tube belongs to."""
    return np.repeat([*range(count), 0, count - 1], n)
