"""Families of mode shapes: a `Line` goes in, `Shapes` come out.

shapes = family("clamped_free").shapes(3, line)
shapes(x, derivative=1)              # (3, len(x))
scaled(shapes, line, "mean_square")
"""

from .base import Family, Line, Shapes, root_values, uniform
from .families import FAMILIES, families, family
from .finite_elements import FiniteElements
from .functions import Functions
from .polynomials import Orthogonal, Polynomial
from .quadrature import line_points
from .scale import SCALES, scaled
from .uniform_beams import ClampedFree, ClampedMass, PinnedPinned

__all__ = [
    "FAMILIES",
    "SCALES",
    "ClampedFree",
    "ClampedMass",
    "Family",
    "FiniteElements",
    "Functions",
    "Line",
    "Orthogonal",
    "PinnedPinned",
    "Polynomial",
    "Shapes",
    "families",
    "family",
    "line_points",
    "root_values",
    "scaled",
    "uniform",
]
