"""How large a mode shape is: the choices of normalisation, each a row of one table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from .base import Array, Line, Shapes
from .quadrature import line_points


def _raw(shapes: Shapes, line: Line) -> Array | None:
    """The family's own formula."""
    return None


def _tip(shapes: Shapes, line: Line) -> Array:
    """phi(L) = 1."""
    tip, phi = shapes(line.length)[:, 0], shapes(line_points(line, shapes.count)[0])
    at_rest = np.abs(tip) < 1e-9 * np.abs(phi).max(axis=1, initial=0.0)
    if at_rest.any():
        k = int(np.argmax(at_rest)) + 1
        raise ValueError(f"scale is 'tip', but the tip is at rest in mode {k}")
    return 1.0 / tip


def _mean_square(shapes: Shapes, line: Line) -> Array:
    """(1/L) int phi^2 dx = 1."""
    x, w = line_points(line, shapes.count)
    return 1.0 / np.sqrt(shapes(x) ** 2 @ (w / line.length))


def _mass(shapes: Shapes, line: Line) -> Array:
    """int mass phi^2 dx = 1: the beam alone, without its tip body."""
    x, w = line_points(line, shapes.count)
    return 1.0 / np.sqrt(shapes(x) ** 2 @ (w * line.mass(x)))


def _sine(shapes: Shapes, line: Line) -> Array:
    """phi = (sin z - sinh z) - s (cos z - cosh z): clamped Euler-Bernoulli shapes only.

    Reference: [MohanSaha], eq. (43).
    """
    if shapes.sigmas is None:
        raise ValueError("scale is 'sine'; only clamped Euler-Bernoulli shapes have it")
    return 1.0 / shapes.sigmas


@dataclass(frozen=True)
class Scale:
    """One choice: the factors of the shapes of a family's own formula; None: all are one."""

    name: str
    meaning: str
    factors: Callable[[Shapes, Line], Array | None]


SCALES = {
    scale.name: scale
    for scale in (
        Scale("raw", "as the family has them; the default", _raw),
        Scale("tip", "1 at the tip", _tip),
        Scale("mean_square", "mean of the square 1", _mean_square),
        Scale("mass", "modal mass of the bare beam 1", _mass),
        Scale("sine", "the sine form of clamped shapes", _sine),
    )
}


def scaled(shapes: Shapes, line: Line, scale: str) -> Shapes:
    """The same shapes in another scale."""
    if scale not in SCALES:
        raise ValueError(f"scale is {scale!r}; allowed are {', '.join(SCALES)}")
    raw = replace(shapes, factors=None)
    return replace(raw, factors=SCALES[scale].factors(raw, line))
