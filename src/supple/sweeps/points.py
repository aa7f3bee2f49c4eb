"""The points of a study: how each number varies, and all of them, a row for each point.

A number has a row of values, or a distribution by the inverse of its cumulative one,

    value = quantile(u),   0 <= u < 1,

where u comes from the design: evenly random, a Latin hypercube, or Sobol's sequence. The numbers of
a point depend on the study's words alone, not on who computes it or when.
"""

from __future__ import annotations

import csv
import io
import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..errors import FileError, InputError
from ..files import read_bytes
from ..types import Floats
from ..worker_process import Points

if TYPE_CHECKING:
    from .spec import DesignSpec, WaySpec

MOST = 100_000_000  # numbers: 0.8 GB
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


def points(ways: Mapping[str, WaySpec], design: DesignSpec, nominal: Mapping[str, float]) -> Points:
    """The points of a design; `relative` ways are multiples of the nominal number."""
    with np.errstate(all="ignore"):
        columns = _columns(list(ways.values()), design)
        for k, (name, way) in enumerate(ways.items()):
            if way.relative:
                columns[:, k] *= nominal[name]
            if not np.isfinite(columns[:, k]).all():
                raise InputError(f"{name}: some of its values are too large for a number")
    return Points(tuple(ways), columns)


def _columns(ways: list[WaySpec], design: DesignSpec) -> Floats:
    if design.kind in ("grid", "list"):
        rows = [_row(way, design.kind) for way in ways]
        return _grid(rows) if design.kind == "grid" else _list(rows)
    count = int(design.points or 0)
    _check_size(count, len(ways))
    u = _cube(design, count, len(ways))
    return np.column_stack([WAYS[w.kind].at(w.numbers, u[:, k]) for k, w in enumerate(ways)])


def _row(way: WaySpec, kind: str) -> Floats:
    row = WAYS[way.kind].row
    if row is None:
        raise InputError(
            f"a {kind} takes values, linspace or logspace, not {way.kind}; give the design a kind "
            f"that draws points: random, latin_hypercube or sobol"
        )
    return row(way.numbers)


def _grid(rows: list[Floats]) -> Floats:
    """All combinations; the last name varies fastest."""
    count = math.prod(len(row) for row in rows)
    _check_size(count, len(rows))
    return np.stack(np.meshgrid(*rows, indexing="ij"), axis=-1).reshape(-1, len(rows))


def _list(rows: list[Floats]) -> Floats:
    if len({len(row) for row in rows}) != 1:
        counts = ", ".join(str(len(row)) for row in rows)
        raise InputError(f"a list takes as many values of each number; there are {counts}")
    return np.column_stack(rows)


def _check_size(count: int, names: int) -> None:
    if count * names > MOST:
        raise InputError(
            f"a study of {names} numbers with more than {MOST // names} points is too large; take "
            f"fewer points"
        )


def _cube(design: DesignSpec, count: int, names: int) -> Floats:
    """Points of the unit cube: (count, names)."""
    if design.kind == "random":
        return np.random.default_rng(design.seed).random((count, names))
    from scipy.stats import qmc

    kinds = {"sobol": qmc.Sobol, "latin_hypercube": qmc.LatinHypercube}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Sobol's best balance needs a power of two; any is sound
        made = kinds[design.kind](names, rng=np.random.default_rng(design.seed))
        return np.asarray(np.minimum(made.random(count), 1.0 - 2.0**-53))


def csv_points(path: Path) -> Points:
    """Points of a CSV file: a head of names, then a row of numbers for each point."""
    raw = read_bytes(path)
    if len(raw) > 8 * MOST:
        raise FileError(f"{path} is larger than a study may be")
    try:
        rows = [row for row in csv.reader(io.StringIO(raw.decode("utf-8-sig"))) if row]
    except (UnicodeDecodeError, csv.Error) as error:
        raise FileError(f"{path} is no CSV file: {error}") from None
    if len(rows) < 2:
        raise FileError(f"{path} has no points: give a head of names and a row for each point")
    names = tuple(name.strip() for name in rows[0])
    if "" in names or len(set(names)) != len(names):
        raise FileError(f"{path}: its head is {', '.join(names)}; each column needs its own name")
    out = np.zeros((len(rows) - 1, len(names)))
    for k, row in enumerate(rows[1:]):
        out[k] = _numbers(path, k + 2, names, row)
    return Points(names, out)


def _numbers(path: Path, line: int, names: tuple[str, ...], row: list[str]) -> list[float]:
    try:
        found = [float(x) for x in row]
    except ValueError:
        found = []
    if len(found) != len(names) or not np.all(np.isfinite(found)):
        raise FileError(
            f"{path}, row {line}: {','.join(row)[:60]!r} is not {len(names)} finite numbers"
        )
    return found
