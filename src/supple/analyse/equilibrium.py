"""The equations of static equilibrium, and Newton's method on them.

At rest the generalised forces are tau = G(q) + K q - sum J^T w. Joints are given; of the
shapes the equation says tau = 0 (or B tau where torques work on them), solved by Newton's
method with the exact tangent. Geometric stiffness is in it: J and G follow the shape.
Of a closed chain motors are held, and a step goes along the directions that the loops leave free
(`loops.force_balance`), halved until the unbalanced forces are smaller; then the loops are closed
again.
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
from ..loops.assembly import moved, rate_scale, size as long
from ..loops.closed_checks import regular
from ..loops.closure import closure_jacobian
from ..loops.dynamics import smallest
from ..loops.force_balance import Balance, HeldChain
from ..loops.rows import kept_rows
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


FARTHEST = 0.5  # step [rad, robot's size, shape]
NEAR = 1e-9  # steps as small as this are taken whole, as long as they shrink
DONE = 1e-15
UNBALANCED = 1e-7  # of the largest force: more is no rounding
HALVINGS = 30


def held_chain(robot: Robot, q: Floats, loads: dict[str, Floats]) -> HeldChain:
    """The chain with its motors held, its independent rows found at q."""
    return HeldChain(regular(robot, q), tuple(robot.motor_indices), loads)


def closed_equilibrium(chain: HeldChain, q: Floats, limit: int = 100) -> Statics:
    """The equilibrium near q, with the loops closed."""
    robot, rates = chain.robot, rate_scale(chain.robot)
    here, before = chain.balance(q), np.inf
    for iteration in range(limit):
        if not len(here.left):
            return chain_statics(chain, q, here, iteration)
        move, falls = _move(chain, q, here)
        step = here.N @ move
        far = float(np.abs(step / rates).max())
        if not np.isfinite(far):
            break
        step *= min(1.0, FARTHEST / max(far, 1e-300))
        found = _better(chain, q, here, step, falls, far < NEAR)
        if found is None:
            break
        q, here = found
        if far < DONE or (before < NEAR and far > 0.5 * before):
            return chain_statics(chain, q, here, iteration + 1)
        before = far
    raise SimulationError(
        f"no equilibrium found for {robot.name} under these loads: forces of "
        f"{np.abs(here.left).max(initial=0.0):.3g} stay unbalanced. Beyond a buckling load, or "
        f"where the loops are near a singular place, there is none nearby: try smaller loads, "
        f"stiffer links, or other positions of the motors"
    )


def _move(chain: HeldChain, q: Floats, here: Balance) -> tuple[Floats, bool]:
    """Newton's step s, and whether the chain falls here: where its stiffness is negative along a
    direction, the step goes down that way, not up to a rest that is none."""
    K = chain.stiffness(q, here)
    if here.T is here.N:
        w, V = np.linalg.eigh(0.5 * (K + K.T))
        least = 1e-13 * max(float(np.abs(w).max()), 1e-300)
        if w[0] < -least:
            down = V.T @ here.left / np.maximum(np.abs(w), least)
            return -(V @ np.where(np.abs(w) > least, down, 0.0)), True
    return np.asarray(np.linalg.lstsq(K, -here.left, rcond=1e-13)[0]), False


def _better(
    chain: HeldChain, q: Floats, here: Balance, step: Floats, falls: bool, near: bool
) -> tuple[Floats, Balance] | None:
    """A place along the step where less is left, or, where the chain falls, that the forces do
    work to get to; near the rest, the end of the step."""
    for _ in range(HALVINGS):
        new = chain.closed(moved(chain.robot, q, step))
        if new is not None:
            after = chain.balance(new)
            lower = step @ (here.force + after.force) < 0.0
            if near or (lower if falls else after.size < here.size):
                return new, after
        step = 0.5 * step
    return None


def chain_statics(chain: HeldChain, q: Floats, here: Balance, iterations: int) -> Statics:
    """The result of statics at an equilibrium that was found."""
    robot = chain.robot
    _check_balanced(chain, q, here)
    J = np.asarray(closure_jacobian(robot, q), dtype=float)[list(kept_rows(robot))]
    tau, left = chain.motor_forces(here, J)
    return Statics(
        robot,
        q,
        tau,
        chain.loads,
        chain.stiffness(q, here),
        float(np.abs(left).max(initial=0.0)),
        iterations,
        multipliers=np.asarray(smallest(robot, q, here.multipliers), dtype=float),
        ways=here.N,
    )


def _check_balanced(chain: HeldChain, q: Floats, here: Balance) -> None:
    """SimulationError where forces push along a direction in which nothing pushes back."""
    robot = chain.robot
    weight = robot.mass * float(np.linalg.norm(robot.gravity))
    size = max([weight, *(float(np.abs(w).max()) for w in chain.loads.values())])
    size = max(min(1.0, long(robot)) * size, float(np.abs(here.force).max(initial=0.0)))
    worst = float(np.abs(here.left).max(initial=0.0))
    wound = np.abs(gear_matrix(robot, lambda gear: gear.stiffness)).max() * np.abs(q).max()
    if worst > UNBALANCED * size + 1e-14 * wound:  # angles before and behind a gear are rounded
        way = np.abs(here.N @ here.left)
        name = robot.velocity_names[int(np.argmax(way))]
        raise SimulationError(
            f"{robot.name} has no equilibrium here: a force of {worst:.3g} (N or N m) pushes it "
            f"along {name}, and neither a motor nor a spring holds it there. Name more joints in "
            f"`actuated`, or leave out what pushes"
        )
