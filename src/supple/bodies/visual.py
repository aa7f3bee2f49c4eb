"""What links and the sections of beams look like. No equation reads it; the 3D page, stresses and
exports do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..frozen import Frozen
from ..types import Floats
from .profile import Profile


@dataclass(frozen=True, eq=False)
class Visual(Frozen):
    """A shape that is fixed to a link (of a bending link: to its frame, at the root).

    shape      "mesh", "box", "cylinder", "capsule" or "sphere"
    size       of a box its edges along x, y, z; of a cylinder or capsule radius and length (along
               z, the middle at the origin; a capsule's length is that between its half spheres);
               of a sphere its radius; of a mesh the factors along x, y, z
    mesh       of a mesh the file it is in (.stl, .obj, .dae, .ply, .gltf, .glb), checked when the
               model was read to be in its folder; the file may be missing. Else ""
    r, R       where the shape's own frame is in the link's frame as `recursion.poses` gives it,
               whose z is the joint's axis: a point x of the shape is at p + P (r + R x) in the
               world, with p, P the link's pose
    color      (red, green, blue, opacity) from 0 to 1, or None
    collision  whether it is for collisions, and not to be shown
    """

    shape: str
    size: tuple[float, ...]
    r: Floats
    R: Floats
    mesh: str = ""
    color: tuple[float, ...] | None = None
    collision: bool = False


@dataclass(frozen=True)
class Outline:
    """What a beam's cross-section looks like, where its model says so: its shape ("circle", "tube",
    "rectangle", "box"), how far it reaches from the axis along y and z, and its material's E, None
    where only the stiffness is known."""

    shape: str
    wide: Profile  # diameter or width, along y
    high: Profile  # diameter or height, along z
    E: float | None

    @property
    def round(self) -> bool:
        return self.shape in ("circle", "tube")

    def half(self, x: Floats) -> Floats:
        """(n, 2): the outermost fibres along y and z."""
        return np.stack([0.5 * self.wide(x), 0.5 * self.high(x)], axis=1)
