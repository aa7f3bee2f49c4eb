"""CalculiX: matrices of *FREQUENCY, SOLVER=MATRIXSTORAGE.

NAME.sti and NAME.mas list row, column and value of one half; NAME.dof says which freedom each row
is, as NODE.WAY; nodes and node sets are in NAME.inp (*NODE, *NSET).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..limits import MOST_FREEDOMS, MOST_NODES
from .reading import Nodes, floats, from_entries, lines_of, refuse, whole

if TYPE_CHECKING:
    from scipy.sparse import csr_array


def matrix(path: Path) -> csr_array:
    """Rows of `row column value`."""
    rows, columns, values = [], [], []
    for n, line in lines_of(path):
        words = line.replace(",", " ").split()
        if len(words) != 3:
            refuse(path, f"a line holds row, column and value, got {line[:60]!r}", line=n)
        i, j = (whole(path, n, w, "a row or column") for w in words[:2])
        if not (0 < i <= MOST_FREEDOMS and 0 < j <= MOST_FREEDOMS):
            refuse(path, f"rows and columns are 1 to {MOST_FREEDOMS}, got {i} and {j}", line=n)
        rows.append(i - 1)
        columns.append(j - 1)
        values += floats(path, n, words[2:])
    if not rows:
        refuse(path, "the file holds no entries")
    return from_entries(path, max(*rows, *columns) + 1, rows, columns, values, "the matrix")


def freedoms(path: Path) -> np.ndarray:
    """(n, 2): node number and way (1 to 6) of each row; lines NODE.WAY, or NODE WAY."""
    out = []
    for n, line in lines_of(path):
        words = line.replace(".", " ").replace(",", " ").split()
        if len(words) != 2:
            refuse(path, f"a line holds NODE.WAY, e.g. 12.3, got {line[:60]!r}", line=n)
        node, way = (whole(path, n, w, "a node or way") for w in words)
        if not 1 <= way <= 6:
            refuse(path, f"a freedom is 1 to 6 (x, y, z, about x, y, z), got {way}", line=n)
        out.append((node, way))
    if not out:
        refuse(path, "the file holds no freedoms")
    return np.array(out)


def nodes(path: Path) -> Nodes:
    """Numbers, places and sets of an input deck."""
    ids: list[int] = []
    X: list[list[float]] = []
    sets: dict[str, list[int]] = {}
    mode, name, generate = "", "", False
    for n, line in lines_of(path):
        if line.startswith("**"):
            continue
        if line.startswith("*"):
            words = [w.strip() for w in line.split(",")]
            pairs = [w.partition("=") for w in words[1:]]
            options = {key.strip().upper(): value.strip() for key, _, value in pairs}
            mode = words[0].upper()
            name, generate = options.get("NSET", ""), "GENERATE" in options
            continue
        words = [w for w in line.split(",") if w.strip()]
        if mode == "*NODE":
            if len(words) < 4 or len(ids) >= MOST_NODES:
                refuse(path, f"a node is NUMBER, x, y, z, got {line[:60]!r}", line=n)
            ids.append(whole(path, n, words[0], "a node"))
            X.append(floats(path, n, words[1:4]))
            if name:
                sets.setdefault(name, []).append(ids[-1])
        elif mode == "*NSET" and name:
            found: list[int] = []  # numbers, and names of sets before
            for w in map(str.strip, words):
                found += sets[w] if w in sets else [whole(path, n, w, "a node, or a set before")]
            members = _generated(path, n, line, found) if generate else found
            sets.setdefault(name, []).extend(members)
    return np.array(ids), np.array(X).reshape(-1, 3), {k: np.array(v) for k, v in sets.items()}


def _generated(path: Path, n: int, line: str, ends: list[int]) -> list[int]:
    """The numbers of FIRST, LAST[, STEP]."""
    first, last, step = (*ends, 1)[:3] if len(ends) >= 2 else (1, 0, 0)
    if step < 1 or not 0 <= (last - first) // step <= MOST_NODES:
        refuse(path, f"a set is FIRST, LAST, STEP, got {line[:60]!r}", line=n)
    return list(range(first, last + 1, step))
