"""A closed chain at rest: motors held, all else where forces balance and the loops close.

Newton's method on the loops: a step along the directions that they leave free (`loops.balance`),
halved until less is left, then the loops closed again.
"""

from __future__ import annotations

import numpy as np

from ..errors import SimulationError
from ..loops.actuation import motor_places
from ..loops.assembly import moved, rate_scale
from ..loops.balance import Balance, Held
from ..loops.closure import closure_jacobian
from ..loops.dynamics import smallest
from ..loops.rows import kept_rows
from ..loops.sound import regular
from ..robot import Robot
from ..types import Floats
from .result import Statics

FARTHEST = 0.5  # step [rad, robot's size, shape]
DONE = 1e-9  # a step as small as this is the last: the next would be its square
HALVINGS = 30


def held_chain(robot: Robot, q: Floats, loads: dict[str, Floats]) -> Held:
    """The chain with its motors held, its independent rows found at q."""
    return Held(regular(robot, q), tuple(motor_places(robot)), loads)


def closed_rest(at: Held, q: Floats, limit: int = 60) -> Statics:
    """The rest near q, in which the loops are closed."""
    robot, rates = at.robot, rate_scale(at.robot)
    here = at.balance(q)
    for iteration in range(limit):
        if not len(here.left):
            return rested(at, q, here, iteration)
        K = at.stiffness(q, here)
        step = here.N @ np.linalg.lstsq(K, -here.left, rcond=1e-13)[0]
        far = float(np.abs(step / rates).max())
        if not np.isfinite(far):
            break
        step *= min(1.0, FARTHEST / max(far, 1e-300))
        found = _better(at, q, here, step, far < DONE)
        if found is None:
            break
        q, here = found
        if far < DONE:
            return rested(at, q, here, iteration + 1)
    raise SimulationError(
        f"no rest found for {robot.name} under these loads: forces of "
        f"{np.abs(here.left).max(initial=0.0):.3g} stay unbalanced. Beyond a buckling load, or "
        f"where the loops are near a singular place, there is none nearby: try smaller loads, "
        f"stiffer links, or other positions of the motors"
    )


def _better(
    at: Held, q: Floats, here: Balance, step: Floats, last: bool
) -> tuple[Floats, Balance] | None:
    """A place along the step where less is left; of the last step its end."""
    for _ in range(HALVINGS):
        new = at.closed(moved(at.robot, q, step))
        if new is not None:
            after = at.balance(new)
            if last or after.size < here.size:
                return new, after
        step = 0.5 * step
    return None


def rested(at: Held, q: Floats, here: Balance, iterations: int) -> Statics:
    """What is known of the rest."""
    robot = at.robot
    J = np.asarray(closure_jacobian(robot, q), dtype=float)[list(kept_rows(robot))]
    tau, left = at.motor_forces(here, J)
    return Statics(
        robot,
        q,
        tau,
        at.loads,
        at.stiffness(q, here),
        float(np.abs(left).max(initial=0.0)),
        iterations,
        multipliers=np.asarray(smallest(robot, q, here.multipliers), dtype=float),
        ways=here.N,
    )
