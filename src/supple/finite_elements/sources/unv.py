"""Universal files (.unv, .uff) by pyuff, an extra: nodes (datasets 15 and 2411) and groups."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ...errors import let_signals_through
from .reading import Nodes, checked_size, refuse


def nodes(path: Path) -> Nodes:
    checked_size(path)
    try:
        import pyuff
    except ImportError:
        refuse(path, "universal files need pyuff", "pip install 'supple[fe]'")
    try:
        file = pyuff.UFF(str(path))
        kinds = [int(k) for k in file.get_set_types()]
        wanted = [i for i, kind in enumerate(kinds) if kind in (15, 2411)]
        found = [file.read_sets(i) for i in wanted]
    except Exception as error:  # pyuff has no errors of its own
        let_signals_through(error)
        reason = (str(error) or type(error).__name__).splitlines()[0]
        refuse(path, f"not a universal file: {reason[:120]}")
    if not found:
        refuse(path, f"the file has no nodes (dataset 15 or 2411); it has {kinds or 'none'}")
    try:
        ids = np.concatenate(
            [np.asarray(x["node_nums" if "node_nums" in x else "grid_global"]) for x in found]
        )
        X = np.concatenate([np.array([x["x"], x["y"], x["z"]], dtype=float).T for x in found])
    except (KeyError, ValueError, TypeError):
        refuse(path, "the nodes of the file cannot be read")
    return ids.astype(int), X, {}
