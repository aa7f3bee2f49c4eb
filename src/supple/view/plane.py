"""The plane in which a robot is drawn: that of its motion, or one of the world."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..errors import unknown_name
from ..types import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PLANES = ("xy", "xz", "yz", "yx", "zx", "zy")
FLAT = 1e-3  # of its size: how thick what counts as plane may be


@dataclass(frozen=True)
class Plane:
    """Directions (2, 3) that point right and up, and what they are called."""

    ways: Floats
    names: tuple[str, str]

    def seen(self, points: Floats) -> Floats:
        """Points (n, 3) as they are drawn: (n, 2)."""
        return np.asarray(points @ self.ways.T)

    def name(self, axes: Axes, unit: str) -> None:
        """Labels and equal scales of the two axes."""
        axes.set_aspect("equal", adjustable="datalim")
        axes.margins(0.05)
        axes.set_xlabel(f"{self.names[0]} [{unit}]")
        axes.set_ylabel(f"{self.names[1]} [{unit}]")


def chosen_plane(plane: str, points: Floats) -> Plane:
    """By two letters of the world's axes, right and up; "auto": the plane that holds the points,
    or, where none does, the two axes along which they spread most."""
    if known_plane(plane) == "auto":
        spread = np.ptp(points, axis=0)
        even = np.round(spread / max(float(spread.max()), 1e-300), 6)
        return _flat(points) or _world(*sorted(np.argsort(-even, kind="stable")[:2]))
    return _world("xyz".index(plane[0]), "xyz".index(plane[1]))


def known_plane(plane: str) -> str:
    """Its name, if it is one."""
    if not isinstance(plane, str) or plane not in ("auto", *PLANES):
        raise unknown_name("plane to draw in", plane, ["auto", *PLANES])
    return plane


def _world(u: int, v: int) -> Plane:
    return Plane(np.eye(3)[[u, v]], ("xyz"[u], "xyz"[v]))


def _flat(points: Floats) -> Plane | None:
    """The plane through the points, if there is one and it is not one of the world's: z up where
    it stands, else its direction in x and y to the right."""
    middle = points - points.mean(axis=0)
    _, sizes, ways = np.linalg.svd(middle, full_matrices=False)
    normal = ways[2]
    if sizes[2] > FLAT * sizes[0] or sizes[1] <= FLAT * sizes[0]:
        return None
    if np.abs(normal).max() > 1.0 - 1e-6:
        return _world(*(k for k in range(3) if k != int(np.argmax(np.abs(normal)))))
    level = np.cross([0.0, 0.0, 1.0], normal)
    right = level / np.linalg.norm(level)
    right = right if right[np.argmax(np.abs(right))] > 0.0 else -right
    up = np.cross(normal, right)
    up = up if up[2] > 0.0 else -up
    return Plane(np.array([right, up]), (_along(right), _along(up)))


def _along(way: Floats) -> str:
    if way[2] > 1.0 - 1e-6:
        return "z"
    return "along ({:.2f}, {:.2f}, {:.2f})".format(*(way + 0.0))
