"""A closed chain held at rest: what its cuts carry, and how it gives way.

    f(q) = J^T lambda + B tau,      f = gravity, springs and bending, less external loads

Motors give tau, or hold still. P f is what is left for all other coordinates when the motors give
their torques (P B = 0), so that at rest P f = (P J^T) lambda. The loops leave the directions N,
J N = 0, motors held; T are those along which the forces at the cuts do no work, T^T P J^T = 0
(T = N unless torques work on shapes too). So, without multipliers,

    g = T^T P f = 0,      dg/ds = T^T P d(f - J^T lambda)/dq N      for steps N s,

where lambda stays as it is: the second term is the geometric stiffness of the forces at the cuts.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .. import recursion
from ..lazy import cached_property
from ..robot import Robot
from ..screws.dual import slopes
from ..types import Array, Floats
from .assembly import moved, rate_scale, row_scale
from .closure import closure_jacobian, closure_residual
from .rows import kept_rows

RANK = 1e-9  # of the largest singular value: below it a direction is free
CLOSED = 1e-9  # what may be left open, of the robot's size and in rad
STIFF = 1e-4  # of the largest singular value: below it joints alone close badly
NEWTON = 20  # steps to close the loops again


@dataclass(frozen=True)
class Balance:
    """Forces at a place: f (nv,), the multipliers of kept rows that balance them best, free
    directions N and test directions T (nv, n) each, and what is left along these: g (n,)."""

    force: Floats
    multipliers: Floats
    N: Floats
    T: Floats
    left: Floats
    size: float  # of what is left: as accelerations, in the norm of the mass matrix


@dataclass(frozen=True)
class HeldChain:
    """A closed chain under loads, the coordinates at these places of the velocity held."""

    robot: Robot
    held: tuple[int, ...] = ()
    loads: dict[str, Floats] = field(default_factory=dict)

    @cached_property
    def free(self) -> list[int]:
        return [k for k in range(self.robot.nv) if k not in self.held]

    @cached_property
    def P(self) -> Floats:
        """(free, nv): forces on free coordinates less what torques at held joints do there."""
        robot = self.robot
        out = np.eye(robot.nv)[self.free]
        columns = [robot.joint_indices.index(k) for k in self.held]
        out[:, list(self.held)] = -robot.input_matrix[np.ix_(self.free, columns)]
        return out

    def force(self, q: Array) -> Array:
        """f (nv,) of the open tree at rest."""
        return recursion.bias_force(self.robot, q, np.zeros(self.robot.nv), self.loads)

    def jacobian(self, q: Array) -> Array:
        """J of the kept rows."""
        return closure_jacobian(self.robot, q)[list(kept_rows(self.robot))]

    def balance(self, q: Floats) -> Balance:
        """What the cuts carry at q, and what is left."""
        robot = self.robot
        f, J = (np.asarray(x, dtype=float) for x in (self.force(q), self.jacobian(q)))
        N = self.directions(J)
        shared = self.held and self.P[:, list(self.held)].any()
        T = self._tests(J, N) if shared else N
        left = T.T @ f
        M = np.asarray(recursion.mass_matrix(robot, q), dtype=float)
        size = float(np.sqrt(abs(left @ np.linalg.lstsq(T.T @ M @ T, left, rcond=None)[0])))
        return Balance(f, self._multipliers(f, J), N, T, left, size)

    def _tests(self, J: Floats, N: Floats) -> Floats:
        """T (nv, n) where torques work on shapes too: as near to N as can be, T = N without."""
        L, free = null_space((self._rows[:, None] * J) @ self.P.T), N[self.free]
        return np.asarray(self.P.T @ L @ np.linalg.solve(free.T @ L, free.T @ free))

    def directions(self, J: Floats) -> Floats:
        """N (nv, n): unit directions, lengths measured by the robot's size, with J N = 0."""
        rates = rate_scale(self.robot)
        Z = null_space((self._rows[:, None] * J * rates)[:, self.free])
        N = np.zeros((self.robot.nv, Z.shape[1]))
        N[self.free] = Z
        return np.asarray(rates[:, None] * N)

    def _multipliers(self, f: Floats, J: Floats) -> Floats:
        """Those that balance joints without motors; of these, those that balance shapes; of
        these, those of the smallest forces of the motors."""
        rates, A = rate_scale(self.robot), (self._rows[:, None] * J).T
        joints = [k for k in self.robot.joint_indices if k in self.free]
        parts = []
        for places in (joints, self.robot.mode_indices):
            rows = [self.free.index(k) for k in places]
            weight = rates[places]
            parts.append((weight[:, None] * (self.P[rows] @ A), weight * (self.P[rows] @ f)))
        held = list(self.held)
        parts.append((A[held], f[held]))
        return np.asarray(self._rows * in_turn(parts, len(J)))

    @cached_property
    def _rows(self) -> Floats:
        return row_scale(self.robot)[list(kept_rows(self.robot))]

    def stiffness(self, q: Floats, balance: Balance, ways: Floats | None = None) -> Floats:
        """dg/ds (n, number of ways) along N, or along other ways (nv, ...) that agree with the
        loops."""
        directions = balance.N if ways is None else ways
        return np.asarray(balance.T.T @ self.slope(q, balance.multipliers, directions))

    def slope(self, q: Floats, multipliers: Floats, ways: Floats) -> Floats:
        """d(f - J^T lambda)/dq along ways (nv, n): (nv, n)."""

        def net(x: Array) -> Array:
            return self.force(x) - multipliers @ self.jacobian(x)

        rates = [recursion.configuration_rate(self.robot, q, way) for way in ways.T]
        return slopes(net, q, rates)

    def closed(self, q: Floats) -> Floats | None:
        """q with its loops closed again by a small step of the free joints, or, where these do
        not suffice, of all that is free; None where they do not close."""
        rates, kept = rate_scale(self.robot), list(kept_rows(self.robot))
        before, left = np.inf, np.inf
        for _ in range(NEWTON):
            gap = self._rows * np.asarray(closure_residual(self.robot, q), dtype=float)[kept]
            left = float(np.abs(gap).max(initial=0.0))
            if not left < before or left < 1e-15:
                break
            before = left
            J = self._rows[:, None] * np.asarray(self.jacobian(q), dtype=float) * rates
            chosen, step = self._closing(J), np.zeros(self.robot.nv)
            step[chosen] = np.linalg.lstsq(J[:, chosen], -gap, rcond=RANK)[0]
            q = moved(self.robot, q, rates * step)
        return q if min(left, before) <= CLOSED else None

    def _closing(self, J: Floats) -> list[int]:
        """Joints alone where they can do it: shapes are stiff."""
        joints = [k for k in self.robot.joint_indices if k in self.free]
        sizes = np.linalg.svd(J[:, joints], compute_uv=False) if joints else np.zeros(0)
        return joints if len(sizes) == len(J) and sizes[-1] > STIFF * sizes[0] else self.free

    def motor_forces(self, balance: Balance, J: Floats) -> tuple[Floats, Floats]:
        """Generalised forces (nv,) of what holds the chain, and what is left of P f (free,)."""
        tau = balance.force - balance.multipliers @ J
        left = self.P @ tau
        tau[self.free] -= left
        return tau, left


def null_space(A: Floats) -> Floats:
    """Orthonormal columns that A maps to nothing."""
    _, sizes, V = np.linalg.svd(A) if A.size else (None, np.zeros(0), np.eye(A.shape[1]))
    rank = int((sizes > RANK * max(float(sizes.max(initial=0.0)), 1e-300)).sum())
    return np.asarray(V[rank:].T)


def in_turn(parts: list[tuple[Floats, Floats]], n: int) -> Floats:
    """x (n,) that solves A x = b of the first part as well as can be; of all such x the one that
    does so for the second; and so on; at the end, the smallest."""
    x, Z = np.zeros(n), np.eye(n)
    for A, b in parts:
        if A.size and Z.size:
            x = x + Z @ np.linalg.lstsq(A @ Z, b - A @ x, rcond=RANK)[0]
            Z = Z @ null_space(A @ Z)
    return x


__all__ = ["Balance", "HeldChain", "in_turn", "null_space"]
