"""Properties along a beam: constant, tapered or tabulated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..frozen import Frozen
from ..types import Floats


@dataclass(frozen=True, eq=False)
class Profile(Frozen):
    """A piecewise-linear property p(x); one node is a constant.

    Points where it has a kink must be known to the quadrature: `breaks`.
    """

    x: Floats
    values: Floats
    power: float = 1.0

    def __call__(self, x: Floats) -> Floats:
        return np.asarray(np.interp(x, self.x, self.values) ** self.power, dtype=float)

    @property
    def breaks(self) -> tuple[float, ...]:
        return tuple(float(v) for v in self.x[1:-1])

    @classmethod
    def constant(cls, value: float) -> Profile:
        return cls(np.array([0.0]), np.array([float(value)]))


@dataclass(frozen=True)
class ProfileProduct:
    """scale * product of profiles, e.g. E times I."""

    factors: tuple[Profile | ProfileProduct, ...]
    scale: float = 1.0

    def __call__(self, x: Floats) -> Floats:
        out = np.full(np.shape(x), self.scale)
        for factor in self.factors:
            out = out * factor(x)
        return out

    @property
    def breaks(self) -> tuple[float, ...]:
        return tuple(sorted({b for f in self.factors for b in f.breaks}))


@dataclass(frozen=True)
class ProfileSum:
    """a weighted sum of profiles, e.g. outer minus inner tube."""

    terms: tuple[tuple[float, Along], ...]

    def __call__(self, x: Floats) -> Floats:
        out = np.zeros(np.shape(x))
        for weight, term in self.terms:
            out = out + weight * term(x)
        return out

    @property
    def breaks(self) -> tuple[float, ...]:
        return tuple(sorted({b for _, t in self.terms for b in t.breaks}))


@dataclass(frozen=True)
class DerivedProfile:
    """What a formula makes of other properties at the same x, e.g. a torsion constant."""

    formula: Callable[..., Floats]
    parts: tuple[Along, ...]

    def __call__(self, x: Floats) -> Floats:
        return np.asarray(self.formula(*(part(x) for part in self.parts)))

    @property
    def breaks(self) -> tuple[float, ...]:
        return tuple(sorted({b for part in self.parts for b in part.breaks}))


@dataclass(frozen=True)
class StretchedProfile:
    """factor p(x / stretch): the same along a longer beam."""

    profile: Along
    stretch: float
    factor: float

    def __call__(self, x: Floats) -> Floats:
        return np.asarray(self.factor * self.profile(np.asarray(x) / self.stretch))

    @property
    def breaks(self) -> tuple[float, ...]:
        return tuple(self.stretch * b for b in self.profile.breaks)


Along = Profile | ProfileProduct | ProfileSum | DerivedProfile | StretchedProfile
