"""Joint kinds, one a file, and what drives them."""

from .base import Joint, JointPart
from .coupled import MimicTie
from .cylindrical import Cylindrical
from .drive import Drive
from .fixed import Fixed
from .floating import Floating
from .gear import Gear
from .limits import Limits
from .planar import Planar
from .prismatic import Prismatic
from .revolute import Revolute
from .spherical import Spherical
from .universal import Universal

KINDS: dict[str, type[Joint]] = {
    kind.kind: kind
    for kind in (
        *(Revolute, Prismatic, Cylindrical, Fixed),
        *(Spherical, Universal, Planar, Floating),
    )
}

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
