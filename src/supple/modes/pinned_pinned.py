"""Pinned at both ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .base import Family, Line, Shapes
from .sines import sine_shapes


@dataclass(frozen=True)
class PinnedPinned(Family):
    """phi_k = sin(k pi x / L), in bending, torsion and extension."""

    name: ClassVar[str] = "pinned_pinned"
    meaning: ClassVar[str] = "are sines"

    def shapes(self, count: int, line: Line) -> Shapes:
        return sine_shapes(np.pi * np.arange(1.0, count + 1.0), line)
