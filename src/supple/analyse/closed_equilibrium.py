"""Static equilibrium of a closed chain: motors held, loops closed, all other forces in balance.

Newton's method on the loops: a step along the directions that they leave free
(`loops.force_balance`), halved until the unbalanced forces are smaller; then the loops are closed
again.
"""

from __future__ import annotations

import numpy as np

from ..errors import SimulationError
from ..loops.assembly import moved, rate_scale, size as long
from ..loops.closed_checks import regular
from ..loops.closure import closure_jacobian
from ..loops.dynamics import smallest
from ..loops.force_balance import Balance, HeldChain
from ..loops.rows import kept_rows
from ..recursion.gears import gear_matrix
from ..robot import Robot
from ..types import Floats
from .result import Statics

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
