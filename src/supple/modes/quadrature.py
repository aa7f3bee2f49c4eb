"""Gauss-Legendre quadrature on a line, broken where its profiles break."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np

from .base import Array, Line

POINTS = 20  # Gauss points of a panel


@cache
def rule(points: int) -> tuple[Array, Array]:
    """Gauss points on [-1, 1] and their weights."""
    t, w = np.polynomial.legendre.leggauss(points)
    t.flags.writeable = w.flags.writeable = False  # one for all
    return t, w


def gauss(nodes: Array, points: int) -> tuple[Array, Array]:
    """Points and weights (n,) with `points` Gauss points between each two nodes."""
    t, w = rule(points)
    half = np.diff(nodes) / 2.0
    x = nodes[:-1, None] + half[:, None] * (1.0 + t)
    return x.ravel(), (half[:, None] * w).ravel()


def line_points(line: Line, count: int) -> tuple[Array, Array]:
    """Points and weights that integrate products of the first `count` modes to rounding."""
    panels = max(8, count)
    pieces = [np.linspace(a, b, panels + 1)[:-1] for a, b in pairwise(line.ends)]
    return gauss(np.append(np.concatenate(pieces), line.length), POINTS)


def total_mass(line: Line) -> float:
    """int_0^L mass dx."""
    x, w = line_points(line, 8)
    return float(w @ line.mass(x))
