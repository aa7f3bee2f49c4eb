"""Powers of x."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .base import Array, Family, Line, Shapes


@dataclass(frozen=True)
class Polynomial(Family):
    """phi_k = x^(k+1) in bending, x^k in torsion and extension; x in metres.

    Ill conditioned beyond a handful; `orthogonal` spans the same space.
    Reference: [Piedboeuf], eq. (44).
    """

    name: ClassVar[str] = "polynomial"
    meaning: ClassVar[str] = "are powers of x"

    def shapes(self, count: int, line: Line) -> Shapes:
        power = np.arange(1, count + 1)[:, None] + line.order - 1
        return Shapes(count, partial(_powers, power), line.order + 1)


def _powers(power: NDArray[np.int_], x: Array, derivative: int) -> Array:
    falling = np.ones(power.shape)
    for d in range(derivative):
        falling = falling * (power - d)
    return np.asarray(falling * x ** np.maximum(power - derivative, 0))
