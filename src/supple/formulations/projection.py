"""Dual projection matrices: the columns are dual screws of the joints and of the shapes.

Jacobian form P^: t^_i = P^_i u, where elastic speeds are of order one.
Projecting form P~: the same joint columns, elastic columns with the mode shapes in their real
part and products of shapes in their dual part; it projects wrenches on the speeds and
multiplies accelerations.
Both have 6+m rows [w; v; d_dot] at O of link i, in link axes, and a column for every speed.
Reference: [CibicikEgeland], eqs. (67)-(75), (88)-(96); erratum: (71), row 2 is -psi_z'.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..bodies import Station
from ..robot import Link, Robot
from ..screws import cross, weighted
from ..screws.dual import (
    DualArray,
    DualRotation,
    DualTransform,
    differentiated,
    hstack,
    reference_change,
    scaled,
    vstack,
)
from ..types import Array, Floats

Columns = Literal["paper", "exponential", "xyz"]
"""What the angular velocity of a node has beyond the rates of its angles, in the dual part of
the elastic columns (projecting form, link axes).
"paper": nothing. "exponential": 1/2 theta x Theta_k, the first order of the true angular
velocity of R = exp theta~. "xyz": that of R = Rx Ry Rz, the paper's nonlinear model; the angles
of a second-order robot are those of exp theta~."""


@dataclass(frozen=True)
class Projection:
    """A link's pose and its projection matrices."""

    pose: DualTransform  # link frame in the world
    jacobian: DualArray  # P^ (6+m, nv)
    projecting: DualArray  # P~ (6+m, nv)


def projections(robot: Robot, q: Array, columns: Columns = "paper") -> list[Projection]:
    """Of every link: base to tips. Reference: eqs. (92)-(95)."""
    none = DualArray.of(np.zeros((6, robot.nv)))
    base = Projection(DualTransform.identity(), none, none)
    out: list[Projection] = []
    for link in robot.links:
        parent = out[link.parent] if link.parent >= 0 else base
        out.append(_next(robot, link, parent, q, columns))
    return out


def _next(robot: Robot, link: Link, p: Projection, q: Array, columns: Columns) -> Projection:
    carrier = robot.links[link.parent] if link.parent >= 0 else None
    d = q[carrier.d] if carrier else np.zeros(0)
    node, rest = _hops(link, q, d)
    U, V = reference_change(-node.v), rest.inverse().adjoint()
    jacobian, projecting = U @ p.jacobian[:6], U @ p.projecting[:6]
    if carrier and carrier.body.m:
        S = screws(link.mount, d, columns)
        jacobian = jacobian + _placed(DualArray.first_order(S.r), carrier.e, robot.nv)
        projecting = projecting + _placed(S, carrier.e, robot.nv)
    L = DualArray.of(_lines(link, robot.nv))
    own = _own(link, robot.nv)
    return Projection(
        p.pose @ node @ rest,
        vstack([V @ jacobian + L, DualArray.first_order(own)]),
        vstack([V @ projecting + L, DualArray.of(own)]),
    )


def _hops(link: Link, q: Array, d: Array) -> tuple[DualTransform, DualTransform]:
    """From the parent's frame to the node, and from there through the joint.

    Reference: [CibicikEgeland], eqs. (45)-(50).
    """
    s = link.mount
    r, R = link.joint.place(q[link.q])
    node = DualTransform.shift(node_point(s, d))
    turn = DualTransform(bend(s, d), DualArray.of(np.zeros(3)))
    mount, joint = DualTransform.rigid(s.R0, s.rho), DualTransform.rigid(R.matrix(), r)
    return node, turn @ mount @ joint


def node_point(station: Station, d: Array) -> DualArray:
    """r0 + e S^T d: where a node is, in link axes."""
    return DualArray(station.r0, d @ station.S if len(d) else np.zeros(3))


def bend(station: Station, d: Array) -> DualRotation:
    """1 + e theta~: how a node has turned. Reference: [CibicikEgeland], eq. (24)."""
    return DualRotation(np.eye(3), d @ station.Theta if len(d) else np.zeros(3))


def screws(station: Station, d: Array, columns: Columns = "paper") -> DualArray:
    """Columns [Theta_k; S_k] + e [Theta2_kl d_l + turn_k; S2_kl d_l] at a node, in link axes,
    projecting form: (6, m). `turn_k` is what `columns` says.

    Reference: [CibicikEgeland], eqs. (68)-(71), (95); [Piedboeuf], eqs. (60)-(66).
    """
    turns, moves = (weighted(d, B) for B in (station.Theta2, station.S2))
    turns = turns + _TURNS[columns](d @ station.Theta, station.Theta)
    first = np.vstack([station.Theta.T, station.S.T])
    return DualArray(first, np.vstack([turns.T, moves.T]))


def _no_turn(theta: Array, Theta: Floats) -> Array:
    return np.zeros(Theta.shape)


def _half_turn(theta: Array, Theta: Floats) -> Array:
    return np.array([cross(0.5 * theta, k) for k in Theta])


def _xyz_turn(theta: Array, Theta: Floats) -> Array:
    """theta_x x cross k_y y, and (theta_x x + theta_y y) cross k_z z."""
    x, y, _ = theta
    return np.array([[y * k[2], -(x * k[2]), x * k[1]] for k in Theta])


_TURNS = {"paper": _no_turn, "exponential": _half_turn, "xyz": _xyz_turn}


def _placed(S: DualArray, where: slice, nv: int) -> DualArray:
    """The columns S among nv columns."""
    rows = len(S.r)
    left, right = np.zeros((rows, where.start)), np.zeros((rows, nv - where.stop))
    return hstack([DualArray.of(left), S, DualArray.of(right)])


def _lines(link: Link, nv: int) -> Floats:
    """Unit screws of the joint in its own frame: a line, or a couple where it slides."""
    out = np.zeros((6, nv))
    for column, axis in zip(range(link.u.start, link.u.stop), link.joint.axes, strict=True):
        out[axis, column] = 1.0
    return out


def _own(link: Link, nv: int) -> Floats:
    out = np.zeros((link.body.m, nv))
    out[:, link.e] = np.eye(link.body.m)
    return out


def jacobian_rate(robot: Robot, i: int, P: DualArray, u: Array) -> DualArray:
    """Time derivative of the Jacobian form of link i, column by column: [d] L and [d] S.

    From link i down to the base, t is the motion of frame i against the frame in which the
    column's screw stands still. A shape's screw stands still in the axes of its link, at the
    moving node; the node's own velocity is of order one, the screw too, so it drops out.
    Reference: [CibicikEgeland], eqs. (76)-(79).
    """
    return _rate(robot, i, P[:6], u, DualArray.of(np.zeros(6)))


def _rate(robot: Robot, i: int, P: DualArray, u: Array, t: DualArray) -> DualArray:
    columns = [DualArray.of(np.zeros((6, 1)))] * robot.nv
    j = i
    while j >= 0:
        link = robot.links[j]
        for where in (link.e, link.u) if j != i else (link.u,):
            for k in range(where.start, where.stop):
                columns[k] = differentiated(t, P[:, k])[:, None]
            t = sum((scaled(P[:, k], u[k]) for k in range(where.start, where.stop)), t)
        j = link.parent
    return hstack(columns) if columns else DualArray.of(np.zeros((6, 0)))


def at_station(
    robot: Robot, i: int, station: Station, P: Projection, q: Array, columns: Columns = "paper"
) -> tuple[DualArray, DualArray]:
    """P^ and P~ (6, nv) at a node of link i, in link axes: the frame i_e of the paper.

    Reference: [CibicikEgeland], eqs. (75), (90)-(95).
    """
    link = robot.links[i]
    d = q[link.d]
    U = reference_change(-node_point(station, d))
    if link.body.m == 0:
        return U @ P.jacobian[:6], U @ P.projecting[:6]
    S = screws(station, d, columns)
    jacobian = U @ P.jacobian[:6] + _placed(DualArray.first_order(S.r), link.e, robot.nv)
    return jacobian, U @ P.projecting[:6] + _placed(S, link.e, robot.nv)


def station_rate(robot: Robot, i: int, station: Station, P: DualArray, u: Array) -> DualArray:
    """Time derivative of P^ (6, nv) at a node of link i: the node moves, the axes are i's."""
    link = robot.links[i]
    drift = u[link.e] @ station.S if link.body.m else np.zeros(3)
    return _rate(robot, i, P, u, DualArray.first_order(np.concatenate([np.zeros(3), drift])))
