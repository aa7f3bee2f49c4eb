"""What acts on a joint coordinate by itself: spring, damper, friction, rotor."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..types import Array, Scalar


@dataclass(frozen=True)
class Drive:
    """Passive properties of a joint, in its own coordinate (N m or N).

    tau_passive = stiffness (q - rest) + (damping + viscous) u + coulomb tanh(u / smoothing)
    stands on the left-hand side of the equations of motion. `rotor_inertia` is what the
    motor's rotor adds to the joint's inertia (already multiplied by the gear ratio squared).
    """

    stiffness: float = 0.0
    rest: float = 0.0
    damping: float = 0.0
    coulomb: float = 0.0
    viscous: float = 0.0
    smoothing: float = 1e-3
    rotor_inertia: float = 0.0

    def dissipative(self, u: Array) -> Array:
        """Force that resists the rates u: (nv,)."""
        return np.array([self._resist(x) for x in u])

    def _resist(self, u: Scalar) -> Scalar:
        linear = (self.damping + self.viscous) * u
        if self.coulomb == 0.0:
            return linear
        return linear + self.coulomb * np.tanh(u * (1.0 / self.smoothing))

    def damping_at(self, u: Scalar) -> Scalar:
        """d(dissipative)/du at the rate u."""
        linear = self.damping + self.viscous
        if self.coulomb == 0.0:
            return linear
        share = np.tanh(u * (1.0 / self.smoothing))
        return linear + self.coulomb / self.smoothing * (1.0 - share * share)

    @property
    def damping_at_rest(self) -> float:
        """d(dissipative)/du at u = 0."""
        friction = self.coulomb / self.smoothing if self.coulomb else 0.0
        return self.damping + self.viscous + friction

    def elastic(self, q: Array, nv: int) -> Array:
        """Spring force (nv,); only one-coordinate joints may have a spring."""
        if self.stiffness == 0.0:
            return np.zeros(nv)
        return np.array([self.stiffness * (q[0] - self.rest)])

    def energy(self, q: Array) -> Scalar:
        """Energy stored in the spring."""
        if self.stiffness == 0.0:
            return 0.0
        return 0.5 * self.stiffness * (q[0] - self.rest) * (q[0] - self.rest)
