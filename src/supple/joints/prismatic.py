"""Prismatic joint: a slide along z.

O is fixed to the moving link, so r = q z. erratum: [Saha] leaves A_dot of a prismatic joint
undefined; with O on the moving link both Coriolis terms w x e b_dot appear.
"""

from __future__ import annotations

import numpy as np

from ..screws import Rotation
from ..types import Array
from .base import Joint


class Prismatic(Joint):
    kind = "prismatic"
    axes = (5,)
    coordinates = ("",)
    speeds = ("",)

    def place(self, q: Array) -> tuple[Array | None, Rotation]:
        return np.array([0.0, 0.0, q[0]]), Rotation()
