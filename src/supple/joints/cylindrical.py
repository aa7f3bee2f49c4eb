"""Cylindrical joint: a turn about z and a slide along it. O is fixed to the moving link."""

from __future__ import annotations

import numpy as np

from ..types import Array, Scalar
from .base import Joint


class Cylindrical(Joint):
    kind = "cylindrical"
    meaning = "turns about its axis and slides along it"
    axes = (2, 5)
    coordinates = (".turn", ".slide")
    speeds = (".turn", ".slide")
    symbols = ("theta{n}", "b{n}")
    has_axis = True

    def position(self, q: Array) -> Array | None:
        return np.array([0.0, 0.0, q[1]])

    def angle(self, q: Array) -> Scalar | None:
        return q[0]
