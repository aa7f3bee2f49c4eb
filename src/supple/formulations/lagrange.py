"""Lagrange's equations from the energies of the links.

The velocity of a material point is a sum over the links k that carry it, each part in the
axes of its own link: Y_k for the way to the next joint, w_k x r + r_dot in the last link. So

    M = sum_k own_k + sum_c m_c Y_c'Y_c + Y_c' R_c P_c + (Y_c' R_c P_c)'
with the (3, nv) columns of the rates, own_k of the link's motion about its own origin, m_c
all mass beyond joint c, and P_c the momentum that the links beyond c have in their own axes.
The products Y_k' R_kl Z_l join links k and l directly: cos(theta_2 + theta_3) appears as such.
The rest follows from M(q) and V(q) alone:

    D = 1/2 (M_dot + dp/dq - (dp/dq)'),   p = M qd,   G = dV_g/dq
This is the D of eq. (26): M_dot - 2 D is skew. Nothing here uses the recursion; only modal
bodies and stations are shared with it.
Reference: [LinLewis], eqs. (5)-(21), (25)-(26); errata: (22) with (24) is another matrix, and
(7) lacks the rate of the elastic angle.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..types import Array, Scalar
from .arm import (
    Arm,
    ArmFields,
    ArmPart,
    ChildFrame,
    Inertia,
    Mount,
    child_frame,
    crossed,
    pair,
    quadratic,
    total,
)
from .turns import PendingTurns, inverse

__all__ = [
    "Arm",
    "ArmFields",
    "ArmPart",
    "Inertia",
    "Mount",
    "Rates",
    "gravity_energy",
    "mass_matrix",
    "momentum",
    "rates",
]


@dataclass(frozen=True)
class MovingLink:
    """A link's moments at its present shape, and the columns of its rates in its own axes."""

    mc: Array
    I: Array  # noqa: E741
    C: Array  # (3, nv)
    CN: Array  # (3, nv)
    Md: Array  # (m, m)
    W: Array  # (3, nv) angular velocity
    b: Array  # (3, nv) velocity of O by the sliding of its own joint


@dataclass(frozen=True)
class ShapeMoments:
    """mc, I, C (3, m), CN (3, m) and modal mass (m, m) of a body at a shape d."""

    mc: Array
    I: Array  # noqa: E741
    C: Array
    CN: Array
    Md: Array


def _shape(body: Inertia, d: Array) -> ShapeMoments:
    """T of second order in (d, d_dot), and what the fields add to it."""
    ks = range(body.m)
    moved, C = quadratic(body.c1, body.c2, d)
    N = [body.N0[k] + total(d[j] * (body.P[j, k] + body.Q[k, j]) for j in ks) for k in ks]
    tensor = body.I0 + total(d[k] * _spread(body.N0[k] + body.N0[k].T) for k in ks)
    for k in ks:
        for j in range(k + 1):
            X = body.P[j, k] + body.P[j, k].T + body.Q[k, j] + body.Q[k, j].T
            tensor = tensor + pair(d, j, k) * _spread(X)
    CN = [
        np.array([n[1, 2] - n[2, 1], n[2, 0] - n[0, 2], n[0, 1] - n[1, 0]], dtype=object) for n in N
    ]
    own = _products(body.fields, d)
    return ShapeMoments(
        body.c0 + moved, tensor + own.I, C.T, _columns(CN) + own.CN, body.Mdd + own.Md
    )


def _products(fields: ArmFields, d: Array) -> ShapeMoments:
    """What a body's own motion by products of shapes adds, beyond c2 and Q: a field moves by
    s + w, s = s_k d_k, w = 1/2 z_kl d_k d_l, with slopes s_k + z_k, z_k = z_kl d_l. So

    W += w s' + s w' + w w',  CN_k += w x s_k + (w + s) x z_k,  Md_kl += z_k.z_l + s_k.z_l + z_k.s_l
    """
    m = len(d)
    W, CN = np.zeros((3, 3), dtype=object), np.zeros((3, m), dtype=object)
    Md = np.zeros((m, m), dtype=object)
    for a, weight in enumerate(fields.weight):
        S = fields.s[:, a]
        s = total((d[k] * S[k] for k in range(m)), np.zeros(3))
        w, Z = quadratic(np.zeros((m, 3)), fields.z[:, :, a], d)
        W = W + weight * (both(np.outer(w, s)) + np.outer(w, w))
        CN = CN - weight * (crossed(S.T, w) + crossed(Z.T, w + s))
        Md = Md + weight * (gram(Z.T, Z.T) + both(gram(S.T, Z.T)))
    return ShapeMoments(np.zeros(3), _spread(W), np.zeros((3, m)), CN, Md)


def _spread(X: Array) -> Array:
    """tr(X) 1 - X."""
    x, y, z = X[0, 0], X[1, 1], X[2, 2]
    out = -X.astype(object)
    out[0, 0], out[1, 1], out[2, 2] = y + z, x + z, x + y
    return out


def _moving(arm: Arm, part: ArmPart, q: Array, W: PendingTurns) -> MovingLink:
    at, nv = _shape(part.inertia, q[part.d]), arm.nv
    wide = [np.zeros((3, nv), dtype=object) for _ in range(4)]
    wide[0][:, part.e], wide[1][:, part.e] = at.C, at.CN
    for column, axis in zip(range(part.u.start, part.u.stop), part.joint.axes, strict=True):
        wide[2 + axis // 3][axis % 3, column] = 1.0
    return MovingLink(at.mc, at.I, wide[0], wide[1], at.Md, W.value((3, nv)), wide[3])


def _angular(arm: Arm, part: ArmPart, frame: ChildFrame, W: PendingTurns) -> PendingTurns:
    """w_c = R'(w + w_e) + joint rates. Reference: [LinLewis], eq. (7), corrected."""
    own = np.zeros((3, arm.nv), dtype=object)
    for column, axis in zip(range(part.u.start, part.u.stop), part.joint.axes, strict=True):
        if axis < 3:
            own[axis, column] = 1.0
    return (W + PendingTurns.of(frame.w)).through(inverse(frame.chain)) + PendingTurns.of(own)


@dataclass(frozen=True)
class Rates:
    """All columns of the rates: by link its motion, the way Y from its parent's origin to its
    own, and Z = m b + w x mc + C d_dot + sum_c m_c Y_c, the momentum it has in its own axes."""

    frames: list[ChildFrame]
    moving: list[MovingLink]
    beyond: list[Scalar]  # mass of a link with all it carries
    Y: list[Array]
    Z: list[Array]


def rates(arm: Arm, q: Array) -> Rates:
    """One sweep out for the rates, one in for the masses."""
    parts, n = arm.parts, len(arm.parts)
    frames = [child_frame(arm, part, q) for part in parts]
    W: list[PendingTurns] = []
    for part, frame in zip(parts, frames, strict=True):
        W.append(_angular(arm, part, frame, W[part.parent] if part.parent >= 0 else PendingTurns()))
    moving = [_moving(arm, part, q, w) for part, w in zip(parts, W, strict=True)]
    beyond = [part.inertia.mass for part in parts]
    Y = [np.zeros((3, arm.nv), dtype=object)] * n
    Z = [_momentum_columns(part, at) for part, at in zip(parts, moving, strict=True)]
    for i in range(n - 1, -1, -1):
        p, frame = parts[i].parent, frames[i]
        if p >= 0:
            Y[i] = moving[p].b + crossed(moving[p].W, frame.r) + frame.v
            Z[p] = Z[p] + beyond[i] * Y[i]
            beyond[p] = beyond[p] + beyond[i]
    return Rates(frames, moving, beyond, Y, Z)


def _momentum_columns(part: ArmPart, moving: MovingLink) -> Array:
    return np.asarray(part.inertia.mass * moving.b + crossed(moving.W, moving.mc) + moving.C)


def mass_matrix(arm: Arm, r: Rates) -> Array:
    """M of T = 1/2 qd' M qd. Reference: [LinLewis], eqs. (11)-(14), (21)."""
    P = [PendingTurns.of(z) for z in r.Z]
    M: Array = np.zeros((arm.nv, arm.nv), dtype=object)
    for i in range(len(P) - 1, -1, -1):
        part, Y = arm.parts[i], r.Y[i]
        M = M + _own_energy(part, r.moving[i])
        if part.parent >= 0:
            moved = P[i].through(r.frames[i].chain)
            M = M + r.beyond[i] * gram(Y, Y) + both(gram(Y, moved.value(Y.shape)))
            P[part.parent] = P[part.parent] + moved
    return M


def _own_energy(part: ArmPart, moving: MovingLink) -> Array:
    """What a link's motion about its own O gives to M, and its rotor."""
    body = part.inertia
    out = (
        gram(moving.W, moving.I @ moving.W)
        + both(gram(moving.W, moving.CN))
        + body.mass * gram(moving.b, moving.b)
    )
    out = out + both(gram(moving.b, crossed(moving.W, moving.mc) + moving.C))
    out[part.e, part.e] = out[part.e, part.e] + moving.Md
    for k in range(part.u.start, part.u.stop):
        out[k, k] = out[k, k] + part.rotor
    return np.asarray(out)


def momentum(arm: Arm, r: Rates, qd: Array) -> Array:
    """p = M qd (nv,) without M: the rates are summed before they are multiplied."""
    n, one = len(arm.parts), np.array(qd, dtype=object)[:, None]
    p: Array = np.zeros((arm.nv, 1), dtype=object)
    y = [Y @ one for Y in r.Y]
    P = [PendingTurns.of(Z @ one) for Z in r.Z]
    ahead: list[PendingTurns] = []  # velocity that the links below give, in the link's own axes
    for i, part in enumerate(arm.parts):
        below = ahead[part.parent] + PendingTurns.of(y[i]) if part.parent >= 0 else PendingTurns()
        ahead.append(below.through(inverse(r.frames[i].chain)))
        p = p + gram(r.Z[i], ahead[i].value((3, 1))) + _own_momentum(part, r.moving[i], one)
    for i in range(n - 1, -1, -1):
        if arm.parts[i].parent >= 0:
            moved = P[i].through(r.frames[i].chain)
            P[arm.parts[i].parent] = P[arm.parts[i].parent] + moved
            p = p + gram(r.Y[i], r.beyond[i] * y[i] + moved.value((3, 1)))
    return np.asarray(p[:, 0])


def _own_momentum(part: ArmPart, moving: MovingLink, qd: Array) -> Array:
    body, w, b = part.inertia, moving.W @ qd, moving.b @ qd
    out = (
        gram(moving.W, moving.I @ w + moving.CN @ qd)
        + gram(moving.CN, w)
        + body.mass * gram(moving.b, b)
    )
    out = (
        out
        + gram(moving.b, crossed(w, moving.mc) + moving.C @ qd)
        + gram(crossed(moving.W, moving.mc) + moving.C, b)
    )
    out[part.e] = out[part.e] + moving.Md @ qd[part.e]
    for k in range(part.u.start, part.u.stop):
        out[k] = out[k] + part.rotor * qd[k]
    return np.asarray(out)


def gravity_energy(arm: Arm, r: Rates) -> Scalar:
    """V = -g . (first moment of all mass). Reference: [LinLewis], eq. (15)."""
    S = [PendingTurns.of(at.mc[:, None]) for at in r.moving]
    V: Scalar = 0.0
    for i in range(len(S) - 1, -1, -1):
        frame, p = r.frames[i], arm.parts[i].parent
        moment = S[i].through(frame.chain) + PendingTurns.of(r.beyond[i] * frame.r[:, None])
        if p >= 0:
            S[p] = S[p] + moment
        else:
            V = V - _dot(arm.gravity, moment.value((3, 1))[:, 0])
    return V


def gram(A: Array, B: Array) -> Array:
    """A' B."""
    return np.asarray(A.T @ B)


def both(X: Array) -> Array:
    return X + X.T


def _columns(rows: list[Array]) -> Array:
    return np.array(rows, dtype=object).reshape(len(rows), 3).T


def _dot(a: Array, b: Array) -> Scalar:
    return total(x * y for x, y in zip(a, b, strict=True))
