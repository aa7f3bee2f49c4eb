"""The modal body: all that a recursion may know of a link.

A material point sits at r(d) = X + sum_k S_k d_k + 1/2 sum_kl q_kl d_k d_l in the link frame
(z along the joint axis, origin O on it). The body's motion is that of the frame, [w; v] at O,
and the shape rates d_dot. What the recursions need are moments of r and of its derivatives,
integrated once over the body:

    mass           int rho
    c0, c1, c2     int rho X, int rho S_k, int rho q_kl             (first moment)
    W0             int rho X X^T                                    (second moment)
    N0[k]          int rho X S_k^T
    P[l, k]        int rho S_l S_k^T
    Q[k, l]        int rho X q_kl^T
    Mdd            int rho S_k . S_l                                (modal mass)
    K, D           stiffness and damping of the shape coordinates

A rigid body has no shapes (m = 0) and needs no other code. Kinetic energy is right to second
order in (d, d_dot) together. It sees q through c2 and Q alone; so where q is of note (E not
zero) it is replaced by the affine field with these moments,
    q_kl = g^T zeta_kl,   g = E [1; X],   zeta_kl = E [c2_kl; Q_kl],
E being such that int rho g g^T = 1. Of this motion the energy is then exact: mass matrices are
positive definite at any deflection, which those of the truncated energy are not.
Reference: [MohanSaha], eqs. (19)-(25), written with moments; erratum: (24b) lacks a factor 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from ..screws import axial, cross, mirror, skew
from ..types import Array, Floats, Scalar
from .station import Station


@dataclass(frozen=True)
class Body:
    """Constant integrals of one link, in the link frame, with its stations."""

    mass: float
    c0: Floats  # (3,)
    c1: Floats  # (m, 3)
    c2: Floats  # (m, m, 3)
    W0: Floats  # (3, 3)
    N0: Floats  # (m, 3, 3)
    P: Floats  # (m, m, 3, 3)
    Q: Floats  # (m, m, 3, 3)
    Mdd: Floats  # (m, m)
    K: Floats  # (m, m)
    D: Floats  # (m, m)
    stations: Mapping[str, Station]
    shape_names: tuple[str, ...] = ()
    root_slope: Floats | None = None  # (m, 3) root rotation of each shape; None: clamped
    E: Floats = field(default_factory=lambda: np.zeros((4, 4)))  # zero: q by c2 and Q only

    @property
    def m(self) -> int:
        """Number of shape coordinates."""
        return len(self.c1)


@dataclass(frozen=True)
class Moments:
    """The moments at a deformed shape d; those of the fields g in z, s and y, each (4, 3)."""

    body: Body
    mc: Array  # (3,)    int rho r
    C: list[Array]  # m x (3,) d mc / d d_k
    W: Array  # (3, 3)  int rho r r^T
    N: list[Array]  # m x (3, 3)  int rho r (dr/dd_k)^T
    y: Array  # int rho g (S d + 1/2 q d d)^T
    s: list[Array]  # m x int rho g S_k^T
    z: list[Array]  # m x int rho g (q_kl d_l)^T


def moments(body: Body, d: Array) -> Moments:
    """Moments of `body` at shape d: (m,)."""
    ks = range(body.m)
    half = [_dot(d, 0.5 * body.c2[k]) for k in ks]
    C = [body.c1[k] + half[k] + half[k] for k in ks]
    mc = body.c0 + sum((d[k] * (body.c1[k] + half[k]) for k in ks), np.zeros(3))
    linear = [body.N0[k] + _dot(d, body.P[:, k]) for k in ks]
    second = [_dot(d, 0.5 * body.Q[k]) for k in ks]
    W = body.W0 + sum((d[k] * (body.N0[k].T + linear[k]) for k in ks), np.zeros((3, 3)))
    W = W + sum((d[k] * (second[k] + second[k].T) for k in ks), np.zeros((3, 3)))
    s = [body.E @ np.vstack([body.c1[k], body.N0[k]]) for k in ks]
    zh = [body.E @ np.vstack([half[k], second[k]]) for k in ks]
    z = [zh[k] + zh[k] for k in ks]
    z0 = sum((d[k] * zh[k] for k in ks), np.zeros((4, 3)))
    s0 = sum((d[k] * s[k] for k in ks), np.zeros((4, 3)))
    y = s0 + z0
    W = W + z0.T @ y + s0.T @ z0
    N = [linear[k] + second[k] + second[k] + z0.T @ s[k] + y.T @ z[k] for k in ks]
    return Moments(body, mc, C, mirror(W), N, y, s, z)


def inertia_blocks(at: Moments) -> tuple[Array, Array, Array, Array]:
    """I (3, 3), CN (3, m), CF (3, m) and Md (m, m) of the body's (6+m) inertia matrix.

    The rest of that matrix is H = mc~ and the mass times the identity.
    """
    W = at.W
    trace = np.array([W[1, 1] + W[2, 2], W[0, 0] + W[2, 2], W[0, 0] + W[1, 1]])
    offdiagonal = np.where(np.eye(3, dtype=bool), 0.0, W)
    inertia = np.diag(trace) - offdiagonal
    m = at.body.m
    CN = np.array([axial(N.T) for N in at.N]).reshape(m, 3).T
    CF = np.array(at.C).reshape(m, 3).T
    return inertia, CN, CF, modal_mass(at)


def modal_mass(at: Moments) -> Array:
    """Md (m, m): int rho (dr/dd_k) . (dr/dd_l)."""
    m = at.body.m
    own = [
        [_inner(at.s[k], at.z[n]) + _inner(at.z[k], at.s[n] + at.z[n]) for n in range(m)]
        for k in range(m)
    ]
    return mirror(at.body.Mdd + np.array(own).reshape(m, m))


def full_inertia(at: Moments) -> Array:
    """The (6+m, 6+m) matrix M(d) with T = 1/2 t^T M t, t = [w; v; d_dot]."""
    inertia, CN, CF, Md = inertia_blocks(at)
    H = skew(at.mc)
    return np.block([[inertia, H, CN], [H.T, at.body.mass * np.eye(3), CF], [CN.T, CF.T, Md]])


@dataclass(frozen=True)
class Acceleration:
    """How the link frame moves: w, the field U = w~ w~ + dw~, and the acceleration a of O."""

    w: Array
    U: Array
    a: Array


def inertia_wrench(at: Moments, x: Acceleration, dd: Array, ddd: Array) -> tuple[Array, ...]:
    """Moment n about O, force f and modal forces e that the motion asks for.

    With y = a + U r + 2 w x r_dot + r_ddot the acceleration of a material point:
        f = int rho y,   n = int rho r x y,   e_k = int rho (dr/dd_k) . y
    """
    body, w2, ks = at.body, x.w + x.w, range(at.body.m)
    sv = sum((dd[k] * at.C[k] for k in ks), np.zeros(3))
    rate2 = sum((dd[k] * _dot(dd, body.c2[k]) for k in ks), np.zeros(3))
    rateQ = sum((dd[k] * _dot(dd, body.Q[k]) for k in ks), np.zeros((3, 3)))
    rate = body.E @ np.vstack([rate2, rateQ])  # int rho g (q_kl dd_k dd_l)^T
    L = sum((dd[k] * at.N[k].T for k in ks), np.zeros((3, 3)))
    A = sum((ddd[k] * at.N[k].T for k in ks), np.zeros((3, 3)))
    A = A + (rateQ + at.y.T @ rate).T
    f = body.mass * x.a + x.U @ at.mc + cross(w2, sv)  # Coriolis: 2 w x int rho r_dot
    f = f + sum((ddd[k] * at.C[k] for k in ks), np.zeros(3)) + rate2
    T = x.U @ at.W + np.array([cross(w2, column) for column in L.T]).T + A
    n = axial(T) + cross(at.mc, x.a)
    zv = sum((dd[k] * at.z[k] for k in ks), np.zeros((4, 3)))
    yv = sum((dd[k] * at.s[k] for k in ks), zv)
    Md = modal_mass(at)
    e = [
        at.C[k] @ x.a
        + _trace(x.U, at.N[k])
        # gyroscopic: 2 w . int rho r_dot x (dr/dd_k)
        + w2 @ axial((_dot(dd, body.P[:, k]) + zv.T @ at.s[k] + yv.T @ at.z[k]).T)
        + Md[k] @ ddd
        + _inner(at.s[k] + at.z[k], rate)
        for k in ks
    ]
    return n, f, np.array(e)


def _dot(d: Array, tensor: Array) -> Array:
    """sum_l d_l tensor[l]; zeros when there are no shapes."""
    return np.tensordot(d, tensor, 1) if len(d) else np.zeros(tensor.shape[1:])


def _trace(U: Array, N: Array) -> Scalar:
    """tr(U N) = sum_ij U_ij N_ji."""
    return sum((U[i] @ N[:, i] for i in range(3)), 0.0)


def _inner(a: Array, b: Array) -> Scalar:
    """sum_ij a_ij b_ij."""
    return sum((a[i] @ b[i] for i in range(len(a))), 0.0)
