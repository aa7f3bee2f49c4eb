"""From the energies to the equations of motion, by derivatives of the graph.

    D = 1/2 (M_dot + N - N'),   N = d(M qd)/dq,   G = dV/dq
Where rates are not derivatives of coordinates (a spherical joint's angular velocity), the
brackets of the rates' directions join in: [e_a, e_b] = sum_d c^d_ab e_d,

    2 D = M_dot + N - N' + M K - K'M - L,   K_db = sum_c qd_c c^d_cb,   L_ab = sum_d c^d_ba p_d
and M_dot - 2 D stays skew.
Reference: [LinLewis], eqs. (17)-(20), (26).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..formulations.lagrange import Energies, Part
from ..screws import skew
from ..types import Array, Scalar
from .sheet import Sheet


@dataclass(frozen=True)
class Motion:
    """M and D (nv, nv), G (nv,)."""

    M: Array
    D: Array
    G: Array


def equations_of_motion(
    sheet: Sheet, parts: list[Part], energy: Energies, q: Array, qd: Array
) -> Motion:
    """All terms that the energies give."""
    n = len(qd)
    rows, columns = np.triu_indices(n)
    M = _mirrored(energy.M)
    flat = list(M[rows, columns])
    p = [_dot(M[a], qd) for a in range(n)]
    N, G = np.zeros((n, n), dtype=object), np.zeros(n, dtype=object)
    for a, rates in enumerate(directions(parts, q, n)):
        slopes = sheet.along([*p, energy.V], rates)
        N[:, a], G[a] = slopes[:n], slopes[n]
    M_dot = np.zeros((n, n), dtype=object)
    M_dot[rows, columns] = sheet.along(flat, _velocity(parts, q, qd))
    twice = _mirrored(M_dot) + (N - N.T) + _brackets(parts, M, qd, np.array(p, dtype=object))
    return Motion(M, np.array([[0.5 * x for x in row] for row in twice], dtype=object), G)


def directions(parts: list[Part], q: Array, n: int) -> list[dict[int, Scalar]]:
    """For each rate, how the coordinates move when it alone is one."""
    return [_velocity(parts, q, unit) for unit in np.eye(n)]


def _velocity(parts: list[Part], q: Array, qd: Array) -> dict[int, Scalar]:
    """dq/dt by the node of each coordinate that moves."""
    out: dict[int, Scalar] = {}
    for part in parts:
        joint = part.joint.rates(q[part.q], qd[part.u])
        pairs = [*zip(q[part.q], joint, strict=True), *zip(q[part.d], qd[part.e], strict=True)]
        out |= {x.number: v for x, v in pairs if not (isinstance(v, float) and v == 0.0)}
    return out


def _brackets(parts: list[Part], M: Array, qd: Array, p: Array) -> Array:
    """M K - K'M - L, of joints whose rates do not commute."""
    n = len(qd)
    K, L = np.zeros((n, n), dtype=object), np.zeros((n, n), dtype=object)
    for part in parts:
        if part.joint.nq == part.joint.nv:
            continue
        K[part.u, part.u], L[part.u, part.u] = _of_joint(qd[part.u]), _momenta(p[part.u])
    if not any(part.joint.nq != part.joint.nv for part in parts):
        return K
    MK = M @ K
    return MK - MK.T - L


def _of_joint(u: Array) -> Array:
    """K of a spherical joint (w~) or a floating one ([w~ 0; v~ w~])."""
    w = skew(u[:3])
    return w if len(u) == 3 else np.block([[w, np.zeros((3, 3))], [skew(u[3:]), w]])


def _momenta(p: Array) -> Array:
    """L of a spherical joint (p~) or a floating one ([pw~ pv~; pv~ 0])."""
    w = skew(p[:3])
    if len(p) == 3:
        return w
    v = skew(p[3:])
    return np.block([[w, v], [v, np.zeros((3, 3))]])


def _mirrored(X: Array) -> Array:
    upper = np.triu(np.ones(X.shape, dtype=bool))
    return np.where(upper, X, X.T)


def _dot(a: Array, b: Array) -> Scalar:
    total: Scalar = 0.0
    for x, y in zip(a, b, strict=True):
        total = total + x * y
    return total
