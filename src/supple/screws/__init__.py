"""Vectors, rotations, inertias and series that know no robot.

Everything here is generic in the scalar: floats, graph nodes, dual numbers.
"""

from .algebra import (
    axial,
    blocks,
    cross,
    crossed,
    less,
    mirror,
    outer,
    skew,
    square,
    weighted,
)
from .inertia import ArticulatedInertia, RigidInertia
from .kinks import above_zero, larger, positive, smaller, step
from .rotation import (
    BentRotation,
    FullRotation,
    Rotation,
    Turn,
    quaternion_matrix,
    rotation_from_axes,
    rpy_matrix,
    rpy_of,
)

__all__ = [
    "ArticulatedInertia",
    "BentRotation",
    "FullRotation",
    "RigidInertia",
    "Rotation",
    "Turn",
    "above_zero",
    "axial",
    "blocks",
    "cross",
    "crossed",
    "larger",
    "less",
    "mirror",
    "outer",
    "positive",
    "quaternion_matrix",
    "rotation_from_axes",
    "rpy_matrix",
    "rpy_of",
    "skew",
    "smaller",
    "square",
    "step",
    "weighted",
]
