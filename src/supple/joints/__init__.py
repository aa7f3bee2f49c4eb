"""Joint kinds, one a file, and what drives them."""

from .base import Joint
from .drive import Drive
from .fixed import Fixed
from .floating import Floating
from .prismatic import Prismatic
from .revolute import Revolute
from .spherical import Spherical

KINDS: dict[str, type[Joint]] = {
    kind.kind: kind for kind in (Revolute, Prismatic, Fixed, Spherical, Floating)
}

__all__ = [
    "KINDS",
    "Drive",
    "Fixed",
    "Floating",
    "Joint",
    "Prismatic",
    "Revolute",
    "Spherical",
]
