"""Dynamics of closed chains on the tree that their cuts leave, in any scalar.

    M qdd + h = tau + J^T lambda,      J qdd + gamma = 0

lambda are the forces (and moments) that side a of each cut puts on side b, in a's axes, along
the closed directions; gamma is the closure's acceleration at qdd = 0. Rows of J that follow
from others are left out (`rows`). With the tree's factors M = U D U^T, one inward sweep for each
row, along the two sides of its cut, gives Phi = U^-1 J^T, and phi = U^-1 (tau - h) is that of
the open tree:

    Lambda = J M^-1 J^T = Phi^T D^-1 Phi
    Lambda lambda = -(gamma + Phi^T D^-1 phi)
    U^T qdd = D^-1 (phi + Phi lambda)                              one outward sweep

No mass matrix is made: the cost is linear in the tree for a given number of loops.
Reference: [Saha], section 4; forward dynamics is not in the paper.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .. import recursion
from ..recursion.forward import (
    Added,
    Factor,
    HeldLinks,
    Inflow,
    absorb,
    accelerations,
    factor,
    inflow,
    solve,
)
from ..recursion.inverse import Wrenches, net_loads, passive_force
from ..recursion.path import FramePath
from ..recursion.space import space
from ..recursion.sweep import ancestry, inward
from ..robot import Robot
from ..screws import mirror
from ..types import Array, Scalar
from .closure import closure, closure_jacobian, loop_rows
from .definite import DefiniteFactors, definite
from .rows import kept_rows

NONE: HeldLinks = frozenset()


@dataclass(frozen=True)
class ClosedMotion:
    """Accelerations (nv,), multipliers of the kept rows, and what Lambda was made of."""

    qdd: Array
    multipliers: Array
    Lambda: DefiniteFactors


def closed_motion(
    robot: Robot,
    q: Array,
    qd: Array,
    force: Array,
    external: Wrenches | None = None,
    known: Array | None = None,
    held: HeldLinks = NONE,
) -> ClosedMotion:
    """How a closed chain moves under forces that have the passive ones in them; the joints of
    the links `held` by the accelerations `known` (zero elsewhere)."""
    known = np.zeros(robot.nv) if known is None else known
    ways, at, loads = net_loads(robot, q, qd, known, robot.gravity, external or {})
    factors = factor(robot, ways, at, held)
    free = inflow(robot, ways, factors, force, loads)
    rows = _row_flows(robot, q, ways, factors)
    inverse = _inverse_pivots(factors)
    phi = _flat(free)
    Phi = np.array([_flat(flows) for flows in rows]).reshape(len(rows), len(phi))
    share = Phi * inverse
    gamma = closure(robot, q, qd, known).acceleration[list(kept_rows(robot))]
    Lambda = definite(mirror(Phi @ share.T))
    multipliers = -Lambda.solve(gamma + share @ phi)
    flows = _filled(free, phi + multipliers @ Phi)
    qdd = known + accelerations(robot, solve(robot, ways, factors, flows))
    return ClosedMotion(qdd, multipliers, Lambda)


def answer_to_force(
    robot: Robot, q: Array, force: Array, added: Added, held: HeldLinks = NONE
) -> Array:
    """(M + E)^-1 force (nv,), E added to the pivots of the coordinates; in a closed chain the
    part of it that keeps the loops closed."""
    still = np.zeros(robot.nv)
    ways, at, _ = net_loads(robot, q, still, still, np.zeros(3), {})
    factors = factor(robot, ways, at, held, added)
    free = inflow(robot, ways, factors, force, None)
    if robot.loops:
        rows = _row_flows(robot, q, ways, factors)
        inverse = _inverse_pivots(factors)
        phi, Phi = _flat(free), np.array([_flat(flows) for flows in rows])
        share = Phi * inverse
        multipliers = -definite(mirror(Phi @ share.T)).solve(share @ phi)
        free = _filled(free, phi + multipliers @ Phi)
    return accelerations(robot, solve(robot, ways, factors, free))


def closing_step(robot: Robot, q: Array, gap: Array, held: HeldLinks = NONE) -> Array:
    """The step (nv,) that takes these gaps of the kept rows away, J step = -gap, with the least
    M-norm; joints of the links `held` stay. Rates are brought back to the loops by it as well."""
    ways, factors, rows, Phi, Lambda = _tree_of_rows(robot, q, held)
    flows = _filled(rows[0], -definite(Lambda).solve(gap) @ Phi)
    return accelerations(robot, solve(robot, ways, factors, flows))


def row_pivots(robot: Robot, q: Array, held: HeldLinks = NONE) -> Array:
    """D of Lambda = L D L^T: how much each kept row holds that the rows before it do not; zero at a
    singular configuration."""
    return np.array(definite(_tree_of_rows(robot, q, held)[-1]).D)


def _tree_of_rows(
    robot: Robot, q: Array, held: HeldLinks
) -> tuple[list[FramePath], list[Factor], list[list[Inflow]], Array, Array]:
    """Paths and factors of the tree, flows of the kept rows, Phi, and Lambda."""
    still = np.zeros(robot.nv)
    ways, at, _ = net_loads(robot, q, still, still, np.zeros(3), {})
    factors = factor(robot, ways, at, held)
    rows = _row_flows(robot, q, ways, factors)
    inverse = _inverse_pivots(factors)
    Phi = np.array([_flat(flows) for flows in rows])
    return ways, factors, rows, Phi, mirror(Phi @ (Phi * inverse).T)


def _row_flows(
    robot: Robot, q: Array, ways: list[FramePath], factors: list[Factor]
) -> list[list[Inflow]]:
    """What a unit multiplier of each kept row leaves in every link."""
    kept, J = kept_rows(robot), closure_jacobian(robot, q)
    out = []
    for loop, span in zip(robot.loops, loop_rows(robot), strict=True):
        sides = (ancestry(robot.parents, i) for i, _ in (loop.first, loop.second))
        links = sorted({i for side in sides for i in side})
        own = [J[k] for k in kept if span.start <= k < span.stop]
        out += [_row_flow(robot, ways, factors, links, row) for row in own]
    return out


def _row_flow(
    robot: Robot, ways: list[FramePath], factors: list[Factor], links: list[int], row: Array
) -> list[Inflow]:
    """Inward sweep of a row along `links`, the two sides of its cut: elsewhere it is nothing."""
    here = space(robot)
    parents = [links.index(p) if (p := robot.parents[i]) >= 0 else -1 for i in links]
    found = inward(
        parents,
        own=lambda n: np.zeros(here.size + robot.links[links[n]].body.m),
        carry=lambda n, flow: here.back(ways[links[n]], flow.eta),
        close=lambda n, w: absorb(robot, factors, links[n], row, w),
    )
    flows = [Inflow((0.0,) * len(parts.columns), np.zeros(0)) for parts in factors]
    for i, flow in zip(links, found, strict=True):
        flows[i] = flow
    return flows


def _inverse_pivots(factors: list[Factor]) -> Array:
    """The diagonal of D^-1, in order of elimination."""
    return np.array([column.inverse for parts in factors for column in parts.columns])


def _flat(flows: list[Inflow]) -> Array:
    return np.array([phi for flow in flows for phi in flow.phi])


def _filled(flows: list[Inflow], phi: Array) -> list[Inflow]:
    """The same flows with other phi."""
    out, at = [], 0
    for flow in flows:
        out.append(Inflow(tuple(phi[at : at + len(flow.phi)]), flow.eta))
        at += len(flow.phi)
    return out


def forward_dynamics(
    robot: Robot, q: Array, qd: Array, tau: Array, external: Wrenches | None = None
) -> Array:
    """Accelerations qdd (nv,) under tau (nv,), of robots with or without loops."""
    return accelerations_under(robot, q, qd, tau - passive_force(robot, q, qd), external)


def accelerations_under(
    robot: Robot, q: Array, qd: Array, force: Array, external: Wrenches | None = None
) -> Array:
    """Accelerations under forces that have the passive ones (springs, dampers) in them."""
    if not robot.loops:
        return recursion.accelerations_under(robot, q, qd, force, external)
    return closed_motion(robot, q, qd, force, external).qdd


def hybrid_dynamics(
    robot: Robot,
    q: Array,
    qd: Array,
    tau: Array,
    qdd: Array,
    held: HeldLinks,
    external: Wrenches | None = None,
) -> tuple[Array, Array]:
    """All accelerations and forces (nv,) when the joints of the links `held` follow a motion;
    the loops must leave them free to."""
    if not robot.loops:
        return recursion.hybrid_dynamics(robot, q, qd, tau, qdd, held, external)
    places = held_places(robot, held)
    chosen = np.isin(np.arange(robot.nv), places)
    known = np.where(chosen, qdd, 0.0)
    force = tau - passive_force(robot, q, qd)
    found = closed_motion(robot, q, qd, force, external, known, held)
    need = recursion.inverse_dynamics(robot, q, qd, found.qdd, external)
    cuts = found.multipliers @ closure_jacobian(robot, q)[list(kept_rows(robot))]
    return found.qdd, np.where(chosen, need - cuts, tau)


def held_places(robot: Robot, held: HeldLinks) -> list[int]:
    """Places in the velocity of the joints of these links."""
    return [k for i in sorted(held) for k in range(robot.nv)[robot.links[i].u]]


def multipliers(
    robot: Robot, q: Array, qd: Array, tau: Array, external: Wrenches | None = None
) -> Array:
    """lambda (rows,) at all cuts under tau: of those that do the same, the smallest."""
    force = tau - passive_force(robot, q, qd)
    return smallest(robot, q, closed_motion(robot, q, qd, force, external).multipliers)


def smallest(robot: Robot, q: Array, kept: Array) -> Array:
    """The smallest multipliers (rows,) of all rows that do what those of the kept rows do.

    J = E J_k with E = J J_k^T (J_k J_k^T)^-1, and so lambda = E (E^T E)^-1 lambda_k.
    """
    rows, J = list(kept_rows(robot)), closure_jacobian(robot, q)
    left = [k for k in range(len(J)) if k not in rows]
    out: list[Scalar] = [0.0] * len(J)
    if left:
        C = definite(mirror(J[rows] @ J[rows].T)).solve(J[rows] @ J[left].T)  # (kept, left)
        kept = definite(np.eye(len(rows)) + mirror(C @ C.T)).solve(kept)
        for place, value in zip(left, kept @ C, strict=True):
            out[place] = value
    for place, value in zip(rows, kept, strict=True):
        out[place] = value
    return np.array(out)
