"""From the energies to the equations of motion, by derivatives of the graph.

    D = 1/2 (M_dot + N - N'),   N = d(M qd)/dq,   G = dV/dq
Where rates are not derivatives of coordinates (a spherical joint's angular velocity), the
brackets of the rates' directions join in: [e_a, e_b] = sum_d c^d_ab e_d,

    2 D = M_dot + N - N' + M K - K'M - L,   K_db = sum_c qd_c c^d_cb,   L_ab = sum_d c^d_ba p_d
and M_dot - 2 D stays skew.
Reference: [LinLewis], eqs. (17)-(20), (26).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ...formulations.lagrange import (
    Arm,
    ArmPart,
    Rates,
    gravity_energy,
    mass_matrix,
    momentum,
    rates,
)
from ...joints import Joint
from ...screws import skew
from ...types import Array, Scalar
from ..naming.named_graph import NamedGraph

SHORT = 10  # coordinates up to which the plain form of D can be the shorter one


class LinkCoordinates(Protocol):
    """A link with its joint and the places of its coordinates."""

    @property
    def joint(self) -> Joint: ...
    @property
    def q(self) -> slice: ...
    @property
    def d(self) -> slice: ...
    @property
    def u(self) -> slice: ...
    @property
    def e(self) -> slice: ...


@dataclass(frozen=True)
class MotionTerms:
    """M and D (nv, nv), G (nv,)."""

    M: Array
    D: Array
    G: Array


def equations_of_motion(
    named: NamedGraph, arm: Arm, q: Array, qd: Array, enough: Callable[[int], None] = lambda _: None
) -> MotionTerms:
    """All terms that the energies give; D in the shorter of its two forms.

    `enough(operations)` may stop the work: it is asked after M, which is the smallest part.
    """
    n = len(qd)
    motion = rates(arm, q)
    M, V = _mirrored(mass_matrix(arm, motion)), gravity_energy(arm, motion)
    enough(4 * _size(named, M, M))
    moves = directions(arm.parts, q, n)
    G = np.array([named.along([V], move)[0] for move in moves], dtype=object).reshape(n)
    forms = [by_momentum(named, arm, motion, M, q, qd)]
    if n <= SHORT and all(part.joint.nq == part.joint.nv for part in arm.parts):
        forms.append(by_christoffel(named, arm.parts, M, q, qd))
    return MotionTerms(M, min(forms, key=lambda D: _size(named, M, D)), G)


def _size(named: NamedGraph, M: Array, D: Array) -> int:
    return sum(named.graph.operations([*M.ravel(), *D.ravel()]).values())


def by_momentum(named: NamedGraph, arm: Arm, motion: Rates, M: Array, q: Array, qd: Array) -> Array:
    """D from the derivatives of p = M qd: the shorter way for long arms."""
    n, (rows, columns) = len(qd), np.triu_indices(len(qd))
    p = list(momentum(arm, motion, qd))
    N, M_dot = np.zeros((n, n), dtype=object), np.zeros((n, n), dtype=object)
    for a, move in enumerate(directions(arm.parts, q, n)):
        N[:, a] = named.along(p, move)
    M_dot[rows, columns] = named.along(list(M[rows, columns]), velocity(arm.parts, q, qd))
    brackets = _brackets(arm.parts, M, qd, np.array(p, dtype=object))
    return _halved(_mirrored(M_dot) + (N - N.T) + brackets)


def by_christoffel(
    named: NamedGraph, parts: Sequence[LinkCoordinates], M: Array, q: Array, qd: Array
) -> Array:
    """D_ab = sum_c 1/2 (dM_ab/dq_c + dM_ac/dq_b - dM_bc/dq_a) qd_c: the plain way."""
    n, slope = len(qd), slopes(named, parts, M, q)
    D = np.zeros((n, n), dtype=object)
    for a, b, c in np.ndindex(n, n, n):
        D[a, b] = D[a, b] + _symbol(slope[a, b, c], slope[a, c, b], slope[b, c, a]) * qd[c]
    return D


def slopes(named: NamedGraph, parts: Sequence[LinkCoordinates], M: Array, q: Array) -> Array:
    """dM_ab/dq_c: (n, n, n)."""
    n, (rows, columns) = len(M), np.triu_indices(len(M))
    out = np.zeros((n, n, n), dtype=object)
    for c, move in enumerate(directions(parts, q, n)):
        out[rows, columns, c] = named.along(list(M[rows, columns]), move)
        out[:, :, c] = _mirrored(out[:, :, c])
    return out


def _symbol(x: Scalar, y: Scalar, z: Scalar) -> Scalar:
    """(x + y - z) / 2, with equal terms cancelled."""
    if _equal(x, z):
        return 0.5 * y
    if _equal(y, z):
        return 0.5 * x
    return x - 0.5 * z if _equal(x, y) else 0.5 * (x + y - z)


def _equal(x: Scalar, y: Scalar) -> bool:
    return bool(getattr(x, "number", x) == getattr(y, "number", y)) and type(x) is type(y)


def _halved(X: Array) -> Array:
    return np.array([[0.5 * x for x in row] for row in X], dtype=object).reshape(X.shape)


def directions(parts: Sequence[LinkCoordinates], q: Array, n: int) -> list[dict[int, Scalar]]:
    """For each rate, how the coordinates move when it alone is one."""
    return [velocity(parts, q, unit) for unit in np.eye(n)]


def velocity(parts: Sequence[LinkCoordinates], q: Array, qd: Array) -> dict[int, Scalar]:
    """dq/dt by the node of each coordinate that moves."""
    out: dict[int, Scalar] = {}
    for part in parts:
        joint = part.joint.rates(q[part.q], qd[part.u])
        pairs = [*zip(q[part.q], joint, strict=True), *zip(q[part.d], qd[part.e], strict=True)]
        out |= {x.number: v for x, v in pairs if not (isinstance(v, float) and v == 0.0)}
    return out


def _brackets(parts: Sequence[ArmPart], M: Array, qd: Array, p: Array) -> Array:
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
    return np.asarray(MK - MK.T - L)


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
