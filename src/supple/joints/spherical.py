"""Spherical joint: a unit quaternion (w, x, y, z); rates are the relative angular velocity in
link axes, so the configuration has four numbers and the velocity three."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from ..screws import quaternion_matrix
from ..types import Array, Floats
from .base import Joint


class Spherical(Joint):
    kind = "spherical"
    meaning = "turns about all axes"
    axes = (0, 1, 2)
    coordinates = (".qw", ".qx", ".qy", ".qz")
    speeds = (".wx", ".wy", ".wz")
    symbols = ("p{n}_w", "p{n}_x", "p{n}_y", "p{n}_z")
    speed_symbols = ("om{n}_x", "om{n}_y", "om{n}_z")
    as_turns: ClassVar[Mapping[str, str]] = {"zyx": "zyx"}

    def matrix(self, q: Array) -> Array | None:
        return quaternion_matrix(q)

    def rates(self, q: Array, u: Array) -> Array:
        return quaternion_rate(q, u)

    def neutral(self) -> Floats:
        return np.array([1.0, 0.0, 0.0, 0.0])

    def normalized(self, q: Array) -> Array:
        return np.asarray(q / np.sqrt(q @ q))


def quaternion_rate(p: Array, w: Array) -> Array:
    """p_dot = 1/2 p (0, w), w in the turned frame."""
    a, x, y, z = p
    return 0.5 * np.array(
        [
            -x * w[0] - y * w[1] - z * w[2],
            a * w[0] + y * w[2] - z * w[1],
            a * w[1] + z * w[0] - x * w[2],
            a * w[2] + x * w[1] - y * w[0],
        ]
    )
