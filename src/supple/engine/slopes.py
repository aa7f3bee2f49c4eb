"""Shorter ways to the derivatives of the dynamics than differentiating every operation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .. import recursion as rec
from ..loops.closure import closure, closure_jacobian
from ..loops.definite import definite
from ..loops.rows import kept_rows
from ..recursion.space import space
from ..robot import Robot
from ..screws import mirror
from ..tracer import Graph, Slope, jacobian, substitute
from ..types import Array, Scalar

RobotOf = Callable[[dict[str, Array]], Robot]
"""The robot for these inputs: its parameters may be among them."""

External = Callable[[dict[str, Array]], dict[str, Array]]
"""The wrenches among the inputs, by station."""


def inverse_slope(robot_of: RobotOf, _: External) -> Slope:
    """d tau / d qdd = M, by composite bodies."""

    def slope(graph: Graph, inputs: dict[str, Array], tau: list[Scalar], wrt: str) -> Array:
        robot = robot_of(inputs)
        if wrt != "qdd" or robot.loops:
            return jacobian(graph, tau, inputs[wrt])
        return rec.mass_matrix(robot, inputs["q"])

    return slope


@dataclass(frozen=True)
class _Answer:
    """What all slopes of the forward dynamics share.

    `left` are the equations that vanish, all that is found in them a symbol of its own: `fixed`,
    of which `found` are the values; `answer` is how qdd answers to a change of `left`, and of
    it the part `inverse` of forces. Open robots: M^-1, inverse dynamics, qdd. Closed chains have
    their multipliers among the symbols and the closure's acceleration among the equations.
    """

    inverse: Array
    answer: Array
    found: list[Scalar]
    fixed: Array
    left: Array


def forward_slope(robot_of: RobotOf, external: External) -> Slope:
    """d qdd / d x = -M^-1 d(inverse dynamics at fixed qdd) / d x: far fewer operations than
    differentiating the elimination. qdd is a symbol of its own until that is done."""
    known: list[_Answer] = []

    def slope(graph: Graph, inputs: dict[str, Array], qdd: list[Scalar], wrt: str) -> Array:
        if not known:
            known.append(_answer(robot_of(inputs), graph, inputs, external(inputs), qdd))
        at = known[0]
        if wrt == "tau":
            return at.inverse
        change = jacobian(graph, list(at.left), inputs[wrt])
        values = {x.number: value for x, value in zip(at.fixed, at.found, strict=True)}
        flat = substitute(graph, list(change.ravel()), values)
        return np.asarray(-(at.answer @ np.array(flat, dtype=object).reshape(change.shape)))

    return slope


def _answer(
    robot: Robot,
    graph: Graph,
    inputs: dict[str, Array],
    external: dict[str, Array],
    qdd: list[Scalar],
) -> _Answer:
    q, qd = inputs["q"], inputs["qd"]
    if robot.nv > FEW:
        inverse = rec.inverse_mass_matrix(robot, q)
    else:
        inverse = inverted_mass(robot, q)
        qdd = list(inverse @ (inputs["tau"] - rec.bias_force(robot, q, qd, external)))
    fixed = graph.vector("qdd", robot.nv)
    if robot.loops:
        return _closed_answer(robot, graph, inputs, external, inverse, fixed)
    left = rec.inverse_dynamics(robot, q, qd, fixed, external)
    return _Answer(inverse, inverse, qdd, fixed, left)


def _closed_answer(
    robot: Robot,
    graph: Graph,
    inputs: dict[str, Array],
    external: dict[str, Array],
    inverse: Array,
    fixed: Array,
) -> _Answer:
    """M dqdd - J^T dlambda = -df,  J dqdd = -dc:  dqdd = -(M^-1 - Y X^T) df - Y dc, with
    X = M^-1 J^T and Y = X Lambda^-1."""
    q, qd, rows = inputs["q"], inputs["qd"], list(kept_rows(robot))
    J = closure_jacobian(robot, q)[rows]
    X = inverse @ J.T
    Lambda = definite(mirror(J @ X))
    Y = Lambda.solve(X.T).T
    free = inputs["tau"] - rec.bias_force(robot, q, qd, external)
    gamma = closure(robot, q, qd, np.zeros(robot.nv)).acceleration[rows]
    forces = -Lambda.solve(gamma + free @ X)
    P = inverse - mirror(Y @ X.T)
    symbols = graph.vector("multipliers", len(rows))
    f = rec.inverse_dynamics(robot, q, qd, fixed, external) - symbols @ J
    c = closure(robot, q, qd, fixed).acceleration[rows]
    return _Answer(
        P,
        np.hstack([P, Y]),
        [*(inverse @ free + X @ forces), *forces],
        np.concatenate([fixed, symbols]),
        np.concatenate([f, c]),
    )


FEW = 9  # coordinates up to which a mass matrix is inverted with fewer operations than swept
FEW_INVERSE = 12  # the same, where nothing but the inverse is wanted


def inverted_mass(robot: Robot, q: Array) -> Array:
    """The inverse of the mass matrix: every pivot swept in turn, the upper half alone; from the
    tips, where a robot's inertias are the simplest. The pivots are those of the recursion."""
    M, n, here = rec.mass_matrix(robot, q), robot.nv, space(robot)
    A = {(i, j): M[i, j] for i in range(n) for j in range(i, n)}
    for k in reversed(range(n)):
        pivot = 1.0 / here.pivot(A[k, k])
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
