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


Rule = tuple[Callable[[Numbers], bool], str]
RISING: Rule = (lambda x: x[0] < x[1], "{0:g} is not below {1:g}")
SPREAD: Rule = (lambda x: x[1] > 0.0, "a deviation of {1:g} is not positive")
COUNTED: Rule = (
    lambda x: x[2] == int(x[2]) and 2 <= x[2] <= 10_000_000,
    "{2:g} is no count of values from 2 on",
)


def _bad(count: int, *rules: Rule) -> Callable[[Numbers], str]:
    """What is wrong with numbers, the first rule that they break."""
    counted: Rule = (lambda x: len(x) == count, "there are {count} numbers")
    rules = (counted, *rules)
    return lambda x: next((s.format(*x, count=len(x)) for fits, s in rules if not fits(x)), "")


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
        _bad(3, COUNTED),
        lambda x: np.linspace(x[0], x[1], int(x[2])),
    ),
    "logspace": VariationKind(
        "first, last (both positive) and how many, e.g. [1, 100, 5]",
        _bad(
            *(3, COUNTED),
            (lambda x: x[0] > 0.0, "{0:g} is not positive"),
            (lambda x: x[1] > 0.0, "{1:g} is not positive"),
        ),
        lambda x: np.geomspace(x[0], x[1], int(x[2])),
    ),
    "uniform": VariationKind(
        "lowest and highest, e.g. [0.9, 1.1]",
        _bad(2, RISING),
        quantile=lambda x, u: x[0] + (x[1] - x[0]) * u,
    ),
    "normal": VariationKind(
        "mean and standard deviation, e.g. [1, 0.05]",
        _bad(2, SPREAD),
        quantile=lambda x, u: x[0] + x[1] * _normal(u),
    ),
    "lognormal": VariationKind(
        "median and standard deviation of the logarithm, e.g. [1, 0.1]",
        _bad(2, SPREAD, (lambda x: x[0] > 0.0, "a median of {0:g} is not positive")),
        quantile=lambda x, u: x[0] * np.exp(x[1] * _normal(u)),
    ),
    "loguniform": VariationKind(
        "lowest (positive) and highest, e.g. [1, 100]",
        _bad(2, RISING, (lambda x: x[0] > 0.0, "{0:g} is not above 0")),
        quantile=lambda x, u: x[0] * np.exp((np.log(x[1]) - np.log(x[0])) * u),
    ),
    "triangular": VariationKind(
        "lowest, likeliest and highest",
        _bad(3, (lambda x: x[0] <= x[1] <= x[2] and x[0] < x[2], "they do not rise")),
        quantile=_triangular,
    ),
}
"""All ways, a row each; the file format and its help read them here."""
