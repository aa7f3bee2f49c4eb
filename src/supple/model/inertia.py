"""The ways to write an inertia."""

from __future__ import annotations

import numpy as np

from ..types import Floats


def inertia_tensor(value: object) -> Floats:
    """A 3x3 inertia from any of the ways to write one."""
    if value is None:
        return np.zeros((3, 3))
    a = np.asarray(value, dtype=float)
    if a.shape == (3, 3):
        return a
    if a.ndim == 0:
        return np.asarray(np.eye(3) * a)
    if a.shape == (3,):
        return np.diag(a)
    xx, yy, zz, xy, xz, yz = a
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
