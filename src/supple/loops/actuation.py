"""Inverse dynamics of closed chains: forces of the motors and at the cuts for a given motion.

    tau + J^T lambda = f,      f = M qdd + h of the open tree

Joints without a motor give nothing (p), those with one what is left (a): J_p^T lambda = f_p, and
of all lambda that do, those of the smallest torques f_a - J_a^T lambda. Over all joints j the
squares f_j - J_j^T lambda differ from these by f_p - J_p^T lambda = 0 alone; so, with
multipliers nu of that,

    G = J_j J_j^T,   G lambda = J_j f_j + J_p nu,   J_p^T G^-1 J_p nu = f_p - J_p^T G^-1 J_j f_j,

two definite systems, whatever the number of motors. Shapes have no motors: what is left of
their forces is what bending asks for, as in open robots.
Reference: [Saha], eqs. (43)-(46).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .. import recursion
from ..errors import InputError
from ..recursion.inverse import Wrenches
from ..robot import Robot
from ..screws import mirror
from ..types import Array, Floats
from .assembly import motor_links
from .closure import closure, closure_jacobian
from .definite import definite
from .dynamics import smallest
from .rows import joints_hold, kept_rows


@dataclass(frozen=True)
class ClosedForces:
    """Generalised forces (nv,), zero at joints without motors, and multipliers of kept rows."""

    tau: Array
    multipliers: Array


def motor_places(robot: Robot) -> list[int]:
    """Places in the velocity of the joints with motors."""
    links = motor_links(robot)
    return [k for i in sorted(links) for k in range(robot.nv)[robot.links[i].u]]


def check_motors(robot: Robot) -> None:
    """InputError where joints without motors are more than the loops can hold."""
    passive = len(robot.joint_indices) - len(motor_places(robot))
    rows = len(kept_rows(robot))
    if passive > rows:
        raise InputError(
            f"{robot.name} has too few motors: {passive} joint coordinates have none, its loops "
            f"hold {rows}; forces for any motion need {passive - rows} more motors in `actuated`"
        )


def closed_forces(
    robot: Robot, q: Array, qd: Array, qdd: Array, external: Wrenches | None = None
) -> ClosedForces:
    """Forces for a motion that agrees with the loops."""
    check_motors(robot)
    need = recursion.inverse_dynamics(robot, q, qd, qdd, external)
    J = closure_jacobian(robot, q)[list(kept_rows(robot))]
    motors, joints = motor_places(robot), robot.joint_indices
    passive = [k for k in joints if k not in motors]
    if not joints_hold(robot):
        joints = list(range(robot.nv))
    G = definite(mirror(J[:, joints] @ J[:, joints].T))
    first = G.solve(J[:, joints] @ need[joints])
    H = G.solve(J[:, passive])
    S = definite(mirror(J[:, passive].T @ H))
    multipliers = first + H @ S.solve(need[passive] - first @ J[:, passive])
    given = np.isin(np.arange(robot.nv), passive)
    return ClosedForces(np.where(given, 0.0, need - multipliers @ J), multipliers)


def inverse_dynamics(
    robot: Robot, q: Array, qd: Array, qdd: Array, external: Wrenches | None = None
) -> Array:
    """Generalised forces tau (nv,) for the accelerations qdd, of robots with or without loops;
    of redundant motors the smallest."""
    if not robot.loops:
        return recursion.inverse_dynamics(robot, q, qd, qdd, external)
    return closed_forces(robot, q, qd, qdd, external).tau


def cut_forces(
    robot: Robot, q: Array, qd: Array, qdd: Array, external: Wrenches | None = None
) -> Array:
    """Multipliers (rows,) at all cuts in this motion; of those that do the same, the smallest."""
    return smallest(robot, q, closed_forces(robot, q, qd, qdd, external).multipliers)


def closing_rates(
    robot: Robot, q: Floats, given: Floats, independent: list[int] | None = None
) -> Floats:
    """All rates (nv,) from those of independent coordinates (the motors'): J qd = 0."""
    chosen = motor_places(robot) if independent is None else independent
    qd = np.zeros(robot.nv)
    qd[chosen] = given
    return _closing(robot, q, qd, closure(robot, q, qd, np.zeros(robot.nv)).rate, chosen)


def closing_accelerations(
    robot: Robot, q: Floats, qd: Floats, given: Floats, independent: list[int] | None = None
) -> Floats:
    """All accelerations (nv,) from those of independent coordinates: J qdd + gamma = 0."""
    chosen = motor_places(robot) if independent is None else independent
    qdd = np.zeros(robot.nv)
    qdd[chosen] = given
    return _closing(robot, q, qdd, closure(robot, q, qd, qdd).acceleration, chosen)


def _closing(robot: Robot, q: Floats, x: Floats, left: Floats, chosen: list[int]) -> Floats:
    """x with the other coordinates such that nothing is left open: the smallest that do."""
    J = np.asarray(closure_jacobian(robot, q), dtype=float)
    others = [k for k in range(robot.nv) if k not in chosen]
    out = np.array(x)
    out[others] += np.linalg.lstsq(J[:, others], -np.asarray(left, dtype=float), rcond=1e-10)[0]
    return out
