"""Floating base: a quaternion and a position; rates are the relative twist [w; v] of O in
link axes."""

from __future__ import annotations

import numpy as np

from ..screws import quaternion_matrix
from ..types import Array, Floats
from .base import Joint
from .spherical import quaternion_rate


class Floating(Joint):
    kind = "floating"
    meaning = "moves freely"
    axes = (0, 1, 2, 3, 4, 5)
    coordinates = (".qw", ".qx", ".qy", ".qz", ".x", ".y", ".z")
    speeds = (".wx", ".wy", ".wz", ".vx", ".vy", ".vz")
    symbols = ("p{n}_w", "p{n}_x", "p{n}_y", "p{n}_z", "r{n}_x", "r{n}_y", "r{n}_z")
    speed_symbols = ("om{n}_x", "om{n}_y", "om{n}_z", "ve{n}_x", "ve{n}_y", "ve{n}_z")

    def position(self, q: Array) -> Array | None:
        return q[4:]

    def matrix(self, q: Array) -> Array | None:
        return quaternion_matrix(q[:4])

    def rates(self, q: Array, u: Array) -> Array:
        velocity = quaternion_matrix(q[:4]) @ u[3:]
        return np.concatenate([quaternion_rate(q[:4], u[:3]), velocity])

    def neutral(self) -> Floats:
        return np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])

    def normalized(self, q: Array) -> Array:
        return np.concatenate([q[:4] / np.sqrt(q[:4] @ q[:4]), q[4:]])
