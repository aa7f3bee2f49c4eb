"""A function whose derivatives are those of the forward dynamics, without differentiating the
elimination.

    y(q, qd, tau) = qdd + M^-1 (tau - inverse dynamics of q, qd, qdd)

at the qdd that forward dynamics gave. There the bracket is zero, so that M need not be
differentiated: its factors are held.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..recursion.forward import Column, Factor, accelerations, factor, inflow, solve
from ..recursion.inverse import Wrenches, net_loads, passive_force
from ..recursion.sweep import each, gather
from ..robot import Robot
from ..tracer import Expression
from ..types import Array, Scalar


def forward_correction(
    robot: Robot, q: Array, qd: Array, tau: Array, qdd: Array, external: Wrenches | None = None
) -> Array:
    """M^-1 (tau - inverse dynamics): its value is zero, its derivatives are those of qdd."""
    ways, at, loads = net_loads(robot, q, qd, qdd, robot.gravity, external or {})
    factors = factor(robot, ways, at)
    factors = each(robot.parents, lambda i: _held_factor(factors[i]))
    force = tau - passive_force(robot, q, qd) - _rotors(robot, qdd)
    return accelerations(
        robot, solve(robot, ways, factors, inflow(robot, ways, factors, force, loads))
    )


def _rotors(robot: Robot, qdd: Array) -> Array:
    """What the rotors' own inertia takes of the torques."""

    def step(i: int) -> tuple[Array, Array]:
        link = robot.links[i]
        return link.drive.rotor_inertia * qdd[link.u], np.zeros(link.body.m)

    return gather(robot.parents, step)


def _held_factor(of: Factor) -> Factor:
    return replace(of, columns=tuple(_held_column(column) for column in of.columns))


def _held_column(of: Column) -> Column:
    psi = np.array([_held(x) for x in of.psi], dtype=object)
    return replace(of, psi=psi, D=_held(of.D), inverse=_held(of.inverse))


def _held(x: Scalar) -> Scalar:
    return x.held() if isinstance(x, Expression) else x  # type: ignore[attr-defined]
