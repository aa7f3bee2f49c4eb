"""Sine shapes sin(b_k x / L), shared by the families that have them."""

from __future__ import annotations

from functools import partial

import numpy as np

from .base import Array, Line, Shapes


def sine_shapes(betas: Array, line: Line) -> Shapes:
    """phi_k = sin(b_k x / L) with betas: (count,)."""
    wave = betas[:, None] / line.length
    return Shapes(len(betas), partial(_waves, wave), line.order + 1, betas)


def _waves(wave: Array, x: Array, derivative: int) -> Array:
    function = np.sin if derivative % 2 == 0 else np.cos
    sign = 1.0 if derivative % 4 < 2 else -1.0
    return np.asarray(sign * wave**derivative * function(wave * x))
