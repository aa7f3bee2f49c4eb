"""The contract of a mode family: a `Line` goes in, `Shapes` come out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import MISSING, dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..frozen import Frozen

Array = NDArray[np.float64]
Profile = Callable[[Array], Array]


@dataclass(frozen=True)
class Line:
    """What a family may know of the beam, for one elastic field.

    field     mass                 stiffness   tip_mass
    bending   rho A      [kg/m]    E I         mass of the tip body
    torsion   rho I_p    [kg m]    G J         polar inertia of the tip body
    axial     rho A      [kg/m]    E A         mass of the tip body

    `bending=False` is a second-order field (torsion, axial). `breaks` are the inner x [m] where
    the profiles jump or kink. `tip_inertia` is about the tip body's mass centre, which lies
    `tip_offset` beyond the tip.
    """

    length: float
    mass: Profile
    stiffness: Profile
    breaks: tuple[float, ...] = ()
    tip_mass: float = 0.0
    tip_inertia: float = 0.0
    tip_offset: float = 0.0
    bending: bool = True

    def __post_init__(self) -> None:
        if not 0.0 < self.length < np.inf:
            raise ValueError(f"length is {self.length}; it must be positive")
        for name in ("tip_mass", "tip_inertia"):
            if not 0.0 <= getattr(self, name) < np.inf:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be zero or positive")
        outside = [x for x in self.breaks if not 0.0 < x < self.length]
        if outside:
            raise ValueError(
                f"breaks {outside} lie outside the beam; allowed 0 < x < {self.length}"
            )

    @property
    def order(self) -> int:
        """n of the strain d^n phi / dx^n: 2 in bending, 1 in torsion and extension."""
        return 2 if self.bending else 1

    @property
    def ends(self) -> tuple[float, ...]:
        """Ends of the smooth pieces: 0, the breaks in order, L."""
        return (0.0, *sorted(set(self.breaks)), self.length)


def uniform(
    length: float,
    mass: float = 1.0,
    stiffness: float = 1.0,
    *,
    tip_mass: float = 0.0,
    tip_inertia: float = 0.0,
    tip_offset: float = 0.0,
    bending: bool = True,
) -> Line:
    """A line with constant mass per length and stiffness."""
    return Line(
        length,
        lambda x: np.full_like(x, mass),
        lambda x: np.full_like(x, stiffness),
        tip_mass=tip_mass,
        tip_inertia=tip_inertia,
        tip_offset=tip_offset,
        bending=bending,
    )


@dataclass(frozen=True, eq=False)
class Shapes(Frozen):
    """`count` mode shapes; `shapes(x, derivative)` is d^derivative phi_k / dx^derivative.

    `formula(x, derivative)` is the family's own formula, (count, len(x)); `factors` scale it.
    A function of a module with its data bound (`partial`) pickles.
    `betas` are the roots beta_k L, `sigmas` the Euler-Bernoulli constants of clamped shapes,
    `omegas` the frequencies [rad/s]: each where the family has them, else None.
    """

    count: int
    formula: Callable[[Array, int], Array]
    highest: int
    betas: Array | None = None
    sigmas: Array | None = None
    omegas: Array | None = None
    factors: Array | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.count, bool) or not isinstance(self.count, (int, np.integer)):
            raise ValueError(f"count of modes is {self.count!r}; it must be a whole number")
        if self.count < 0:
            raise ValueError(f"count of modes is {self.count}; it must be zero or positive")

    def __call__(self, x: ArrayLike, derivative: int = 0) -> Array:
        """x: scalar or (n,) in metres, in [0, L] -> (count, n)."""
        if derivative not in range(self.highest + 1):
            raise ValueError(f"derivative is {derivative}; allowed 0 to {self.highest}")
        values = self.formula(np.atleast_1d(np.asarray(x, dtype=float)), derivative)
        return values if self.factors is None else self.factors[:, None] * values


def root_values(shapes: Shapes) -> Array:
    """(count, 2): phi_k(0) and phi_k'(0); both are zero for a shape clamped in bending."""
    return np.stack([shapes(0.0, 0)[:, 0], shapes(0.0, 1)[:, 0]], axis=1)


HOLDS = {
    "number": "a number",
    "not_negative": "a number, 0 or above",
    "formulas": "a list of formulas in x",
}
"""What an option of a family may hold, beside one of some words."""


def option(
    holds: str | tuple[str, ...], meaning: str, example: str, default: object = MISSING
) -> Any:
    """An option of a family, as a model file may set it.

    holds: a key of `HOLDS`, or the words allowed.
    meaning, example: what `supple help field` says of it. Without default it is required.
    """
    words = {"holds": holds, "meaning": meaning, "example": example}
    return field(default=default, metadata=words)


class Family(ABC):
    """A kind of mode shape; the options are the fields of the frozen dataclass (`option`).

    A new family is one class, beside its like, and its name in `FAMILIES` (`families.py`):
    the model file, its help and its messages read all else here.
    """

    name: ClassVar[str]
    meaning: ClassVar[str]  # what its shapes are, after its name: "are powers of x"
    listed: ClassVar[str] = ""  # the option that lists the shapes one by one; alone, it is enough

    @abstractmethod
    def shapes(self, count: int, line: Line) -> Shapes:
        """The first `count` shapes on the line."""
