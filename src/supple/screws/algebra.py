"""Three-vector algebra, generic in the scalar (no in-place writes, no np.cross).

Numbers are taken out of their arrays (`tolist`) before they are multiplied one by one: NumPy's
own scalars are several times slower than those of Python.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from ..types import Array, Scalar


def cross(a: Array, b: Array) -> Array:
    """a x b for (3,) vectors."""
    (a0, a1, a2), (b0, b1, b2) = a.tolist(), b.tolist()
    return np.array([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0])


def crossed(a: Array, M: Array) -> Array:
    """a~ M: a x each column of M (3, n)."""
    if a.dtype == object or M.dtype == object:  # without products with the zeros of a~
        return np.array([cross(a, column) for column in M.T]).reshape(M.shape[::-1]).T
    return np.asarray(skew(a) @ M)


def outer(a: Array, b: Array) -> Array:
    """a b^T, as np.outer with less ado."""
    return np.asarray(a[:, None] * b)


def blocks(*rows: list[Array]) -> Array:
    """A matrix of matrices, as np.block with less ado."""
    return np.concatenate([np.concatenate(row, axis=1) for row in rows])


def skew(a: Array) -> Array:
    """The matrix a~ with a~ b = a x b."""
    x, y, z = a.tolist()
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def axial(T: Array) -> Array:
    """r x y from T = y r^T: the axial vector (T21 - T12, T02 - T20, T10 - T01)."""
    (_, xy, xz), (yx, _, yz), (zx, zy, _) = T.tolist()
    return np.array([zy - yz, xz - zx, yx - xy])


def square(w: Array, dw: Array) -> Array:
    """U = w~ w~ + dw~: the acceleration field of a turning body is a + U r."""
    (x, y, z), (dx, dy, dz) = w.tolist(), dw.tolist()
    xx, yy, zz = x * x, y * y, z * z
    xy, xz, yz = x * y, x * z, y * z
    return np.array(
        [
            [-(yy + zz), xy - dz, xz + dy],
            [xy + dz, -(xx + zz), yz - dx],
            [xz - dy, yz + dx, -(xx + yy)],
        ]
    )


def mirror(X: Array) -> Array:
    """The symmetric matrix whose upper triangle is that of X.

    A traced lower triangle becomes dead code, so symmetry halves the work.
    """
    return np.where(_upper(len(X)), X, X.T)


@cache
def _upper(n: int) -> Array:
    upper = np.triu(np.ones((n, n), dtype=bool))
    upper.flags.writeable = False  # one for all
    return upper


def weighted(d: Array, tensor: Array) -> Array:
    """sum_k d_k tensor[k], as np.tensordot(d, tensor, 1) with less ado; zeros of no d."""
    rest = tensor.shape[1:]
    return np.dot(d, tensor.reshape(len(d), -1)).reshape(rest) if len(d) else np.zeros(rest)


def less(whole: Array | Scalar, part: Array | Scalar) -> Array:
    """whole - part, with exact zeros where only rounding is left."""
    gap = np.asarray(whole - part)
    if gap.dtype == object:  # parameters: nothing is known of their size
        return gap
    limit = 1e-13 * np.abs(whole).max(initial=0.0)
    return np.where(np.abs(gap) <= limit, 0.0, gap)
