"""The regressor Y(q, qd, qdd) with tau = Y pi + known: forces as a linear function of parameters.

With r = B^T g + sum_k d_k S_k (`inertial_parameters`) a material point is accelerated by

    y = Y_g g + sum_k Y_k S_k,   Y_g = [a, 0] + U B^T + 2 w~ B_dot^T + B_ddot^T,
                                 Y_k = U d_k + 2 w~ d_k_dot + d_k_ddot

and a body asks for f = int rho y, n = int rho r x y, e_k = int rho (B_k^T g + S_k) . y with
B_k = A_kl d_l: sums over the moments G, H, P. They are written here from the fields, not from
`bodies.body`: both ways to the same forces.
Reference: [Saha], 2.4.1 for the wrenches that are carried inward.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..bodies import Body
from ..joints import Drive
from ..robot import Robot
from ..screws import axial, skew, square, weighted
from ..types import Array, Scalar
from .inertial_parameters import InertialParameter, UnitMoments, inertial_parameters
from .inverse import passive_force
from .kinematics import motions
from .path import FrameMotion, FramePath, paths
from .space import space

Load = tuple[Array, Array, Array]
"""Moment about O, force, modal forces."""


@dataclass(frozen=True)
class Fields:
    """How the points of a body move and are accelerated, as factors of g and of each S_k."""

    d: Array
    B: Array  # (4, 3)
    B_k: list[Array]  # m x (4, 3)
    Y_g: Array  # (3, 4)
    Y_k: list[Array]  # m x (3, 3)
    U: Array
    w2: Array  # 2 w~
    rates: tuple[Array, Array]  # d_dot, d_ddot


def fields_of(
    body: Body, move: FrameMotion, d: Array, dd: Array, ddd: Array, moves: bool
) -> Fields:
    """Of a body at shape d whose frame moves so; `moves`: by products of shapes too."""
    ks, U, w2 = range(len(d)), square(move.w, move.dw), skew(move.w + move.w)
    B = np.concatenate([np.zeros((1, 3)), np.eye(3)])
    Bd, Bdd, B_k = np.zeros((4, 3)), np.zeros((4, 3)), [np.zeros((4, 3)) for _ in ks]
    if moves and len(body.E):
        A = np.einsum("ai,klaj->klij", body.E, body.z)  # (m, m, 4, 3)
        B_k = [weighted(d, A[k]) for k in ks]
        B = B + 0.5 * sum((d[k] * B_k[k] for k in ks), np.zeros((4, 3)))
        Bd = sum((dd[k] * B_k[k] for k in ks), Bd)
        Bdd = sum((ddd[k] * B_k[k] + dd[k] * weighted(dd, A[k]) for k in ks), Bdd)
    first = np.concatenate([[move.a], np.zeros((3, 3))]).T
    Y_g = first + U @ B.T + w2 @ Bd.T + Bdd.T
    Y_k = [d[k] * U + dd[k] * w2 + ddd[k] * np.eye(3) for k in ks]
    return Fields(d, B, B_k, Y_g, Y_k, U, w2, (dd, ddd))


def unit_load(x: Fields, unit: UnitMoments) -> Load:
    """What a body with these moments asks for."""
    T, f = np.zeros((3, 3)), np.zeros(3)  # int y r^T, int y
    e: list[Scalar] = [0.0] * len(x.d)
    if unit.G is not None:
        T, f = x.Y_g @ unit.G @ x.B, x.Y_g @ unit.G[:, 0]
        e = [_trace(x.Y_g @ unit.G, B) for B in x.B_k]
    if unit.H is not None:
        k, H = unit.H
        T = x.d[k] * (x.Y_g @ H) + x.Y_k[k] @ H.T @ x.B
        f = x.Y_k[k] @ H[0]
        e = [_trace(x.Y_k[k] @ H.T, B) for B in x.B_k]
        e[k] = e[k] + _trace(x.Y_g, H)
    if unit.P is not None:
        k, n, P = unit.P
        T = x.d[n] * (x.Y_k[k] @ P)
        e[n] = _trace(x.Y_k[k], P)
        if k != n:
            T, e[k] = T + x.d[k] * (x.Y_k[n] @ P.T), _trace(x.Y_k[n], P.T)
    if unit.Q is not None:
        T, e = _turned_sections(x, *unit.Q)
    return axial(T), f, np.array(e)


def _turned_sections(x: Fields, k: int, n: int, Q: Array) -> tuple[Array, list[Scalar]]:
    """W = 1/2 d_k d_n (Q + Q^T) and N_k = d_n Q to second order (`bodies.body`)."""
    (dd, ddd), d, twice = x.rates, x.d, 1.0 if k == n else 2.0
    W = 0.5 * twice * d[k] * d[n] * (Q + Q.T)
    rate = 0.5 * twice * (dd[k] * d[n] + d[k] * dd[n])
    second = 0.5 * twice * (ddd[k] * d[n] + d[k] * ddd[n]) + twice * dd[k] * dd[n]
    T = x.U @ W + rate * (x.w2 @ Q.T) + second * Q.T
    e: list[Scalar] = [0.0] * len(d)
    e[k] = d[n] * _trace(x.U, Q)
    e[n] = d[k] * _trace(x.U, Q)
    return T, e


def _trace(A: Array, B: Array) -> Scalar:
    """tr(A B)."""
    return sum((A[i] @ B[:, i] for i in range(len(A))), 0.0)


def regressor(robot: Robot, q: Array, qd: Array, qdd: Array) -> Array:
    """Y (nv, parameters): a column for each of `inertial_parameters`."""
    here = space(robot)
    x, v = here.shapes(robot, q), here.rates(robot, qd)
    ways = paths(robot, x, v)
    moves = motions(robot, ways, v, qdd, robot.gravity)
    seen: dict[tuple[int, bool], Fields] = {}
    columns = []
    for p in inertial_parameters(robot):
        if p.acts != "inertia":
            columns.append(_passive_column(robot, p, q, qd, qdd))
            continue
        key = (p.link, p.moments.moves)
        if key not in seen:
            link = robot.links[p.link]
            seen[key] = fields_of(
                link.body, moves[p.link], x[link.d], v[link.e], qdd[link.e], p.moments.moves
            )
        column = _carried(robot, ways, p.link, unit_load(seen[key], p.moments))
        columns.append(here.value(column))
    return np.array(columns).reshape(len(columns), robot.nv).T


def _carried(robot: Robot, ways: list[FramePath], i: int, load: Load) -> Array:
    """A load of link i as forces of all coordinates that move it: (nv,)."""
    out: list[Scalar] = [0.0] * robot.nv
    n, f, e = load
    while i >= 0:
        link, six = robot.links[i], [*n, *f]
        out[link.e] = [*e]
        out[link.u] = [six[k] for k in link.joint.axes]
        n, f, e = ways[i].back(n, f)
        i = link.parent
    return np.array(out)


def _passive_column(robot: Robot, p: InertialParameter, q: Array, qd: Array, qdd: Array) -> Array:
    out: list[Scalar] = [0.0] * robot.nv
    link = robot.links[p.link]
    if p.acts in ("K", "D"):
        x = q[link.d] if p.acts == "K" else qd[link.e]
        (k, n), first = p.shapes, link.e.start
        out[first + k] = x[n]
        out[first + n] = x[k]
    elif p.acts == "stiffness":
        out[link.u.start] = q[link.q.start] - link.drive.rest
    else:
        rates = qdd[link.u] if p.acts == "rotor_inertia" else qd[link.u]
        sharp = 1.0 / link.drive.smoothing
        out[link.u] = [np.tanh(u * sharp) for u in rates] if p.acts == "coulomb" else [*rates]
    return np.array(out)


def known_force(robot: Robot, q: Array, qd: Array) -> Array:
    """tau - Y pi: what is not linear in the parameters, of stops and elastic gears (nv,)."""

    def without(drive: Drive) -> Drive:
        return replace(drive, stiffness=0.0, damping=0.0, viscous=0.0, coulomb=0.0)

    links = [
        replace(x, drive=without(x.drive), body=replace(x.body, K=0.0 * x.body.K, D=0.0 * x.body.D))
        for x in robot.links
    ]
    return passive_force(replace(robot, links=tuple(links)), q, qd)
