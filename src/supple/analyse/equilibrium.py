"""The equations of static equilibrium, and Newton's method on them.

At rest the generalised forces are tau = G(q) + K q - sum J^T w. Joints are given; of the
shapes the equation says tau = 0 (or B tau where torques work on them), solved by Newton's
method with the exact tangent. Geometric stiffness is in it: J and G follow the shape.
Reference: [Piedboeuf], eqs. (29), (39)-(42); errata: (40), (41).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .. import recursion
from ..checks import input_columns
from ..engine import Kernel, traced
from ..errors import SimulationError
from ..lazy import cached_property
from ..recursion.gears import gear_matrix, winding
from ..robot import Robot
from ..screws.dual import slopes
from ..types import Array, Floats
from .result import Statics

SMALL = 10  # coordinates up to which a compiled tangent is worth its compilation


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """The generalised forces that keep a robot at rest under its loads."""

    robot: Robot
    loads: dict[str, Floats]
    rates: Floats | None = None  # (nv,) joints that turn steadily; None: all at rest
    small: int = SMALL

    def force(self, q: Array) -> Array:
        """tau (nv,) at configuration q."""
        still = np.zeros(self.robot.nv) if self.rates is None else self.rates
        return recursion.bias_force(self.robot, q, still, self.loads)

    def slope(self, q: Floats, along: list[int]) -> Floats:
        """d tau / dq along these velocity directions: (nv, len(along))."""
        unit = np.eye(self.robot.nv)
        ways = [recursion.configuration_rate(self.robot, q, unit[k]) for k in along]
        if self.robot.nv > self.small or self.rates is not None:
            return slopes(self.force, q, ways)
        loads = np.concatenate([np.zeros(0), *self.loads.values()])
        J = self._native(np.ascontiguousarray(q), loads)
        columns = [J @ way for way in ways]
        return np.array(columns).reshape(len(along), self.robot.nv).T

    @cached_property
    def _native(self) -> Kernel:
        """d tau / dq (nv, nq) as machine code, for any loads at the same stations."""
        robot, places = self.robot, list(self.loads)

        def force(q: Array, loads: Array) -> Array:
            pairs = {where: loads[6 * i : 6 * i + 6] for i, where in enumerate(places)}
            return Equilibrium(robot, pairs).force(q)

        sizes = (robot.nq, 6 * len(places))
        return traced(force, sizes, ("statics", robot, places)).jacobian("x0")

    def residual(self, q: Floats) -> Floats:
        """What of the force the shapes feel: zero where they are at rest."""
        return self.shape_rows(np.asarray(self.force(q), dtype=float))

    def shape_rows(self, tau: Floats) -> Floats:
        """What is left for shapes, and for joints behind elastic gears, when the motors give their
        torques: zero at rest."""
        motors, free = self.robot.motor_indices, self.robot.free_indices
        B = input_columns(self.robot, motors)[free]
        return np.asarray(tau[free] - B @ tau[motors])

    def result(self, q: Floats, iterations: int) -> Statics:
        tau = np.asarray(self.force(q), dtype=float)
        left = self.shape_rows(tau)
        free = self.robot.free_indices
        tangent = self.shape_rows(self.slope(q, free))
        worst = float(np.abs(left).max(initial=0.0))
        tau[free] -= left
        ways = _ways(self.robot)
        return Statics(self.robot, q, tau, self.loads, tangent, worst, iterations, ways=ways)


def _ways(robot: Robot) -> Floats | None:
    """(nv, n): what gives way at rest where joints do so too, not shapes alone."""
    return np.eye(robot.nv)[:, robot.free_indices] if robot.gears else None


def bent(robot: Robot, q: Floats, change: Array) -> Floats:
    """q with its shapes, and its joints behind elastic gears, changed (in velocity order)."""
    step = np.zeros(robot.nv)
    step[robot.free_indices] = change
    return np.asarray(q + recursion.configuration_rate(robot, q, step))


def straight(robot: Robot, q: Floats) -> Floats:
    """q with its links undeformed and its gears not wound up, the motors where they are."""
    out = robot.unwound(q, [robot.links[gear.motor].q.start for gear in robot.gears])
    for link in robot.links:
        out[link.d] = 0.0
    return out


def one_step(equilibrium: Equilibrium, q: Floats) -> Statics:
    """Equations linear in the shapes, about the undeformed robot."""
    free, q = equilibrium.robot.free_indices, straight(equilibrium.robot, q)
    tau, slope = np.asarray(equilibrium.force(q), dtype=float), equilibrium.slope(q, free)
    K = equilibrium.shape_rows(slope)
    d = np.linalg.solve(K, -equilibrium.shape_rows(tau)) if free else np.zeros(0)
    now, force, ways = bent(equilibrium.robot, q, d), tau + slope @ d, _ways(equilibrium.robot)
    return Statics(equilibrium.robot, now, force, equilibrium.loads, K, 0.0, 1, True, ways=ways)


def elastic_size(robot: Robot) -> Callable[[Floats], float]:
    """The size of a residual of shapes and elastic gears: the energy it could store."""
    from scipy.linalg import cho_factor, cho_solve

    free = robot.free_indices
    if not free:
        return lambda r: 0.0
    elastic = recursion.stiffness_matrix(robot) + gear_matrix(robot, lambda gear: gear.stiffness)
    K = cho_factor(elastic[np.ix_(free, free)])
    return lambda r: float(np.sqrt(max(r @ cho_solve(K, r), 0.0)))


def open_equilibrium(equilibrium: Equilibrium, q: Floats, limit: int = 60) -> Statics:
    """The equilibrium of the shapes, motors held: Newton's method, steps halved until the residual
    falls."""
    robot, free = equilibrium.robot, equilibrium.robot.free_indices
    if not free:
        return equilibrium.result(q, 0)
    size = elastic_size(robot)
    q = _on_flanks(equilibrium, q)
    left = equilibrium.residual(q)
    plain = straight(robot, q)
    scale = max(size(left), size(equilibrium.residual(plain)))
    scale = max(scale, 1e-300)
    for iteration in range(1, limit + 1):
        if size(left) <= 1e-13 * scale:
            return equilibrium.result(q, iteration - 1)
        step = np.linalg.solve(equilibrium.shape_rows(equilibrium.slope(q, free)), -left)
        small = float(np.abs(step).max()) <= 1e-13 * max(1.0, float(np.abs(q).max()))
        for _ in range(30):
            new = bent(robot, q, step)
            after = equilibrium.residual(new)
            if np.all(np.isfinite(after)) and size(after) < size(left):
                break
            step = 0.5 * step
        else:
            if small or size(left) <= 1e-9 * scale:  # rounding: no step can better it
                return equilibrium.result(q, iteration)
            break
        q, left = new, after
    raise SimulationError(
        f"no equilibrium found for {robot.name} under these loads: the residual stays at "
        f"{np.abs(left).max():.3g}. A link beyond its buckling load has none nearby: try smaller "
        f"loads, or stiffer links"
    )


def _on_flanks(equilibrium: Equilibrium, q: Floats) -> Floats:
    """q with every gear that has backlash on the flank that carries the load there: in the gap
    itself nothing holds the joint, and Newton's method has no step."""
    robot, out = equilibrium.robot, np.array(q)
    if not any(gear.backlash for gear in robot.gears):
        return out
    load = np.asarray(equilibrium.force(straight(robot, q)), dtype=float)
    for gear in robot.gears:
        link = robot.links[gear.link]
        pull = float(load[link.u.start])
        if gear.backlash and pull:
            wound = np.sign(pull) * (0.5 * gear.backlash + abs(pull) / gear.stiffness)
            out[link.q.start] += float(winding(robot, gear, out)) - wound
    return out
