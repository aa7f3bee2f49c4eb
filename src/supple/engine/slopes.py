"""Shorter ways to the derivatives of the dynamics than differentiating every operation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .. import recursion as rec
from ..robot import Robot
from ..tracer import Graph, Slope, jacobian, substitute
from ..types import Array, Scalar

RobotOf = Callable[[dict[str, Array]], Robot]
"""The robot for these inputs: its parameters may be among them."""


def inverse_slope(robot_of: RobotOf) -> Slope:
    """d tau / d qdd = M, by composite bodies."""

    def slope(graph: Graph, inputs: dict[str, Array], tau: list[Scalar], wrt: str) -> Array:
        if wrt != "qdd":
            return jacobian(graph, tau, inputs[wrt])
        return rec.mass_matrix(robot_of(inputs), inputs["q"])

    return slope


@dataclass(frozen=True)
class _Answer:
    """What all slopes of the forward dynamics share: M^-1, qdd, and the inverse dynamics with
    qdd a symbol of its own."""

    inverse: Array
    qdd: list[Scalar]
    fixed: Array
    torque: Array


def forward_slope(robot_of: RobotOf) -> Slope:
    """d qdd / d x = -M^-1 d(inverse dynamics at fixed qdd) / d x: far fewer operations than
    differentiating the elimination. qdd is a symbol of its own until that is done."""
    known: list[_Answer] = []

    def slope(graph: Graph, inputs: dict[str, Array], qdd: list[Scalar], wrt: str) -> Array:
        if not known:
            known.append(_answer(robot_of(inputs), graph, inputs, qdd))
        at = known[0]
        if wrt == "tau":
            return at.inverse
        change = jacobian(graph, list(at.torque), inputs[wrt])
        values = {x.number: value for x, value in zip(at.fixed, at.qdd, strict=True)}
        flat = substitute(graph, list(change.ravel()), values)
        return np.asarray(-(at.inverse @ np.array(flat, dtype=object).reshape(change.shape)))

    return slope


def _answer(robot: Robot, graph: Graph, inputs: dict[str, Array], qdd: list[Scalar]) -> _Answer:
    q, qd = inputs["q"], inputs["qd"]
    if robot.nv > FEW:
        inverse = rec.inverse_mass_matrix(robot, q)
    else:
        inverse = _inverted(rec.mass_matrix(robot, q))
        qdd = list(inverse @ (inputs["tau"] - rec.bias_force(robot, q, qd)))
    fixed = graph.vector("qdd", robot.nv)
    return _Answer(inverse, qdd, fixed, rec.inverse_dynamics(robot, q, qd, fixed))


FEW = 9  # coordinates up to which a mass matrix is inverted with fewer operations than swept


def _inverted(M: Array) -> Array:
    """The inverse of a symmetric positive definite matrix: every pivot swept in turn, the upper
    half alone; from the tips, where a robot's inertias are the simplest."""
    n = len(M)
    A = {(i, j): M[i, j] for i in range(n) for j in range(i, n)}
    for k in reversed(range(n)):
        pivot = 1.0 / A[k, k]
        row = [A[min(i, k), max(i, k)] for i in range(n)]
        share = [x * pivot for x in row]
        for i, j in A:
            if k not in (i, j):
                A[i, j] = A[i, j] - share[i] * row[j]
        for i in range(n):
            A[min(i, k), max(i, k)] = share[i]
        A[k, k] = -pivot
    rows = [[-A[min(i, j), max(i, j)] for j in range(n)] for i in range(n)]
    return np.array(rows).reshape(n, n)
