"""Kane's equations with dual screws: linearised in the elastic states at every step.

    M u_dot + C u + K q + gravity = tau
    M       = sum P~^T M^ P~
    C       = sum P~^T (M^ P^_dot + G^ P^)
    gravity = -sum P~^T w^
P^ and P~ are the dual projection matrices, M^ the dual inertia of a link, G^ its velocity
terms, w^ its weight. A product of dual matrices drops what is of second order, so nothing
nonlinear is ever written down. Any tree works; the paper's robots are serial.
Nothing here uses the recursion: only the modal bodies are shared with it.
Reference: [CibicikEgeland], eqs. (96)-(112).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from ..bodies import Body
from ..checks import check_robot
from ..recursion.gears import passive_torque, with_gears
from ..recursion.stiffness import damping_matrix, stiffness_matrix
from ..robot import Robot
from ..screws.dual import DualArray, vstack, wedge
from ..types import Array, Floats
from .linear import LinearMoments, dual_gyroscopic, dual_inertia, dual_weight, linear_moments
from .projection import Columns, Projection, at_station, bend, jacobian_rate, projections


@dataclass(frozen=True, eq=False)
class Order:
    """What the linearisation keeps where the paper leaves a choice.

    columns: the elastic columns of the projecting form, see `Columns`.
    still: by link, the part of the body made by its sections alone; such sections keep their
    inertia fixed in the link's axes, as in eq. (104). Other sections turn with the beam.
    """

    columns: Columns = "paper"
    still: Mapping[str, Body] = field(default_factory=dict)


PAPER = Order()
TAYLOR = Order("exponential")
"""First-order Taylor expansion of the equations with the elastic rotation exp theta~."""


@dataclass(frozen=True, eq=False)
class KaneEquations:
    """M u_dot + C u + D u + K q + gravity = tau."""

    M: Array
    C: Array
    K: Floats
    D: Floats
    gravity: Array


def equations(robot: Robot, q: Array, u: Array, order: Order = PAPER) -> KaneEquations:
    """All matrices at configuration q and speeds u. Reference: eqs. (111)-(112)."""
    check_robot(robot, "Kane's equations")
    P, at = projections(robot, q, order.columns), _moments(robot, q, order)
    return KaneEquations(
        _mass(robot, P, at),
        _coriolis(robot, P, at, u),
        stiffness_matrix(robot),
        damping_matrix(robot),
        _gravity(robot, P, at),
    )


def mass_matrix(robot: Robot, q: Array, order: Order = PAPER) -> Array:
    """M (nv, nv), to first order in the shapes."""
    return _mass(robot, projections(robot, q, order.columns), _moments(robot, q, order))


def coriolis_force(robot: Robot, q: Array, u: Array, order: Order = PAPER) -> Array:
    """C u (nv,), without C."""
    P, at = projections(robot, q, order.columns), _moments(robot, q, order)
    return sum((_bias(robot, i, P[i], at[i], u) for i in range(len(P))), np.zeros(robot.nv))


def gravity_force(robot: Robot, q: Array, order: Order = PAPER) -> Array:
    """Gravity (nv,) on the left-hand side. Reference: eqs. (109), (123)-(124)."""
    return _gravity(robot, projections(robot, q, order.columns), _moments(robot, q, order))


def _moments(robot: Robot, q: Array, order: Order) -> list[LinearMoments]:
    still = order.still
    return [linear_moments(x.body, q[x.d], still.get(x.name)) for x in robot.links]


def _mass(robot: Robot, P: list[Projection], moments: list[LinearMoments]) -> Array:
    rotors = np.zeros((robot.nv, robot.nv))
    for link in robot.links:
        for k in range(link.u.start, link.u.stop):
            rotors[k, k] = link.drive.rotor_inertia
    parts = [
        p.projecting.T @ dual_inertia(m) @ p.projecting for p, m in zip(P, moments, strict=True)
    ]
    return sum((part.total() for part in parts), rotors)


def _coriolis(robot: Robot, P: list[Projection], moments: list[LinearMoments], u: Array) -> Array:
    total = np.zeros((robot.nv, robot.nv))
    for i, (p, m) in enumerate(zip(P, moments, strict=True)):
        inner = dual_inertia(m) @ _rate(robot, i, p, u)
        inner = inner + dual_gyroscopic(m, _omega(p, u), u[robot.links[i].e]) @ p.jacobian
        total = total + (p.projecting.T @ inner).total()
    return total


def _bias(robot: Robot, i: int, p: Projection, m: LinearMoments, u: Array) -> Array:
    """C u of link i."""
    force = dual_inertia(m) @ (_rate(robot, i, p, u) @ u)
    force = force + dual_gyroscopic(m, _omega(p, u), u[robot.links[i].e]) @ (p.jacobian @ u)
    return (p.projecting.T @ force).total()


def _rate(robot: Robot, i: int, p: Projection, u: Array) -> DualArray:
    own = DualArray.of(np.zeros((robot.links[i].body.m, robot.nv)))
    return vstack([jacobian_rate(robot, i, p.jacobian, u), own])


def _omega(p: Projection, u: Array) -> DualArray:
    return p.jacobian[:3] @ u


def _gravity(robot: Robot, P: list[Projection], moments: list[LinearMoments]) -> Array:
    total = np.zeros(robot.nv)
    for p, m in zip(P, moments, strict=True):
        weight = dual_weight(m, p.pose.X.inverse() @ robot.gravity)
        total = total - (p.projecting.T @ weight).total()
    return total


def wrench_force(robot: Robot, q: Array, where: str, wrench: Array, order: Order = PAPER) -> Array:
    """Generalised force (nv,) of a wrench [n; f] at a station, in world axes.

    Reference: [CibicikEgeland], eq. (109).
    """
    i, station = robot.station(where)
    p = projections(robot, q, order.columns)[i]
    _, P = at_station(robot, i, station, p, q, order.columns)
    X, d = p.pose.X.inverse(), q[robot.links[i].d]
    n, f = X @ wrench[:3], X @ wrench[3:]
    turned = bend(station, d) @ station.rho
    return (P.T @ vstack([n + wedge(turned) @ f, f])).total()


def passive_force(robot: Robot, q: Array, u: Array) -> Array:
    """Springs, dampers, friction, stops and gears of joints, K d + D d_dot of shapes: (nv,),
    left-hand side."""
    parts = []
    for link in robot.links:
        parts.append(link.drive.elastic(q[link.q], link.joint.nv))
        parts[-1] = parts[-1] + link.drive.dissipative(q[link.q], u[link.u])
        parts.append(link.body.K @ q[link.d] + link.body.D @ u[link.e])
    force = np.concatenate(parts) if parts else np.zeros(0)
    return with_gears(robot, force, lambda gear: passive_torque(robot, gear, q, u))


def inverse_dynamics(robot: Robot, q: Array, u: Array, u_dot: Array, order: Order = PAPER) -> Array:
    """tau (nv,) of the linearised equations. Reference: eq. (110)."""
    check_robot(robot, "Kane's inverse_dynamics")
    M, bias = mass_and_bias(robot, q, u, order)
    return M @ u_dot + bias


def forward_dynamics(robot: Robot, q: Array, u: Array, tau: Array, order: Order = PAPER) -> Array:
    """u_dot (nv,) of the linearised equations.

    M truncated to first order need not be positive definite where shapes are large; then
    accelerations mean nothing. `numpy.linalg.eigvalsh(mass_matrix(robot, q))` tells.
    """
    check_robot(robot, "Kane's forward_dynamics")
    M, bias = mass_and_bias(robot, q, u, order)
    return solve(M, tau - bias)


def mass_and_bias(robot: Robot, q: Array, u: Array, order: Order = PAPER) -> tuple[Array, Array]:
    """M and all that does not depend on u_dot."""
    P, at = projections(robot, q, order.columns), _moments(robot, q, order)
    bias = _gravity(robot, P, at) + passive_force(robot, q, u)
    for i, (p, m) in enumerate(zip(P, at, strict=True)):
        bias = bias + _bias(robot, i, p, m, u)
    return _mass(robot, P, at), bias


def solve(M: Array, b: Array) -> Array:
    """x with M x = b for symmetric M, by elimination from the last row up, no pivoting:
    generic in the scalar, so that it traces."""
    A, x = [list(row) for row in M], list(b)
    n = len(x)
    for k in range(n - 1, 0, -1):
        inverse = 1.0 / A[k][k]
        for i in range(k):
            ratio = A[i][k] * inverse
            x[i] = x[i] - ratio * x[k]
            for j in range(i, k):
                A[i][j] = A[i][j] - ratio * A[j][k]
            for j in range(i):
                A[i][j] = A[j][i]
    for k in range(n):
        known = sum((A[j][k] * x[j] for j in range(k)), 0.0)
        x[k] = (x[k] - known) * (1.0 / A[k][k])
    return np.array(x)
