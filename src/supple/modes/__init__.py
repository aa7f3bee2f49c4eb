"""Families of mode shapes: a `Line` goes in, `Shapes` come out.

shapes = family("clamped_free").shapes(3, line)
shapes(x, derivative=1)              # (3, len(x))
scaled(shapes, line, "mean_square")
"""

from .base import Family, Line, Shapes, root_values, uniform
from .clamped_free import ClampedFree
from .clamped_mass import ClampedMass
from .families import FAMILIES, families, family
from .finite_elements import FiniteElements
from .functions import Functions
from .orthogonal import Orthogonal
from .pinned_pinned import PinnedPinned
from .polynomial import Polynomial
from .quadrature import line_points
from .scale import SCALES, scaled

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
