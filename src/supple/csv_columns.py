"""Tables of numbers in CSV files: the first column is the time, the others are named by joints."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .checks import file_name
from .errors import FileError, did_you_mean
from .types import Floats


def read_columns(
    path: str | Path, names: Sequence[str] | None = None
) -> tuple[Floats, dict[str, Floats]]:
    """A CSV file: first column t, then columns named by some of `names` (None: by anything)."""
    file_name(path, "read")
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            reader = csv.reader(file)
            lines = [(reader.line_num, row) for row in reader if any(c.strip() for c in row)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or "it is not a text table"
        raise FileError(f"cannot read {path}: {reason}") from None
    if len(lines) < 3:
        raise FileError(f"{path}: a table has a header (t, joint names) and at least two rows")
    header = _header(f"{path}:{lines[0][0]}", lines[0][1], names)
    data = np.array([_numbers(f"{path}:{line}", row, header) for line, row in lines[1:]])
    for k in np.flatnonzero(np.diff(data[:, 0]) <= 0.0)[:1]:
        raise FileError(
            f"{path}:{lines[k + 2][0]}: times must rise, got {data[k + 1, 0]:g} after "
            f"{data[k, 0]:g}"
        )
    return data[:, 0], {name: data[:, k] for k, name in enumerate(header) if k}


def _header(where: str, row: list[str], names: Sequence[str] | None) -> list[str]:
    header = [cell.strip() for cell in row]
    if header[0] not in ("t", "time"):
        raise FileError(f"{where}: the first column must be named t, got {header[0]!r}")
    if len(header) < 2:
        known = "" if names is None else f"; joints are: {', '.join(names)}"
        raise FileError(f"{where}: no joint has a column{known}")
    for k, name in enumerate(header[1:], start=1):
        if names is not None and name not in names:
            hint = did_you_mean(name, names)
            raise FileError(
                f"{where}: no joint named {name!r}; joints are: {', '.join(names)}."
                + (f" D{hint[1:]}" if hint else "")
            )
        if name in header[:k]:
            raise FileError(f"{where}: two columns are named {name!r}")
    return header


def _numbers(where: str, row: list[str], header: list[str]) -> list[float]:
    if len(row) != len(header):
        raise FileError(f"{where}: {len(row)} cells, the header has {len(header)}")
    out = []
    for name, cell in zip(header, row, strict=True):
        try:
            out.append(float(cell))
        except ValueError:
            raise FileError(f"{where}: {name} is {cell.strip()!r}, not a number") from None
        if not np.isfinite(out[-1]):
            raise FileError(f"{where}: {name} is {cell.strip()}; numbers must be finite")
    return out
