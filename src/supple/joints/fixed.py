"""Fixed joint: no motion."""

from __future__ import annotations

from ..screws import Rotation
from ..types import Array
from .base import Joint


class Fixed(Joint):
    kind = "fixed"
    axes = ()
    coordinates = ()
    speeds = ()

    def place(self, q: Array) -> tuple[Array | None, Rotation]:
        return None, Rotation()
