"""Three-vector algebra, generic in the scalar (no in-place writes, no np.cross)."""

from __future__ import annotations

import numpy as np

from ..types import Array


def cross(a: Array, b: Array) -> Array:
    """a x b for (3,) vectors."""
    return np.array(
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    )


def skew(a: Array) -> Array:
    """The matrix a~ with a~ b = a x b."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def axial(T: Array) -> Array:
    """r x y from T = y r^T: the axial vector (T21 - T12, T02 - T20, T10 - T01)."""
    return np.array([T[2, 1] - T[1, 2], T[0, 2] - T[2, 0], T[1, 0] - T[0, 1]])


def square(w: Array, dw: Array) -> Array:
    """U = w~ w~ + dw~: the acceleration field of a turning body is a + U r."""
    xx, yy, zz = w[0] * w[0], w[1] * w[1], w[2] * w[2]
    xy, xz, yz = w[0] * w[1], w[0] * w[2], w[1] * w[2]
    return np.array(
        [
            [-(yy + zz), xy - dw[2], xz + dw[1]],
            [xy + dw[2], -(xx + zz), yz - dw[0]],
            [xz - dw[1], yz + dw[0], -(xx + yy)],
        ]
    )


def mirror(X: Array) -> Array:
    """The symmetric matrix whose upper triangle is that of X.

    A traced lower triangle becomes dead code, so symmetry halves the work.
    """
    n = len(X)
    upper = np.triu(np.ones((n, n), dtype=bool))
    return np.where(upper, X, X.T)
