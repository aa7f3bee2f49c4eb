"""A lump: mass that moves as one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..types import Floats


@dataclass(frozen=True)
class Lump:
    """Mass, mass centre and inertia about it, in the axes it is given in."""

    mass: float
    com: Floats
    inertia: Floats

    def second_moment(self) -> Floats:
        """int rho r r^T about the origin: W = 1/2 tr(I) 1 - I, then moved by c c^T."""
        W = 0.5 * np.trace(self.inertia) * np.eye(3) - self.inertia
        return np.asarray(W + self.mass * np.outer(self.com, self.com))

    def moved(self, r: Floats, R: Floats) -> Lump:
        """Seen from a frame in which its own stands at r, turned by R."""
        return Lump(self.mass, r + R @ self.com, R @ self.inertia @ R.T)
