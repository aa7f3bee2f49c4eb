"""Revolute joint: a turn about z."""

from __future__ import annotations

from ..types import Array, Scalar
from .base import Joint


class Revolute(Joint):
    kind = "revolute"
    meaning = "turns about its axis"
    axes = (2,)
    coordinates = ("",)
    speeds = ("",)
    symbols = ("theta{n}",)
    has_axis = True

    def angle(self, q: Array) -> Scalar | None:
        return q[0]
