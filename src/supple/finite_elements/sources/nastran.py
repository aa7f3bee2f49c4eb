"""Nastran by pyNastran, an extra: matrices of .op4, nodes of .bdf."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...errors import let_signals_through
from .reading import Nodes, checked_matrix, checked_size, refuse

if TYPE_CHECKING:
    from scipy.sparse import csr_array


def _need(path: Path) -> None:
    checked_size(path)
    try:
        import pyNastran  # noqa: F401
    except ImportError:
        refuse(path, "Nastran files need pyNastran", "pip install 'supple[fe]'")


def matrix(path: Path) -> csr_array:
    """The one matrix of an .op4 file."""
    _need(path)
    from pyNastran.op4.op4 import read_op4

    try:
        found = read_op4(str(path), debug=False)
        entries = {k: v[1] if isinstance(v, tuple) else v.data for k, v in found.items()}
    except Exception as error:  # of any kind, from inside
        let_signals_through(error)
        refuse(path, f"not an OP4 file: {str(error).splitlines()[0][:120] if str(error) else '?'}")
    if len(entries) != 1:
        refuse(path, f"the file holds {', '.join(entries) or 'nothing'}; it must hold one matrix")
    (name,) = entries
    return checked_matrix(path, entries[name], name)


def nodes(path: Path) -> Nodes:
    """Grid points in the basic coordinate system."""
    _need(path)
    try:
        from pyNastran.bdf.bdf import read_bdf

        model = read_bdf(str(path), xref=True, punch=None, debug=None)
        ids = np.array(sorted(model.nodes))
        X = np.array([model.nodes[i].get_position() for i in ids])
    except Exception as error:
        let_signals_through(error)
        refuse(
            path, f"no nodes can be read: {str(error).splitlines()[0][:120] if str(error) else '?'}"
        )
    return ids, X.reshape(-1, 3), {}
