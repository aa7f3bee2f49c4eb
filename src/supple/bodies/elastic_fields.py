"""The elastic fields of a beam: the ways in which its sections move, one row each.

A section at x moves by phi(x) d along `moves`, and turns by phi(x) d about `twists` and by
phi'(x) d about `slopes`. Model file, beams and symbols read here all
else that depends on the field.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..types import Floats

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class ElasticField:
    """One way to deform.

    meaning    and example: what `supple help modes` says
    letter     of its shape coordinates in equations
    stiffness  its name in equations
    given      keys of a beam that say the stiffness outright, the first that is there counts
    made       or modulus and property of the section that make it: shear stands for G, or E and nu
    needs      both in words
    depth      the section's dimension in the plane of bending
    """

    name: str
    meaning: str
    example: str
    letter: str
    stiffness: str
    given: tuple[str, ...]
    made: tuple[str, str]
    needs: str
    moves: Vector = (0.0, 0.0, 0.0)
    twists: Vector = (0.0, 0.0, 0.0)
    slopes: Vector = (0.0, 0.0, 0.0)
    depth: str = ""

    @property
    def move(self) -> Floats:
        """Displacement of the axis for each phi."""
        return np.array(self.moves)

    @property
    def twist(self) -> Floats:
        """Rotation of a section for each phi."""
        return np.array(self.twists)

    @property
    def slope(self) -> Floats:
        """Rotation of a section for each phi'."""
        return np.array(self.slopes)

    @property
    def bends(self) -> bool:
        """Whether its strain is phi'', not phi'."""
        return any(self.slopes)

    @property
    def rotates(self) -> bool:
        """Whether sections turn by phi itself: what resists is their inertia, not their mass."""
        return any(self.twists)

    @property
    def stretches(self) -> bool:
        """Whether phi' is an axial strain."""
        return bool(self.moves[0])

    @property
    def turn_axis(self) -> int | None:
        """The axis about which sections turn, if they do."""
        turns = np.flatnonzero(self.twist + self.slope)
        return int(turns[0]) if len(turns) else None


FIELDS = {
    field.name: field
    for field in (
        ElasticField(
            "bending_y",
            "Shapes in the beam's xy plane: a number, or a mapping with options of its own; see "
            "supple help field.",
            "{count: 2, family: clamped_mass}",
            "v",
            "EIz",
            given=("EIz", "EI"),
            made=("E", "Iz"),
            needs="EI, EIz, E with I or Iz, or E with section",
            moves=(0.0, 1.0, 0.0),
            slopes=(0.0, 0.0, 1.0),
            depth="width",
        ),
        ElasticField(
            "bending_z",
            "Shapes in the beam's xz plane, likewise.",
            "2",
            "w",
            "EIy",
            given=("EIy", "EI"),
            made=("E", "Iy"),
            needs="EI, EIy, E with I or Iy, or E with section",
            moves=(0.0, 0.0, 1.0),
            slopes=(0.0, -1.0, 0.0),
            depth="height",
        ),
        ElasticField(
            "torsion",
            "Shapes of twist about x, likewise.",
            "1",
            "al",
            "GJ",
            given=("GJ",),
            made=("shear", "J"),
            needs="GJ, or G (or E and nu) with J or section",
            twists=(1.0, 0.0, 0.0),
        ),
        ElasticField(
            "axial",
            "Shapes of stretching along x, likewise.",
            "1",
            "u",
            "EA",
            given=("EA",),
            made=("E", "area"),
            needs="EA, or E with area or section",
            moves=(1.0, 0.0, 0.0),
        ),
    )
}
