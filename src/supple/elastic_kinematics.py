"""Elastic kinematics: how the shapes of a link enter where its points are and how they move.

One value for each choice, with all that follows from it; the file format, the bodies, the
recursion, the checks and the help read it here. A new choice is one more row.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf


@dataclass(frozen=True)
class ElasticKinematics:
    """One way to count shapes.

    meaning   what it does with them, after its name
    second    products of shapes are kept: foreshortening and second-order rotations, hence
              geometric stiffening
    small     products of elastic coordinates and speeds are dropped from the equations
    bends     whether links bend at all
    doubtful  slope of a link [rad] from which on deflections are more than 2 % wrong
    error     how wrong deflections are, relative, at a slope s: error[0] s^error[1]
    """

    name: str
    meaning: str
    second: bool = False
    small: bool = False
    bends: bool = True
    doubtful: float = inf
    error: tuple[float, float] = (0.0, 1.0)

    @property
    def stiffens(self) -> bool:
        """Whether links stiffen when they turn or are pulled: or never bend at all."""
        return self.second or not self.bends

    @property
    def keeps_energy(self) -> bool:
        """Whether the equations belong to an energy, so that its balance proves a run."""
        return not self.small

    def wrong(self, slope: float) -> float:
        """How wrong deflections are at this slope, relative."""
        factor, power = self.error
        return float(factor * slope**power)


KINEMATICS = {
    kind.name: kind
    for kind in (
        ElasticKinematics(
            "second_order",
            "keeps foreshortening and so stiffening under load and fast rotation",
            second=True,
            doubtful=0.2,
            error=(0.45, 2.0),
        ),
        ElasticKinematics(
            "first_order",
            "leaves it out",
            doubtful=0.05,
            error=(0.4, 1.0),
        ),
        ElasticKinematics(
            "linearized",
            "drops all products of elastic coordinates and speeds",
            small=True,
            doubtful=0.05,
            error=(0.4, 1.0),
        ),
        ElasticKinematics("rigid", "takes no shapes at all", bends=False),
    )
}

DEFAULT = "second_order"
RIGID = "rigid"


def named(fits: Callable[[ElasticKinematics], bool]) -> list[str]:
    """The names of those that fit."""
    return [name for name, kind in KINEMATICS.items() if fits(kind)]
