"""NumPy files: .npy of one array, .npz of several. Nothing in them is run."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..limits import LARGEST
from .reading import checked_matrix, checked_size, refuse

if TYPE_CHECKING:
    from scipy.sparse import csr_array


def array(path: Path) -> np.ndarray:
    """The array of a .npy file."""
    size = checked_size(path)
    try:
        with path.open("rb") as file:
            version = np.lib.format.read_magic(file)
            read = {(1, 0): np.lib.format.read_array_header_1_0}.get(
                version, np.lib.format.read_array_header_2_0
            )
            shape, _, dtype = read(file, max_header_size=10_000)
        if dtype.hasobject or int(np.prod([int(n) for n in shape])) * dtype.itemsize > size:
            refuse(path, f"the file is cut short, or holds no numbers ({dtype}, shape {shape})")
        found: np.ndarray = np.load(path, allow_pickle=False)
        return found
    except refused_errors() as error:
        refuse(path, f"not a NumPy file: {_first(error)}")


def arrays(path: Path) -> dict[str, np.ndarray]:
    """All arrays of a .npz file."""
    checked_size(path)
    try:
        with zipfile.ZipFile(path) as archive:
            unpacked = sum(info.file_size for info in archive.infolist())
            if unpacked > LARGEST or len(archive.infolist()) > 1000:
                refuse(path, f"the file unpacks to {unpacked / 1e6:.4g} MB; that is too much")
        with np.load(path, allow_pickle=False, max_header_size=10_000) as data:
            return {name: data[name] for name in data.files}
    except refused_errors() as error:
        refuse(path, f"not a NumPy file: {_first(error)}")


def refused_errors() -> tuple[type[Exception], ...]:
    """What NumPy and zipfile raise on files that are not theirs."""
    import tokenize
    import zlib

    return (
        *(ValueError, OSError, EOFError, MemoryError, SyntaxError, TypeError, KeyError),
        *(tokenize.TokenError, RecursionError, UnicodeError),
        *(zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, OverflowError),
    )


def _first(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0][:120]


def matrix(path: Path) -> csr_array:
    """A matrix: a dense .npy, or a .npz with one array or as scipy.sparse.save_npz writes it."""
    if path.suffix.lower() == ".npy":
        return checked_matrix(path, array(path), "the matrix")
    found = arrays(path)
    if {"data", "indices", "indptr", "shape"} <= set(found):
        return sparse_of(path, found, "", "the matrix")
    if len(found) != 1:
        refuse(path, f"the file holds {', '.join(found) or 'nothing'}; it must hold one matrix")
    return checked_matrix(path, next(iter(found.values())), "the matrix")


def sparse_of(path: Path, found: dict[str, np.ndarray], prefix: str, name: str) -> csr_array:
    """A matrix kept by rows: data, indices, indptr[, shape]."""
    from scipy.sparse import csr_array

    data, indices, indptr = (np.asarray(found[prefix + k]) for k in ("data", "indices", "indptr"))
    n = len(indptr) - 1
    whole = all(x.dtype.kind in "iu" and x.ndim == 1 for x in (indices, indptr))
    good = whole and data.ndim == 1 and data.dtype.kind in "fiu" and n > 0
    good = good and len(data) == len(indices) == int(indptr[-1]) and int(indptr[0]) == 0
    good = good and bool((np.diff(indptr.astype(np.int64)) >= 0).all())
    good = good and (not len(indices) or (indices.min() >= 0 and indices.max() < n))
    if not good:
        refuse(path, f"{name} is not a square matrix kept by rows (data, indices, indptr)")
    return checked_matrix(
        path, csr_array((data.astype(float), indices, indptr), shape=(n, n)), name
    )
