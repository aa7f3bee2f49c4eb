"""Quaternions as a person reads them: rotation vectors that do not jump."""

from __future__ import annotations

import numpy as np

from ..types import Floats


def rotation_vectors(quaternions: Floats) -> Floats:
    """angle times axis (n, 3) of quaternions (w, x, y, z) over time (n, 4), with whole turns
    added so that each is as near as can be to the one before."""
    out, last = np.zeros((len(quaternions), 3)), np.zeros(3)
    for i, (w, *v) in enumerate(quaternions):
        size = float(np.linalg.norm(v))
        axis = np.array(v) / size if size > 1e-12 else _direction(last)
        angle = 2.0 * np.arctan2(size, w)
        whole = np.round((last @ axis - angle) / (2.0 * np.pi))
        out[i] = last = (angle + 2.0 * np.pi * whole) * axis
    return out


def _direction(v: Floats) -> Floats:
    """Along v; any axis serves where there is none."""
    size = float(np.linalg.norm(v))
    return v / size if size > 1e-12 else np.array([1.0, 0.0, 0.0])
