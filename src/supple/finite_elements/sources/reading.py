"""Files read with their size known before, and what is wrong with them told in one way."""

from __future__ import annotations

import math
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TypeAlias

import numpy as np
import numpy.typing as npt

from ...errors import Fault, ModelError, brief, printable
from ...types import Floats
from ..limits import LARGEST, LARGEST_TEXT, MOST_ENTRIES, MOST_FREEDOMS

if TYPE_CHECKING:
    from scipy.sparse import csr_array, sparray, spmatrix

Nodes: TypeAlias = tuple[np.ndarray, Floats, dict[str, np.ndarray]]
"""Numbers (N,), places (N, 3), node sets by name."""


def refuse(path: Path, message: str, help: str = "", line: int | None = None) -> NoReturn:
    raise ModelError([Fault(printable(message), (), line, help=help)], printable(str(path)))


def checked_size(path: Path, most: int = LARGEST) -> int:
    """Bytes of a plain file, neither empty nor too large."""
    try:
        found = path.stat()
    except (OSError, ValueError) as error:
        refuse(path, f"cannot read the file: {getattr(error, 'strerror', None) or error}")
    if not stat.S_ISREG(found.st_mode):
        refuse(path, "this is not a plain file")
    if not 0 < found.st_size <= most:
        size = f"{found.st_size / 1e6:.3g} MB"
        refuse(path, f"the file has {size}; it must have something, and {most / 1e6:g} MB at most")
    return found.st_size


def text_of(path: Path) -> str:
    """A text file of bounded size."""
    checked_size(path, LARGEST_TEXT)
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        refuse(path, f"the file is not text (byte {error.start} is not UTF-8)")
    except OSError as error:
        refuse(path, f"cannot read the file: {error.strerror}")


def lines_of(path: Path) -> Iterator[tuple[int, str]]:
    """Lines with their numbers from 1, blank ones left out."""
    for n, line in enumerate(text_of(path).splitlines(), 1):
        if line.strip():
            yield n, line.strip()


def floats(path: Path, line: int, words: Iterable[str]) -> list[float]:
    out = []
    for word in words:
        try:
            value = float(word.strip().replace("D", "E").replace("d", "e"))
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            refuse(path, f"input should be a finite number, got {brief(word.strip())}", line=line)
        out.append(value)
    return out


def whole(path: Path, line: int, word: str, what: str) -> int:
    text = word.strip()
    if not (text.isascii() and text.isdigit() and 0 < len(text) < 10):
        refuse(path, f"{what} should be a whole number, got {brief(text)}", line=line)
    return int(text)


def checked_matrix(path: Path, A: np.ndarray | sparray | spmatrix, name: str) -> csr_array:
    """A square matrix of finite numbers as a sparse one."""
    from scipy.sparse import coo_array, csr_array, issparse

    if not issparse(A):
        A = np.asarray(A)
        if A.ndim != 2 or A.dtype.kind not in "fiu":
            refuse(
                path, f"{name} is an array of {A.dtype} with shape {A.shape}; it must be a matrix"
            )
    if A.shape[0] != A.shape[1] or not 0 < A.shape[0] <= MOST_FREEDOMS:
        refuse(
            path,
            f"{name} is {A.shape[0]} x {A.shape[1]}; it must be square, with {MOST_FREEDOMS} rows "
            f"at most",
        )
    out = csr_array(coo_array(A), dtype=float)
    if out.nnz > MOST_ENTRIES:
        refuse(path, f"{name} has {out.nnz} entries; {MOST_ENTRIES} are the most")
    if not np.isfinite(out.data).all():
        refuse(path, f"{name} holds numbers that are not finite")
    return out


def from_entries(
    path: Path,
    size: int,
    rows: npt.ArrayLike,
    columns: npt.ArrayLike,
    values: npt.ArrayLike,
    name: str,
) -> csr_array:
    """A symmetric matrix of which one half, or both, are listed."""
    from scipy.sparse import coo_array

    rows, columns, values = np.asarray(rows), np.asarray(columns), np.asarray(values, dtype=float)
    both = np.any(rows < columns) and np.any(rows > columns)
    if not both:
        off = rows != columns
        rows, columns = np.concatenate([rows, columns[off]]), np.concatenate([columns, rows[off]])
        values = np.concatenate([values, values[off]])
    return checked_matrix(path, coo_array((values, (rows, columns)), shape=(size, size)), name)
