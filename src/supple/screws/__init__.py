"""Vectors, rotations, inertias and series that know no robot.

Everything here is generic in the scalar: floats, graph nodes, dual numbers.
"""

from .algebra import axial, cross, less, mirror, skew, square
from .inertia import Articulated, Rigid
from .rotation import Bent, Full, Rotation, Turn, quaternion_matrix, rotation_from_axes, rpy_matrix

__all__ = [
    "Articulated",
    "Bent",
    "Full",
    "Rigid",
    "Rotation",
    "Turn",
    "axial",
    "cross",
    "less",
    "mirror",
    "quaternion_matrix",
    "rotation_from_axes",
    "rpy_matrix",
    "skew",
    "square",
]
