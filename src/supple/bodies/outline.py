"""What a beam's cross-section looks like, where its model says so: no equation reads it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..types import Floats
from .profile import Profile


@dataclass(frozen=True)
class Outline:
    """A section's shape ("circle", "tube", "rectangle", "box"), how far it reaches from the axis
    along y and z, and its material's E, None where only the stiffness is known."""

    shape: str
    wide: Profile  # diameter or width, along y
    high: Profile  # diameter or height, along z
    E: float | None

    @property
    def round(self) -> bool:
        return self.shape in ("circle", "tube")

    def half(self, x: Floats) -> Floats:
        """(n, 2): the outermost fibres along y and z."""
        return np.stack([0.5 * self.wide(x), 0.5 * self.high(x)], axis=1)
