"""The points of a study: all numbers that vary, a row for each point.

A point's numbers depend on the study's words alone, not on who computes it or when.
"""

from __future__ import annotations

import csv
import io
import math
import warnings
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from ..errors import FileError, InputError
from ..files import read_bytes
from ..types import Floats
from ..worker_process import Points
from .spec import DesignSpec, WaySpec
from .variation_kinds import WAYS

MOST = 100_000_000  # numbers: 0.8 GB


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
