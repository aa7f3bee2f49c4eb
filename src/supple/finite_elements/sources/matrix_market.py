"""Matrix Market files (.mtx)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..limits import MOST_ENTRIES, MOST_FREEDOMS
from .reading import checked_matrix, checked_size, refuse


def matrix(path: Path) -> Any:
    size = checked_size(path)
    _check_head(path, size)
    from scipy.io import mmread

    try:
        found = mmread(path)
    except (ValueError, OSError, OverflowError, MemoryError, IndexError, TypeError) as error:
        reason = (str(error) or type(error).__name__).splitlines()[0]
        refuse(path, f"not a Matrix Market file: {reason[:120]}")
    return checked_matrix(path, found, "the matrix")


def _check_head(path: Path, size: int) -> None:
    """The sizes that the file announces must fit into it, before anything is made for them."""
    with path.open("rb") as file:
        words = file.readline(400).decode("latin-1").lower().split()
        if words[:2] != ["%%matrixmarket", "matrix"]:
            refuse(path, "the first line does not begin with %%MatrixMarket matrix", line=1)
        if "complex" in words or "pattern" in words:
            refuse(path, "the matrix has no real numbers", line=1)
        number = 1
        line = b"%"
        while line.startswith(b"%") or (line and not line.strip()):
            line, number = file.readline(100_000), number + 1
    text = line.decode("latin-1").split()
    dense = "array" in words
    if len(text) != (2 if dense else 3) or not all(t.isdigit() and len(t) < 12 for t in text):
        refuse(path, "the line of sizes must hold whole numbers: rows, columns[, entries]", line=number)
    sizes = [int(t) for t in text]
    entries = sizes[0] * sizes[1] // (1 if "general" in words else 2) if dense else sizes[2]
    if max(sizes[:2]) > MOST_FREEDOMS or entries > MOST_ENTRIES or entries > size:
        refuse(
            path,
            f"the file announces {' x '.join(map(str, sizes[:2]))} with {entries} entries in "
            f"{size} bytes; that cannot be, or is too much",
            line=number,
        )
