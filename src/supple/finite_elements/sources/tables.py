"""Nodes as a table of text: NUMBER x y z on each line, by blanks or commas; # begins a remark."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..limits import MOST_NODES
from .reading import Nodes, floats, lines_of, refuse, whole


def nodes(path: Path) -> Nodes:
    ids: list[int] = []
    X: list[list[float]] = []
    for n, line in lines_of(path):
        words = line.partition("#")[0].replace(",", " ").split()
        if not words:
            continue
        if len(words) != 4 or len(ids) >= MOST_NODES:
            refuse(path, f"a node is NUMBER x y z, got {line[:60]!r}", line=n)
        ids.append(whole(path, n, words[0], "a node"))
        X.append(floats(path, n, words[1:]))
    return np.array(ids), np.array(X).reshape(-1, 3), {}
