"""Dual twists, lines, screws and wrenches, and how they change frame, point and time.

A dual screw has six dual components [w; v]: direction and moment, or angular velocity and
velocity of the reference point. The paper writes it as twelve reals, `stacked` gives those.
    another point         U(p):       v' = v + p x w, p from the new point to the old
    another frame         R-bar:      w' = X w, v' = X v
    both                  V = Ad(Y):  the adjoint of G2
    in time               L_dot = [d] L, [d] = -ad(t): t moves the frame in which L is seen
                          against the one in which L stands still
Several screws are the columns of a (6, k) dual matrix.
Reference: [CibicikEgeland], eqs. (57)-(85).
"""

from __future__ import annotations

import numpy as np

from ...types import Array, Scalar
from .array import DualArray, DualLike, dot, hstack, vstack, wedge
from .rotation import DualRotation


def screw(w: DualLike, v: DualLike) -> DualArray:
    """[w; v] of two dual (or plain) vectors. Reference: eqs. (56), (58)."""
    return vstack([DualArray.of(w), DualArray.of(v)])


def line(a: DualLike, p: DualLike = (0.0, 0.0, 0.0)) -> DualArray:
    """The line along a through p, seen from the origin: [a; p x a]. Reference: eq. (58)."""
    return screw(a, wedge(np.asarray(p) if isinstance(p, tuple) else p) @ DualArray.of(a))


def couple(a: DualLike) -> DualArray:
    """[0; a]: a pure translation along a. Reference: the screws N of eq. (72)."""
    return screw(np.zeros(3), a)


def reference_change(p: DualLike) -> DualArray:
    """U (6, 6): from a point to the one from which it lies at p. Reference: eq. (60)."""
    one, zero = DualArray.of(np.eye(3)), DualArray.of(np.zeros((3, 3)))
    return vstack([hstack([one, zero]), hstack([wedge(p), one])])


def frame_change(X: DualRotation) -> DualArray:
    """R-bar (6, 6): from the inner frame's axes to the outer's. Reference: eq. (63)."""
    R, zero = X.array(), DualArray.of(np.zeros((3, 3)))
    return vstack([hstack([R, zero]), hstack([zero, R])])


def ad(t: DualArray) -> DualArray:
    """ad(t) (6, 6) = [[w~, 0], [v~, w~]]: the bracket of two dual twists is ad(t1) t2."""
    w, v, zero = wedge(t[:3]), wedge(t[3:]), DualArray.of(np.zeros((3, 3)))
    return vstack([hstack([w, zero]), hstack([v, w])])


def differentiation_operator(t: DualArray) -> DualArray:
    """[d] of eq. (77): L_dot = [d] L for a screw that stands still in its own frame.

    t = [w; v]: the observing frame's angular velocity against that frame and the velocity of
    the point of reference as seen from it. With w = -w_ij and v = v_{a_i, j} of the paper this
    is [[w_ij^, 0], [-v^, w_ij^]].
    """
    return -ad(t)


def differentiated(t: DualArray, L: DualArray) -> DualArray:
    """[d] L of one screw, without the matrix: w_dot = w x t_w, v_dot = w x t_v + v x t_w.

    Products with zero are not made: for a symbolic algebra they are the dearest of all.
    """
    return DualArray(_moved(t.r, L.r), _plus(_moved(t.r, L.d), _moved(t.d, L.r)))


def scaled(L: DualArray, u: Scalar) -> DualArray:
    """L u, products with zero left out too."""
    return DualArray(*(np.array([_times(x, u) for x in part]) for part in (L.r, L.d)))


def _moved(t: Array, L: Array) -> Array:
    w, v = L[:3], L[3:]
    turn = _plus(_cross(w, t[3:]), _cross(v, t[:3]))
    return np.concatenate([_cross(w, t[:3]), turn])


def _cross(a: Array, b: Array) -> Array:
    pairs = ((1, 2), (2, 0), (0, 1))
    return np.array([_minus(_times(a[i], b[j]), _times(a[j], b[i])) for i, j in pairs])


def _times(a: Scalar, b: Scalar) -> Scalar:
    return 0.0 if a == 0 or b == 0 else a * b


def _minus(a: Scalar, b: Scalar) -> Scalar:
    return a if b == 0 else (-b if a == 0 else a - b)


def _plus(a: Array, b: Array) -> Array:
    return np.array([y if x == 0 else (x if y == 0 else x + y) for x, y in zip(a, b, strict=True)])


def stacked(s: DualArray) -> Array:
    """[w_r; w_d; v_r; v_d]: the paper's twelve reals (of each column)."""
    return np.concatenate([s.r[:3], s.d[:3], s.r[3:], s.d[3:]])


def unstacked(x: Array) -> DualArray:
    """The dual screw of the paper's twelve reals."""
    return DualArray(np.concatenate([x[:3], x[6:9]]), np.concatenate([x[3:6], x[9:]]))


def stacked_matrix(V: DualArray) -> Array:
    """The (12, 12) matrix that acts on twelve reals as V acts on screws."""
    rows = [[V[a : a + 3, b : b + 3].matrix() for b in (0, 3)] for a in (0, 3)]
    return np.block(rows)


def wrench(n: DualLike, f: DualLike) -> DualArray:
    """[n; f]: moment about the reference point, then force (the paper: [f; n])."""
    return screw(n, f)


def ray(w: DualArray) -> DualArray:
    """[n; f] as [f; n] and back: a wrench in this order changes point and frame as a twist
    does. Reference: eqs. (80)-(85)."""
    return vstack([w[3:], w[:3]])


def power(t: DualArray, w: DualArray) -> Scalar:
    """The dual number n . w + f . v of a twist and a wrench at one point, in one frame."""
    return dot(t, w)
