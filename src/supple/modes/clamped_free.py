"""Clamped at the joint, free at the tip."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .base import Family, Line, Shapes
from .euler_bernoulli import TipRatios, clamped_shapes
from .sines import sine_shapes


@dataclass(frozen=True)
class ClampedFree(Family):
    """Modes of a uniform cantilever.

    bending         phi_k = (cosh z - cos z) - sigma_k (sinh z - sin z),   z = beta_k x
                    1 + cosh(beta L) cos(beta L) = 0
    torsion, axial  phi_k = sin((2k - 1) pi x / 2L)

    Reference: [MohanSaha], eq. (43), in the scale "sine".
    erratum: its two + signs should be -, else phi(0) = -2 sigma.
    """

    name: ClassVar[str] = "clamped_free"
    meaning: ClassVar[str] = "are modes of the uniform cantilever"

    def shapes(self, count: int, line: Line) -> Shapes:
        if line.bending:
            return clamped_shapes(count, line.length, TipRatios())
        return sine_shapes(np.pi * (np.arange(1.0, count + 1.0) - 0.5), line)
