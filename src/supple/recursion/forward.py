"""Forward dynamics by the closed-form U D U^T factors of the generalised inertia matrix.

Reverse Gaussian elimination, one scalar coordinate at a time, link by link from the tips: a
link's shapes last to first, then its joint's coordinates.
    psi^_k = M^ p_k,   D_k = p_k^T psi^_k,   psi_k = psi^_k / D_k,   M^ <- M^ - psi^_k psi_k^T
Three sweeps: outward (motion at qdd = 0), inward (articulated bodies, eta), outward (mu).
Reference: [Saha], eqs. (18)-(21); errata: (19b), (19c), (21a). [MohanSaha], eqs. (34)-(42).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from ..bodies.body import Moments
from ..robot import Link, Robot
from ..screws import mirror, outer
from ..types import Array, Scalar
from .inverse import LinkLoad, Wrenches, all_moments, net_loads, passive_force
from .mass import spread_inward
from .path import FramePath, paths
from .space import Space, space
from .sweep import gather, inward, outward


@dataclass(frozen=True, eq=False)
class Column:
    """One eliminated coordinate: its place in [t; d], psi over the coordinates left before
    it went (itself included), and D."""

    at: int
    psi: Array
    D: Scalar
    inverse: Scalar
    absorbed: bool  # nothing of the coordinate's force is left in the body (psi[at] = 1)


@dataclass(frozen=True, eq=False)
class Factor:
    """A link's columns in order of elimination, its articulated body M^_i as it was before
    any of its own coordinates went, and what it passes on to its parent."""

    columns: tuple[Column, ...]
    articulated: Array  # (size+m, size+m), size of `space(robot)`: 6, linearised 12
    passed: Array  # (size, size)


HeldLinks = frozenset[int]
"""Links whose joints follow a given motion: their coordinates are not eliminated."""


Added = Callable[[int], tuple[Array, Scalar]]
"""Of a link: what is added to the inertia of its shapes (m, m), and to that of its joint."""


def factor(
    robot: Robot,
    ways: list[FramePath],
    bodies_now: list[Moments],
    held: HeldLinks = frozenset(),
    added: Added | None = None,
) -> list[Factor]:
    """Inward sweep of articulated bodies; `added` changes the pivots of the coordinates alone."""
    links, here = robot.links, space(robot)

    def own(i: int) -> Array:
        X = here.inertia(bodies_now[i])
        if added is None or not links[i].body.m:
            return X
        more = np.zeros(X.shape, dtype=object)
        more[here.size :, here.size :] = added(i)[0]
        return X + more

    def carry(i: int, child: Factor) -> Array:
        return here.carried(ways[i], child.passed)

    def rotor(i: int) -> Scalar:
        inertia: Scalar = links[i].drive.rotor_inertia
        return inertia if added is None else inertia + added(i)[1]

    def close(i: int, X: Array) -> Factor:
        whole, columns = X, []
        for k in _in_turn(links[i], here.size, i in held):
            column, X = _eliminate(here, X, k, rotor(i) if k < here.size else 0.0)
            columns.append(column)
            X = X if k < here.size else X[:k, :k]
        return Factor(tuple(columns), whole, X)

    return inward(robot.parents, own, carry, close)


def _in_turn(link: Link, size: int, held: bool) -> list[int]:
    """Places in [t; d] of a link's coordinates as they go: shapes last to first, then its joint's,
    unless that is held."""
    shapes = range(size, size + link.body.m)
    return [*reversed(shapes), *reversed(() if held else link.joint.axes)]


def _eliminate(here: Space, X: Array, k: int, rotor: Scalar) -> tuple[Column, Array]:
    """Take coordinate k out of the symmetric X; a rotor adds to its pivot only."""
    hat = X[:, k]
    D = hat[k] + rotor
    inverse = 1.0 / here.pivot(D)
    psi = hat * inverse
    rest = mirror(X - outer(hat, psi))
    absorbed = isinstance(rotor, float) and rotor == 0.0
    if absorbed:  # exact: psi_k = 1 and nothing is left along k
        own, cross = _along(k, len(X))
        psi = np.where(own, 1.0, psi)
        rest = np.where(cross, 0.0, rest)
    return Column(k, psi, D, inverse, absorbed), rest


@cache
def _along(k: int, n: int) -> tuple[Array, Array]:
    """Which of n coordinates is k, and which entries of a matrix are in its row or column."""
    own = np.arange(n) == k
    return own, own | own[:, None]


@dataclass(frozen=True)
class Inflow:
    """What the inward sweep of forces leaves in a link: phi of each column, and the wrench
    (eta) passed on to the parent."""

    phi: tuple[Scalar, ...]
    eta: Array


def inflow(
    robot: Robot,
    ways: list[FramePath],
    factors: list[Factor],
    tau: Array,
    loads: list[LinkLoad] | None,
) -> list[Inflow]:
    """Inward sweep: phi^_k = tau_k - p_k^T w, then w <- w + psi_k phi^_k goes inward."""
    links, here = robot.links, space(robot)

    def own(i: int) -> Array:
        if loads is None:
            return np.zeros(here.size + links[i].body.m)
        return here.load(loads[i].n, loads[i].f, loads[i].e)

    def carry(i: int, flow: Inflow) -> Array:
        return here.back(ways[i], flow.eta)

    def close(i: int, w: Array) -> Inflow:
        return absorb(robot, factors, i, tau, w)

    return inward(robot.parents, own, carry, close)


def absorb(robot: Robot, factors: list[Factor], i: int, tau: Array, w: Array) -> Inflow:
    """What link i's own coordinates take of the load w that came to it."""
    link, here = robot.links[i], space(robot)
    force = np.concatenate([tau[link.u], tau[link.e]])
    order = [*range(len(link.joint.axes), len(force))][::-1]
    order += [*range(len(link.joint.axes))][::-1]
    phis = []
    for column, place in zip(factors[i].columns, order, strict=False):  # held joints: none
        phi = force[place] - w[column.at]
        whole = w[: len(column.psi)] + column.psi * phi
        if column.absorbed:
            whole = np.where(_along(column.at, len(whole))[0], force[place], whole)
        w = whole[: column.at] if column.at >= here.size else whole
        phis.append(phi)
    return Inflow(tuple(phis), w)


@dataclass(frozen=True)
class Outflow:
    """Accelerations a link gets: its frame's, mu, and its coordinates' qdd."""

    mu: Array
    joint: Array
    shapes: Array


def solve(
    robot: Robot, ways: list[FramePath], factors: list[Factor], flows: list[Inflow]
) -> list[Outflow]:
    """Outward sweep: qdd_k = phi^_k / D_k - psi_k^T mu, mu <- mu + p_k qdd_k."""
    here = space(robot)
    base = Outflow(np.zeros(here.size), np.zeros(0), np.zeros(0))

    def step(i: int, parent: Outflow) -> Outflow:
        mu = list(here.forth(ways[i], parent.mu, parent.shapes))
        joint, shapes = [], []
        pairs = list(zip(factors[i].columns, flows[i].phi, strict=True))
        for column, phi in reversed(pairs):
            carried = column.psi[: len(mu)] @ np.array(mu)  # its own place is not in mu yet
            qdd = phi * column.inverse - carried
            if column.at < here.size:
                mu[column.at] = mu[column.at] + qdd
                joint.append(qdd)
            else:
                mu.append(qdd)
                shapes.append(qdd)
        still = [0.0] * (len(robot.links[i].joint.axes) - len(joint))  # of held joints
        joint += still
        return Outflow(np.array(mu[: here.size]), np.array(joint), np.array(shapes))

    return outward(robot.parents, step, base)


def accelerations(robot: Robot, flows: list[Outflow]) -> Array:
    """qdd (nv,) of an outward sweep."""
    return gather(robot.parents, lambda i: (flows[i].joint, flows[i].shapes))


def forward_dynamics(
    robot: Robot, q: Array, qd: Array, tau: Array, external: Wrenches | None = None
) -> Array:
    """Accelerations qdd under the generalised forces tau: (nv,)."""
    return accelerations_under(robot, q, qd, tau - passive_force(robot, q, qd), external)


def accelerations_under(
    robot: Robot, q: Array, qd: Array, force: Array, external: Wrenches | None = None
) -> Array:
    """Accelerations under forces that have the passive ones (springs, dampers) in them."""
    ways, at, loads = net_loads(robot, q, qd, np.zeros(robot.nv), robot.gravity, external or {})
    factors = factor(robot, ways, at)
    flows = inflow(robot, ways, factors, force, loads)
    return accelerations(robot, solve(robot, ways, factors, flows))


@dataclass(frozen=True, eq=False)
class Sweeps:
    """What the three sweeps of the forward dynamics find for one link.

    Columns of Psi and entries of D and phi follow the link's coordinates: joint, then shapes.
    Psi has the rows [w; v; d]; eta is the wrench [n; f] passed on to the parent, mu the part
    [w; v] of the link frame's acceleration that the accelerations qdd cause. Linearised, [w; v]
    and [n; f] are twelve numbers each (`recursion.space`).
    """

    link: str
    articulated: Array
    Psi: Array
    D: Array
    phi: Array
    eta: Array
    mu: Array


def forward_sweeps(
    robot: Robot, q: Array, qd: Array, tau: Array, external: Wrenches | None = None
) -> list[Sweeps]:
    """The forward dynamics laid open, link by link.

    Reference: [Saha], eqs. (19)-(21); [MohanSaha], eqs. (36)-(42).
    """
    still = np.zeros(robot.nv)
    ways, at, loads = net_loads(robot, q, qd, still, robot.gravity, external or {})
    factors = factor(robot, ways, at)
    flows = inflow(robot, ways, factors, tau - passive_force(robot, q, qd), loads)
    out = []
    moved = solve(robot, ways, factors, flows)
    for link, parts, flow, mu in zip(robot.links, factors, flows, moved, strict=True):
        size = len(parts.articulated)
        columns = parts.columns[::-1]
        Psi = [np.concatenate([c.psi, np.zeros(size - len(c.psi))]) for c in columns]
        out.append(
            Sweeps(
                link=link.name,
                articulated=parts.articulated,
                Psi=np.array(Psi).reshape(len(columns), size).T,
                D=np.array([c.D for c in columns]),
                phi=np.array(flow.phi[::-1]),
                eta=flow.eta,
                mu=mu.mu,
            )
        )
    return out


def articulated_bodies(
    robot: Robot, q: Array, held: HeldLinks = frozenset()
) -> tuple[list[FramePath], list[Factor]]:
    """The paths and the factors (M^_i, psi, D) of every link at configuration q."""
    x = space(robot).shapes(robot, q)
    ways = paths(robot, x, np.zeros(robot.nv))
    return ways, factor(robot, ways, all_moments(robot, x), held)


def pivots(robot: Robot, q: Array, held: HeldLinks = frozenset()) -> Array:
    """D (nv,) of M = U D U^T: all positive where M is positive definite. Of held joints, which
    are not eliminated, one."""
    factors = articulated_bodies(robot, q, held)[1]

    def step(i: int) -> tuple[Array, Array]:
        link, D = robot.links[i], [column.D for column in factors[i].columns[::-1]]
        joint = D[: len(D) - link.body.m] if i not in held else [1.0] * link.joint.nv
        return np.array(joint), np.array(D[len(D) - link.body.m :])

    return gather(robot.parents, step)


def udu_factors(robot: Robot, q: Array) -> tuple[Array, Array]:
    """U (unit upper triangular) and D (diagonal) with M = U diag(D) U^T.

    U_jk = p_j^T A_kj^T psi_k. For a tree U is upper triangular too: parents come first.
    """
    ways, factors = articulated_bodies(robot, q)
    n, here = robot.nv, space(robot)
    U: list[list[Scalar]] = [[1.0 if i == j else 0.0 for j in range(n)] for i in range(n)]
    D: list[Scalar] = [0.0] * n
    for i, (link, parts) in enumerate(zip(robot.links, factors, strict=True)):
        rows = {axis: link.u.start + a for a, axis in enumerate(link.joint.axes)}
        rows |= {here.size + k: link.e.start + k for k in range(link.body.m)}
        for column in parts.columns:
            k = rows[column.at]
            D[k] = here.pivot(column.D)
            for place, row in rows.items():
                if row < k:
                    U[row][k] = column.psi[place]
            for row, value in spread_inward(robot, ways, i, column.psi[: here.size], here):
                U[row][k] = value
    return np.array(U).reshape(n, n), np.array(D)


def inverse_mass_matrix(robot: Robot, q: Array) -> Array:
    """The explicit inverse of the GIM: a unit force on each coordinate, two sweeps each."""
    ways, factors = articulated_bodies(robot, q)
    rows = []
    for k in range(robot.nv):
        unit = np.array([1.0 if i == k else 0.0 for i in range(robot.nv)])
        flows = inflow(robot, ways, factors, unit, None)
        rows.append(accelerations(robot, solve(robot, ways, factors, flows)))
    return mirror(np.array(rows)) if rows else np.zeros((0, 0))
