"""Revolute joint: a turn about z."""

from __future__ import annotations

import numpy as np

from ..screws import Rotation, Turn
from ..types import Array
from .base import Joint


class Revolute(Joint):
    kind = "revolute"
    axes = (2,)
    coordinates = ("",)
    speeds = ("",)

    def place(self, q: Array) -> tuple[Array | None, Rotation]:
        return None, Rotation((Turn(2, np.cos(q[0]), np.sin(q[0])),))
