"""Joint kinds, and what drives them."""

from .base import Joint, JointPart
from .drive import Drive, Gear, Limits
from .kinds import (
    KINDS,
    Cylindrical,
    Fixed,
    Floating,
    MimicTie,
    Planar,
    Prismatic,
    Revolute,
    Spherical,
    Universal,
)

__all__ = [
    "KINDS",
    "Cylindrical",
    "Drive",
    "Fixed",
    "Floating",
    "Gear",
    "Joint",
    "JointPart",
    "Limits",
    "MimicTie",
    "Planar",
    "Prismatic",
    "Revolute",
    "Spherical",
    "Universal",
]
