"""Mass, mass centre and inertia of something rigid, and the rigid parts of a link."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..frozen import Frozen
from ..types import Floats


@dataclass(frozen=True, eq=False)
class MassProperties(Frozen):
    """Mass, mass centre and inertia about it, in the axes they are given in."""

    mass: float
    com: Floats
    inertia: Floats

    def second_moment(self) -> Floats:
        """int rho r r^T about the origin: W = 1/2 tr(I) 1 - I, then moved by c c^T."""
        W = 0.5 * np.trace(self.inertia) * np.eye(3) - self.inertia
        return np.asarray(W + self.mass * np.outer(self.com, self.com))

    def moved(self, r: Floats, R: Floats) -> MassProperties:
        """Seen from a frame in which its own stands at r, turned by R."""
        return MassProperties(self.mass, r + R @ self.com, R @ self.inertia @ R.T)


@dataclass(frozen=True)
class RigidPart:
    """A rigid part of a link, with its numbers as the user gave them.

    kind     "rigid" or "hub": fixed to the link, in the user's link axes (`Link.frame`);
             "payload": fixed to a station, in the station's axes
    station  the name of a payload's station
    """

    kind: str
    properties: MassProperties
    station: str = ""
