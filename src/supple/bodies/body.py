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

A rigid body has no shapes (m = 0) and needs no other code. Kinetic energy is kept to second
order in (d, d_dot) together, so the equations derived from these moments conserve energy
exactly whatever the shapes are.
Reference: [MohanSaha], eqs. (19)-(25), written with moments; erratum: (24b) lacks a factor 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

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

    @property
    def m(self) -> int:
        """Number of shape coordinates."""
        return len(self.c1)


@dataclass(frozen=True)
class Moments:
    """The moments at a deformed shape d."""

    body: Body
    mc: Array  # (3,)    int rho r
    C: list[Array]  # m x (3,) d mc / d d_k
    W: Array  # (3, 3)  int rho r r^T
    N: list[Array]  # m x (3, 3)  int rho r (dr/dd_k)^T


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
    return Moments(body, mc, C, mirror(W), [linear[k] + second[k] + second[k] for k in ks])


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
    return inertia, CN, CF, at.body.Mdd


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
    rate2 = [_dot(dd, body.c2[k]) for k in ks]
    L = sum((dd[k] * at.N[k].T for k in ks), np.zeros((3, 3)))
    A = sum((ddd[k] * at.N[k].T for k in ks), np.zeros((3, 3)))
    A = A + sum((dd[k] * _dot(dd, body.Q[k]).T for k in ks), np.zeros((3, 3)))
    f = body.mass * x.a + x.U @ at.mc + cross(w2, sv)  # Coriolis: 2 w x int rho r_dot
    f = f + sum((ddd[k] * at.C[k] + dd[k] * rate2[k] for k in ks), np.zeros(3))
    T = x.U @ at.W + np.array([cross(w2, column) for column in L.T]).T + A
    n = axial(T) + cross(at.mc, x.a)
    e = [
        at.C[k] @ x.a
        + _trace(x.U, at.N[k])
        + w2 @ axial(_dot(dd, body.P[:, k]).T)  # gyroscopic: 2 w . int rho r_dot x S_k
        + body.Mdd[k] @ ddd
        for k in ks
    ]
    return n, f, np.array(e)


def _dot(d: Array, tensor: Array) -> Array:
    """sum_l d_l tensor[l]; zeros when there are no shapes."""
    return np.tensordot(d, tensor, 1) if len(d) else np.zeros(tensor.shape[1:])


def _trace(U: Array, N: Array) -> Scalar:
    """tr(U N) = sum_ij U_ij N_ji."""
    return sum((U[i] @ N[:, i] for i in range(3)), 0.0)
