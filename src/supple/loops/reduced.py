"""Equations of any closed chain in independent coordinates: as many as degrees of freedom.

The loops give all other rates, qd = K u, where the closure's Jacobian over them is regular:

    J_d u_d = -J_i u   =>   K = [1; -J_d^-1 J_i],      qdd = K u_dot + k,
    K^T M K u_dot + K^T (M k + h) = K^T tau

k are the accelerations at u_dot = 0. No multipliers are left. Links may bend.
Reference: [Saha], 3.1, the second of the classical ways; [Saha], eq. (33) is the same for
parallel robots (`parallel`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .. import recursion
from ..recursion.inverse import Wrenches
from ..robot import Robot
from ..types import Floats
from .actuation import closing_accelerations
from .closure import closure_jacobian
from .mobility import scaled_jacobian
from .rows import kept_rows


@dataclass(frozen=True, eq=False)
class Reduced:
    """I u_dot + h = K^T tau, qd = K u, qdd = K u_dot + k; u are the rates at `independent`."""

    independent: tuple[int, ...]  # places in the velocity
    K: Floats  # (nv, degrees of freedom)
    k: Floats  # (nv,)
    I: Floats  # noqa: E741
    h: Floats

    def accelerations(self, tau: Floats) -> Floats:
        """qdd (nv,) under tau (nv,)."""
        return np.asarray(self.K @ np.linalg.solve(self.I, self.K.T @ tau - self.h) + self.k)


def independent_coordinates(robot: Robot, q: Floats) -> tuple[int, ...]:
    """Rates from which the loops give all others best at q: those that a QR factorisation with
    pivoting of J leaves to the end."""
    from scipy.linalg import qr  # slow to import

    rows = list(kept_rows(robot))
    _, _, order = qr(scaled_jacobian(robot, q)[rows], mode="economic", pivoting=True)
    return tuple(sorted(map(int, order[len(rows) :])))


def reduced(
    robot: Robot,
    q: Floats,
    qd: Floats,
    external: Wrenches | None = None,
    independent: tuple[int, ...] | None = None,
) -> Reduced:
    """The equations at a state that agrees with the loops."""
    chosen = list(independent_coordinates(robot, q) if independent is None else independent)
    others = [x for x in range(robot.nv) if x not in chosen]
    J = np.asarray(closure_jacobian(robot, q), dtype=float)[list(kept_rows(robot))]
    K = np.zeros((robot.nv, len(chosen)))
    K[chosen] = np.eye(len(chosen))
    K[others] = -np.linalg.solve(J[:, others], J[:, chosen])
    k = closing_accelerations(robot, q, qd, np.zeros(len(chosen)), chosen)
    M = np.asarray(recursion.mass_matrix(robot, q), dtype=float)
    h = np.asarray(recursion.bias_force(robot, q, qd, external), dtype=float)
    return Reduced(tuple(chosen), K, k, K.T @ M @ K, K.T @ (M @ k + h))
