"""Matrix Market files (.mtx). Read here: SciPy's reader dies of some malformed ones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...types import Floats
from ..limits import LARGEST, MOST_ENTRIES, MOST_FREEDOMS
from .reading import checked_matrix, checked_size, floats, refuse

if TYPE_CHECKING:
    from scipy.sparse import coo_array, csr_array

KINDS = ("general", "symmetric")


def matrix(path: Path) -> csr_array:
    """A real matrix, by its entries (coordinate) or column by column (array)."""
    size = checked_size(path, LARGEST)
    with path.open("rb") as file:
        head = file.readline(400).decode("latin-1").lower().split()
        _check_head(path, head)
        number, line = 2, file.readline(100_000)
        while line and (line.startswith(b"%") or not line.strip()):
            number, line = number + 1, file.readline(100_000)
        dense, symmetric = head[2] == "array", head[4] == "symmetric"
        sizes = _sizes(path, line, number, dense, size)
        rows, columns, *_ = sizes
        entries = _entries(sizes, dense, symmetric)
        if max(rows, columns) > MOST_FREEDOMS or entries > min(MOST_ENTRIES, size):
            refuse(
                path,
                f"the file announces {rows} x {columns} with {entries} entries in {size} bytes; "
                f"that cannot be, or is too much",
                line=number,
            )
        body = file.read()
    wide = 1 if dense else 3
    values = _numbers(path, body, number)
    if len(values) != wide * entries:
        refuse(
            path,
            f"the file announces {entries} entries, and has {len(values) / wide:g}",
            line=number,
        )
    made = _dense if dense else _sparse
    return checked_matrix(path, made(path, values, (rows, columns), symmetric), "the matrix")


def _check_head(path: Path, head: list[str]) -> None:
    if head[:2] != ["%%matrixmarket", "matrix"] or len(head) != 5:
        refuse(
            path,
            "the first line does not begin with %%MatrixMarket matrix and three words more",
            line=1,
        )
    forms = (("coordinate", "array"), ("real", "integer", "double"), KINDS)
    for word, allowed in zip(head[2:], forms, strict=True):
        if word not in allowed:
            refuse(path, f"{word[:30]!r} cannot be read here; {', '.join(allowed)} can", line=1)


def _sizes(path: Path, line: bytes, number: int, dense: bool, size: int) -> list[int]:
    words = line.decode("latin-1").split()
    whole = all(w.isascii() and w.isdigit() and len(w) < 12 for w in words)
    if len(words) != (2 if dense else 3) or not whole:
        refuse(path, "the line of sizes holds whole numbers: rows, columns[, entries]", line=number)
    return [int(w) for w in words]


def _entries(sizes: list[int], dense: bool, symmetric: bool) -> int:
    if not dense:
        return sizes[2]
    return sizes[0] * (sizes[0] + 1) // 2 if symmetric else sizes[0] * sizes[1]


def _numbers(path: Path, body: bytes, number: int) -> Floats:
    try:
        return np.array(body.split(), dtype=float)
    except ValueError:
        for n, line in enumerate(body.decode("latin-1").splitlines(), number + 1):
            floats(path, n, line.split())
        refuse(path, "the entries are not all numbers")


def _sparse(path: Path, values: Floats, size: tuple[int, int], symmetric: bool) -> coo_array:
    from scipy.sparse import coo_array

    table = values.reshape(-1, 3)
    at = table[:, :2]
    if not (np.isfinite(at).all() and (at == np.floor(at)).all()):
        refuse(path, "rows and columns of entries must be whole numbers")
    if len(at) and not ((at >= 1).all() and (at <= size).all()):
        refuse(path, f"rows and columns of entries must be within 1 to {size[0]} and {size[1]}")
    i, j = at.astype(int).T - 1
    value = table[:, 2]
    if symmetric:
        off = i != j
        i, j = np.concatenate([i, j[off]]), np.concatenate([j, i[off]])
        value = np.concatenate([value, value[off]])
    return coo_array((value, (i, j)), shape=size)


def _dense(path: Path, values: Floats, size: tuple[int, int], symmetric: bool) -> Floats:
    if not symmetric:
        return values.reshape(size, order="F")
    out = np.zeros((size[0], size[0]))
    j, i = np.triu_indices(size[0])  # the lower half, column by column
    out[i, j] = out[j, i] = values
    return out
