"""How one number varies: a row of values, or a distribution by the inverse of its cumulative one.

    value = quantile(u),   0 <= u < 1

u comes from the design: evenly random, a Latin hypercube, or Sobol's sequence.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..types import Floats

Numbers = Sequence[float]


@dataclass(frozen=True)
class VariationKind:
    """`needs` says which numbers it takes; `bad` what is wrong with them, or ""."""

    needs: str
    bad: Callable[[Numbers], str]
    row: Callable[[Numbers], Floats] | None = None  # all values, where they are a row
    quantile: Callable[[Numbers, Floats], Floats] | None = None

    def check(self, numbers: Numbers) -> None:
        words = self.bad(numbers)
        if words:
            raise ValueError(f"{words}; it takes {self.needs}")

    def at(self, numbers: Numbers, u: Floats) -> Floats:
        """The values at u: (n,)."""
        if self.quantile is not None:
            return np.asarray(self.quantile(numbers, u), dtype=float)
        assert self.row is not None
        row = self.row(numbers)
        return np.asarray(row[np.minimum((u * len(row)).astype(int), len(row) - 1)])


def _pair(rising: bool = True, above: float = -np.inf) -> Callable[[Numbers], str]:
    def bad(x: Numbers) -> str:
        if len(x) != 2:
            return f"there are {len(x)} numbers"
        if rising and not x[0] < x[1]:
            return f"{x[0]:g} is not below {x[1]:g}"
        return "" if x[0] > above else f"{x[0]:g} is not above {above:g}"

    return bad


def _spread(x: Numbers) -> str:
    if len(x) != 2:
        return f"there are {len(x)} numbers"
    return "" if x[1] > 0.0 else f"a deviation of {x[1]:g} is not positive"


def _log_spread(x: Numbers) -> str:
    return _spread(x) or ("" if x[0] > 0.0 else f"a median of {x[0]:g} is not positive")


def _spaced(logarithmic: bool) -> Callable[[Numbers], str]:
    def bad(x: Numbers) -> str:
        if len(x) != 3:
            return f"there are {len(x)} numbers"
        if x[2] != int(x[2]) or not 2 <= x[2] <= 10_000_000:
            return f"{x[2]:g} is no count of values from 2 on"
        if logarithmic and min(x[:2]) <= 0.0:
            return f"{min(x[:2]):g} is not positive"
        return ""

    return bad


def _peaked(x: Numbers) -> str:
    if len(x) != 3:
        return f"there are {len(x)} numbers"
    return "" if x[0] <= x[1] <= x[2] and x[0] < x[2] else "they do not rise"


def _normal(u: Floats) -> Floats:
    from scipy.special import ndtri

    tiny = np.finfo(float).tiny
    return np.asarray(ndtri(np.clip(u, tiny, 1.0 - 2.0**-53)))


def _triangular(x: Numbers, u: Floats) -> Floats:
    a, c, b = x
    rising = a + np.sqrt(u * (b - a) * (c - a))
    falling = b - np.sqrt((1.0 - u) * (b - a) * (b - c))
    return np.where(u < (c - a) / (b - a), rising, falling)


WAYS: dict[str, VariationKind] = {
    "values": VariationKind("one number or more", lambda x: "", lambda x: np.array(x, dtype=float)),
    "linspace": VariationKind(
        "first, last and how many, e.g. [0, 1, 11]",
        _spaced(False),
        lambda x: np.linspace(x[0], x[1], int(x[2])),
    ),
    "logspace": VariationKind(
        "first, last (both positive) and how many, e.g. [1, 100, 5]",
        _spaced(True),
        lambda x: np.geomspace(x[0], x[1], int(x[2])),
    ),
    "uniform": VariationKind(
        "lowest and highest, e.g. [0.9, 1.1]",
        _pair(),
        quantile=lambda x, u: x[0] + (x[1] - x[0]) * u,
    ),
    "normal": VariationKind(
        "mean and standard deviation, e.g. [1, 0.05]",
        _spread,
        quantile=lambda x, u: x[0] + x[1] * _normal(u),
    ),
    "lognormal": VariationKind(
        "median and standard deviation of the logarithm, e.g. [1, 0.1]",
        _log_spread,
        quantile=lambda x, u: x[0] * np.exp(x[1] * _normal(u)),
    ),
    "loguniform": VariationKind(
        "lowest (positive) and highest, e.g. [1, 100]",
        _pair(above=0.0),
        quantile=lambda x, u: x[0] * np.exp((np.log(x[1]) - np.log(x[0])) * u),
    ),
    "triangular": VariationKind("lowest, likeliest and highest", _peaked, quantile=_triangular),
}
"""All ways, a row each; the file format and its help read them here."""
