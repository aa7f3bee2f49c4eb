"""How large a mode shape is: the choices of normalisation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .base import Array, Line, Shapes
from .quadrature import line_points

SCALES = ("raw", "tip", "mean_square", "mass", "sine")


def scaled(shapes: Shapes, line: Line, scale: str) -> Shapes:
    """The same shapes in another scale.

    raw          the family's own formula
    tip          phi(L) = 1
    mean_square  (1/L) int phi^2 dx = 1
    mass         int mass phi^2 dx = 1 (the beam alone, without its tip body)
    sine         phi = (sin z - sinh z) - s (cos z - cosh z): clamped Euler-Bernoulli shapes only

    Reference: [MohanSaha], eq. (43) for "sine".
    """
    if scale not in SCALES:
        raise ValueError(f"scale is {scale!r}; allowed are {', '.join(SCALES)}")
    raw = replace(shapes, factors=None)
    return raw if scale == "raw" else replace(raw, factors=_factors(raw, line, scale))


def _factors(raw: Shapes, line: Line, scale: str) -> Array:
    if scale == "sine":
        if raw.sigmas is None:
            raise ValueError("scale is 'sine'; only clamped Euler-Bernoulli shapes have it")
        return 1.0 / raw.sigmas
    x, w = line_points(line, raw.count)
    phi = raw(x)
    if scale == "tip":
        tip = raw(line.length)[:, 0]
        at_rest = np.abs(tip) < 1e-9 * np.abs(phi).max(axis=1, initial=0.0)
        if at_rest.any():
            k = int(np.argmax(at_rest)) + 1
            raise ValueError(f"scale is 'tip', but the tip is at rest in mode {k}")
        return 1.0 / tip
    weight = w / line.length if scale == "mean_square" else w * line.mass(x)
    return 1.0 / np.sqrt(phi**2 @ weight)
