"""Dynamics of closed chains on the tree that their cuts leave.

    M qdd + h = tau + J^T lambda,      J qdd + gamma = 0

lambda are the forces (and moments) that side a of each cut puts on side b, in a's axes, along
the closed directions; gamma is the closure's acceleration at qdd = 0. With the tree's U D U^T
factors two sweeps for each row give X = M^-1 J^T, and then

    Lambda = J X,   lambda = -Lambda^+ (gamma + J qdd_0),   qdd = qdd_0 + X lambda,

qdd_0 the accelerations of the tree with open cuts. No mass matrix is made: the cost is linear
in the tree for a given number of loops. Rows that follow from others (a planar loop in space)
make Lambda singular; of all lambda that do the smallest is taken.
Reference: [Saha], section 4; forward dynamics is not in the paper.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .. import recursion
from ..recursion.forward import accelerations, factor, inflow, solve
from ..recursion.inverse import Wrenches, net_loads
from ..robot import Robot
from ..types import Array, Floats
from .closure import closure, closure_jacobian

DEPENDENT = 1e-10  # of the largest: eigenvalue of Lambda below which a row follows from others


@dataclass(frozen=True)
class ClosedMotion:
    """Accelerations (nv,), multipliers (rows,), and how many rows are independent."""

    qdd: Floats
    multipliers: Floats
    rank: int


@dataclass(frozen=True)
class ClosedForces:
    """Generalised forces (nv,), zero where no motor is, multipliers (rows,), and what no motor
    or cut can give: zero where the motion agrees with the loops."""

    tau: Floats
    multipliers: Floats
    missing: float


def forward_dynamics(
    robot: Robot, q: Floats, qd: Floats, tau: Floats, external: Wrenches | None = None
) -> ClosedMotion:
    """How a closed chain moves under tau (nv,)."""
    free, X = _tree(robot, q, qd, tau, external)
    J = closure_jacobian(robot, q)
    gamma = closure(robot, q, qd, np.zeros(robot.nv)).acceleration
    inverse, rank = pseudo_inverse(np.asarray(J @ X, dtype=float))
    multipliers = -inverse @ (gamma + J @ free)
    return ClosedMotion(free + X @ multipliers, multipliers, rank)


def _tree(
    robot: Robot, q: Array, qd: Array, tau: Array, external: Wrenches | None
) -> tuple[Array, Array]:
    """Accelerations of the open tree, and X = M^-1 J^T (nv, rows), by one factorisation."""
    still = np.zeros(robot.nv)
    ways, at, loads = net_loads(robot, q, qd, still, robot.gravity, external or {})
    factors = factor(robot, ways, at)
    force = tau - recursion.passive_force(robot, q, qd)

    def moved(given: Array, inertia: object) -> Array:
        flows = inflow(robot, ways, factors, given, inertia)  # type: ignore[arg-type]
        return accelerations(robot, solve(robot, ways, factors, flows))

    rows = [moved(row, None) for row in closure_jacobian(robot, q)]
    return moved(force, loads), np.array(rows).reshape(len(rows), robot.nv).T


def pseudo_inverse(Lambda: Floats) -> tuple[Floats, int]:
    """Lambda^+ of a symmetric positive semidefinite matrix, and its rank.

    Rows are scaled to one first: forces and moments have different units.
    """
    scale = 1.0 / np.sqrt(np.maximum(np.diag(Lambda), 1e-300))
    values, vectors = np.linalg.eigh(scale[:, None] * Lambda * scale)
    keep = values > DEPENDENT * max(float(values.max(initial=0.0)), 1e-300)
    V = vectors[:, keep]
    small = (V / values[keep]) @ V.T
    return scale[:, None] * small * scale, int(keep.sum())


def inverse_dynamics(
    robot: Robot,
    q: Floats,
    qd: Floats,
    qdd: Floats,
    actuated: list[int],
    external: Wrenches | None = None,
) -> ClosedForces:
    """Forces of the motors at these places of the velocity, and at the cuts, for a motion that
    agrees with the loops. Of several answers (redundant motors or rows) the smallest."""
    need = recursion.inverse_dynamics(robot, q, qd, qdd, external)
    S = np.eye(robot.nv)[:, actuated]
    A = np.hstack([S, np.asarray(closure_jacobian(robot, q), dtype=float).T])
    found, *_ = np.linalg.lstsq(A, need, rcond=DEPENDENT)
    left = float(np.abs(need - A @ found).max(initial=0.0))
    return ClosedForces(S @ found[: len(actuated)], found[len(actuated) :], left)


def closing_rates(robot: Robot, q: Floats, given: Floats, independent: list[int]) -> Floats:
    """All rates (nv,) from those of the independent coordinates: J qd = 0."""
    J = np.asarray(closure_jacobian(robot, q), dtype=float)
    others = [k for k in range(robot.nv) if k not in independent]
    qd = np.zeros(robot.nv)
    qd[independent] = given
    qd[others] = np.linalg.lstsq(J[:, others], -J @ qd, rcond=1e-12)[0]
    return qd


def closing_accelerations(
    robot: Robot, q: Floats, qd: Floats, given: Floats, independent: list[int]
) -> Floats:
    """All accelerations (nv,) from those of the independent coordinates: J qdd + gamma = 0."""
    J = np.asarray(closure_jacobian(robot, q), dtype=float)
    others = [k for k in range(robot.nv) if k not in independent]
    qdd = np.zeros(robot.nv)
    qdd[independent] = given
    gamma = closure(robot, q, qd, qdd).acceleration
    qdd[others] = np.linalg.lstsq(J[:, others], -gamma, rcond=1e-12)[0]
    return qdd
