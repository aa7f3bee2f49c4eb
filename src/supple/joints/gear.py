"""An elastic gear: a spring and a damper between a motor's angle and the joint that it drives."""

from __future__ import annotations

from dataclasses import dataclass

from ..screws import positive
from ..types import Scalar


@dataclass(frozen=True)
class Gear:
    """Between the motor's angle phi and the joint's coordinate q, wound up by

    delta = phi / ratio - q,    V = 1/2 stiffness max(|delta| - backlash / 2, 0)^2.

    `motor` and `link` are the places of the rotor and of the driven link among the links. All but
    the ratio is as seen at the joint. The damper (oil) acts in the gap of the backlash as well.
    Reference: [Spong].
    """

    motor: int
    link: int
    ratio: float
    stiffness: float
    damping: float = 0.0
    backlash: float = 0.0

    def torque(self, delta: Scalar) -> Scalar:
        """dV/d(delta)."""
        if self.backlash == 0.0:
            return self.stiffness * delta
        up, down = self._beyond(delta)
        return self.stiffness * (up - down)

    def loose(self, delta: float) -> bool:
        """Whether it is in its gap, where nothing holds the joint."""
        return abs(delta) < 0.5 * self.backlash

    def energy(self, delta: Scalar) -> Scalar:
        """V."""
        if self.backlash == 0.0:
            return 0.5 * self.stiffness * (delta * delta)
        up, down = self._beyond(delta)
        return 0.5 * self.stiffness * (up * up + down * down)

    def _beyond(self, delta: Scalar) -> tuple[Scalar, Scalar]:
        """How far the gear is wound up beyond its gap, either way."""
        half = 0.5 * self.backlash
        return positive(delta - half), positive(-delta - half)
