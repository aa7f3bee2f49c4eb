"""Prismatic joint: a slide along z.

O is fixed to the moving link, so r = q z. erratum: [Saha] leaves A_dot of a prismatic joint
undefined; with O on the moving link both Coriolis terms w x e b_dot appear.
"""

from __future__ import annotations

import numpy as np

from ..types import Array
from .base import Joint


class Prismatic(Joint):
    kind = "prismatic"
    meaning = "slides along it"
    axes = (5,)
    coordinates = ("",)
    speeds = ("",)
    symbols = ("b{n}",)
    has_axis = True

    def position(self, q: Array) -> Array | None:
        return np.array([0.0, 0.0, q[0]])
