"""Exponential, logarithm and left Jacobian of SO(3), closed form, good at every angle.

With a = |u|, s = a^2 and the Stumpff functions c_k (c_1 = sin a / a, c_2 = (1 - cos a) / s,
c_{k+2} = (1/k! - c_k) / s):
    exp u~      = 1 + c_1 u~ + c_2 u~^2
    Psi_l(u)    = 1 + c_2 u~ + c_3 u~^2
    Psi_l(u)^-1 = 1 - 1/2 u~ + (c_3 - 2 c_4) / (2 c_2) u~^2
and the slope of Psi_l at u along g
    Q(u, g)     = c_2 g~ + c_3 (u~ g~ + g~ u~) + (u.g) [(2 c_4 - c_3) u~ + (3 c_5 - c_4) u~^2].
Nothing here divides by the angle. Q is eq. (144), shorter: it is the derivative of Psi_l.
Reference: [CibicikEgeland], appendix A.
"""

from __future__ import annotations

import numpy as np

from ...types import Array, Floats, Scalar
from ..algebra import skew
from ..series import stumpff as series
from .number import Dual

Five = tuple[Scalar, Scalar, Scalar, Scalar, Scalar]


def stumpff(s: Scalar) -> Five:
    """(c_1, ..., c_5) at s = a^2: a series up to one radian, sine and cosine beyond.

    Symbols have no size: for them sine and cosine of sqrt(s), which fails at s = 0 only.
    """
    size = _size(s)
    return series(s) if size is not None and size <= 1.0 else _closed(s)


def _size(s: Scalar) -> float | None:
    """The value of a number, of the real part of a dual number; None for a symbol."""
    if isinstance(s, Dual):
        return _size(s.a)
    return float(s) if isinstance(s, float | int | np.floating) else None


def _closed(s: Scalar) -> Five:
    a = _call("sqrt", s)
    c1, c2 = _call("sin", a) / a, (1.0 - _call("cos", a)) / s
    c3, c4 = (1.0 - c1) / s, (0.5 - c2) / s
    return c1, c2, c3, c4, (1.0 / 6.0 - c3) / s


def _call(name: str, x: Scalar) -> Scalar:
    """A function of a number, dual number, graph node or SymPy expression."""
    if hasattr(x, "free_symbols") or hasattr(x, "is_Number"):
        import sympy

        return getattr(sympy, name)(x)
    return getattr(np, name)(x)


def rotation_exp(u: Array) -> Array:
    """exp u~ (3, 3) of the rotation vector u (3,)."""
    c1, c2, *_ = stumpff(u @ u)
    t = skew(u)
    return np.asarray(np.eye(3) + c1 * t + c2 * (t @ t))


def left_jacobian(u: Array) -> Array:
    """Psi_l(u): the spatial angular velocity of exp u~ is Psi_l(u) u_dot."""
    _, c2, c3, *_ = stumpff(u @ u)
    t = skew(u)
    return np.asarray(np.eye(3) + c2 * t + c3 * (t @ t))


def left_jacobian_inverse(u: Array) -> Array:
    """Psi_l(u)^-1, for angles below a full turn."""
    _, c2, c3, c4, _ = stumpff(u @ u)
    t = skew(u)
    return np.asarray(np.eye(3) - 0.5 * t + ((c3 - 2.0 * c4) / (2.0 * c2)) * (t @ t))


def left_jacobian_slope(u: Array, g: Array) -> Array:
    """Q(u, g): derivative of Psi_l at u along g. Reference: [CibicikEgeland], eq. (144)."""
    _, c2, c3, c4, c5 = stumpff(u @ u)
    t, x = skew(u), skew(g)
    turn = (2.0 * c4 - c3) * t + (3.0 * c5 - c4) * (t @ t)
    return np.asarray(c2 * x + c3 * (t @ x + x @ t) + (u @ g) * turn)


def rotation_log(A: Floats) -> Floats:
    """The rotation vector of A, |u| <= pi; numbers only.

    By the unit quaternion of A, whose largest component is found first: exact to rounding at
    every angle, near zero and near pi too. At pi itself u and -u are both right.
    """
    p = quaternion(np.asarray(A, dtype=float))
    n = float(np.linalg.norm(p[1:]))
    if n == 0.0:
        return 2.0 * p[1:]
    return (2.0 * float(np.arctan2(n, p[0])) / n) * p[1:]


def quaternion(A: Floats) -> Floats:
    """The unit quaternion (w, x, y, z) of A with w >= 0."""
    trace = float(np.trace(A))
    four = np.array([1.0 + trace, *(1.0 - trace + 2.0 * np.diag(A))])  # 4 w^2, 4 x^2, ...
    off = np.array([A[2, 1] - A[1, 2], A[0, 2] - A[2, 0], A[1, 0] - A[0, 1]])  # 4 w (x, y, z)
    outer = np.empty((4, 4))  # 4 p p^T
    outer[0, 0], outer[0, 1:], outer[1:, 0] = four[0], off, off
    outer[1:, 1:] = A + A.T
    outer[[1, 2, 3], [1, 2, 3]] = four[1:]
    p = outer[int(np.argmax(four))]
    p = p / np.linalg.norm(p)
    return np.asarray(-p if p[0] < 0.0 else p)


def orthogonal(A: Array) -> Array:
    """One step A (3 - A^T A) / 2 towards the nearest rotation: an error e becomes e^2."""
    return np.asarray(1.5 * A - 0.5 * (A @ (A.T @ A)))
