"""What acts on a joint coordinate by itself: spring, damper, friction, stops, rotor, elastic gear;
what its motor can give; and the range that a model file states."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..screws import larger, positive, smaller
from ..types import Array, Scalar


@dataclass(frozen=True)
class Drive:
    """Properties of a joint and of its motor, in the joint's own coordinate (N m or N).

    tau_passive = stiffness (q - rest) + (damping + viscous) u + coulomb tanh(u / smoothing)
                + stops
    stands on the left-hand side of the equations of motion. Beyond a stop by x > 0 acts
    stop_stiffness x (1 + stop_damping x_dot), never less than nothing: a stop pushes, it does
    not pull [HuntCrossley]. `rotor_inertia` is what the motor's rotor adds to the joint's inertia
    (already multiplied by the gear ratio squared). A number that is zero is not there.
    """

    stiffness: float = 0.0
    rest: float = 0.0
    damping: float = 0.0
    coulomb: float = 0.0
    viscous: float = 0.0
    smoothing: float = 1e-3
    rotor_inertia: float = 0.0
    lower: float = 0.0
    upper: float = 0.0
    stop_stiffness: float = 0.0
    stop_damping: float = 0.0
    torque_limit: float = 0.0
    speed_limit: float = 0.0
    full_torque_speed: float = 0.0
    static: float = 0.0  # the largest friction that holds the joint still, of one that sticks
    sticks: bool = False

    def dissipative(self, q: Array, u: Array) -> Array:
        """Force that resists the rates u: (nv,)."""
        resist = [self._resist(x) for x in u]
        if self.stop_stiffness != 0.0:
            resist[0] = resist[0] + self.stops(q[0], u[0]) - self.stops(q[0], 0.0)
        return np.array(resist)

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
        """d(dissipative)/du at u = 0, between the stops."""
        friction = self.coulomb / self.smoothing if self.coulomb else 0.0
        return self.damping + self.viscous + friction

    def elastic(self, q: Array, nv: int) -> Array:
        """Force of spring and stops (nv,); only one-coordinate joints may have them."""
        if self.stiffness == 0.0 and self.stop_stiffness == 0.0:
            return np.zeros(nv)
        return np.array([self.stiffness * (q[0] - self.rest) + self.stops(q[0], 0.0)])

    def stops(self, q: Scalar, u: Scalar) -> Scalar:
        """Force of the stops at q and the rate u."""
        if self.stop_stiffness == 0.0:
            return 0.0
        up, down = self._beyond(q)
        more, d = positive, self.stop_damping
        return self.stop_stiffness * (up * more(1.0 + d * u) - down * more(1.0 - d * u))

    def _beyond(self, q: Scalar) -> tuple[Scalar, Scalar]:
        """How far q is beyond the upper and the lower stop."""
        return positive(q - self.upper), positive(self.lower - q)

    def energy(self, q: Array) -> Scalar:
        """Energy stored in the spring and in the stops."""
        out: Scalar = 0.0
        if self.stiffness != 0.0:
            out = 0.5 * self.stiffness * (q[0] - self.rest) * (q[0] - self.rest)
        if self.stop_stiffness != 0.0:
            up, down = self._beyond(q[0])
            out = out + 0.5 * self.stop_stiffness * (up * up + down * down)
        return out

    def given(self, tau: Scalar, u: Scalar) -> Scalar:
        """What the motor gives when tau is asked of it at the rate u.

        No more than torque_limit either way. What would make it faster fades from there at
        full_torque_speed to nothing at speed_limit; what slows it down does not.
        """
        if self.torque_limit == 0.0:
            return tau
        up, down = self.torque_limit, self.torque_limit
        if self.speed_limit != 0.0:
            up, down = up * self._fade(u), down * self._fade(-u)
        return smaller(larger(tau, -down), up)

    def _fade(self, u: Scalar) -> Scalar:
        """The torque-speed line: 1 up to full_torque_speed, 0 from speed_limit on."""
        width = 1.0 / (self.speed_limit - self.full_torque_speed)
        return positive(smaller((self.speed_limit - u) * width, 1.0))


@dataclass(frozen=True)
class Gear:
    """A spring and a damper between a motor and the joint that it drives.

    Between the motor's angle phi and the joint's coordinate q, wound up by

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


@dataclass(frozen=True)
class Limits:
    """The range of a joint and of its motor, as a model file states it: least and largest
    coordinate, largest torque or force, largest rate; None: not told. These numbers exert no
    force: stops and drives do."""

    lower: float | None = None
    upper: float | None = None
    effort: float | None = None
    velocity: float | None = None
