"""Which ending is read by which module, and the mesh that the files make together."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from ..mesh import MeshMatrices
from . import calculix, matrix_market, nastran, numpy_files, tables, unv
from .reading import Nodes, checked_matrix, refuse

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Read = TypeVar("Read")

PARTS = "_(data|indices|indptr|shape|format)$"  # of a sparse matrix
KNOWN = rf"nodes|ids|freedoms|set_.+|(M|K|Kg_.+?)({PARTS})?"

MATRICES: dict[str, Callable[[Path], csr_array]] = {
    ".npy": numpy_files.matrix,
    ".npz": numpy_files.matrix,
    ".mtx": matrix_market.matrix,
    ".sti": calculix.matrix,
    ".mas": calculix.matrix,
    ".op4": nastran.matrix,
}


def _array_nodes(path: Path) -> Nodes:
    """(N, 3) numbered from 1, or (N, 4) with the numbers first."""
    found = numpy_files.array(path)
    if found.ndim != 2 or found.shape[1] not in (3, 4) or found.dtype.kind not in "fiu":
        refuse(path, f"nodes are an array of shape {found.shape}; it must be (N, 3) or (N, 4)")
    if found.shape[1] == 3:
        return np.arange(1, len(found) + 1), found.astype(float), {}
    return found[:, 0], found[:, 1:].astype(float), {}


NODES: dict[str, Callable[[Path], Nodes]] = {
    ".npy": _array_nodes,
    ".txt": tables.nodes,
    ".csv": tables.nodes,
    ".inp": calculix.nodes,
    ".unv": unv.nodes,
    ".uff": unv.nodes,
    ".bdf": nastran.nodes,
}


@dataclass(frozen=True)
class MeshFiles:
    """The files of a mesh. `file` alone: a .npz that holds all, or CalculiX's .sti with .mas, .dof
    and .inp of the same name beside it."""

    file: Path
    mass: Path | None = None
    nodes: Path | None = None
    freedoms: Path | None = None
    stiffening: Mapping[str, Path] = field(default_factory=dict)
    length: float = 1.0  # of the files' unit, in metres
    weight: float = 1.0  # of their unit of mass, in kilograms


def read_mesh(files: MeshFiles) -> MeshMatrices:
    """All files together, checked for what can be told without mechanics; in SI units."""
    if files.file.suffix.lower() == ".npz" and files.mass is None:
        return _scaled(_whole_npz(files), files)
    beside = files.file.suffix.lower() == ".sti"
    mass = files.mass or (files.file.with_suffix(".mas") if beside else None)
    nodes = files.nodes or (files.file.with_suffix(".inp") if beside else None)
    ways = files.freedoms or (files.file.with_suffix(".dof") if beside else None)
    if mass is None or nodes is None:
        missing = "mass" if mass is None else "nodes"
        refuse(
            files.file,
            f"the stiffness matrix comes without {missing}",
            f"give {missing}: FILE beside file",
        )
    K, M = (_by_ending(MATRICES, x, "matrices")(x) for x in (files.file, mass))
    ids, X, sets = _by_ending(NODES, nodes, "nodes")(nodes)
    rows = None if ways is None else _freedoms(ways)
    extra = {k: _by_ending(MATRICES, x, "matrices")(x) for k, x in files.stiffening.items()}
    return _scaled(_mesh(files.file, M, K, (ids, X, sets), rows, extra), files)


def _by_ending(
    table: Mapping[str, Callable[[Path], Read]], path: Path, what: str
) -> Callable[[Path], Read]:
    read = table.get(path.suffix.lower())
    if read is None:
        refuse(path, f"{what} cannot be read from {path.suffix or 'a file without ending'}",
               f"endings are: {', '.join(table)}")  # fmt: skip
    return read


def _freedoms(path: Path) -> np.ndarray:
    return numpy_files.array(path) if path.suffix.lower() == ".npy" else calculix.freedoms(path)


def _whole_npz(files: MeshFiles) -> MeshMatrices:
    """M, K (dense, or M_data, M_indices, M_indptr), nodes, and where there are: ids, freedoms,
    set_NAME, Kg_LOAD."""
    path, found = files.file, numpy_files.arrays(files.file)
    strange = [k for k in found if not re.fullmatch(KNOWN, k)]
    if strange:
        names = "nodes, ids, freedoms, M, K, set_NAME and Kg_LOAD"
        refuse(path, f"the file holds {', '.join(strange)}, not known here", f"names are {names}")
    for key in ("nodes", "freedoms"):
        if getattr(files, key) is not None:
            refuse(path, f"{key} are given, but the file holds all", f"leave {key} out")

    def matrix(name: str) -> csr_array:
        if name in found:
            return checked_matrix(path, found[name], name)
        if f"{name}_indptr" in found:
            return numpy_files.sparse_of(path, found, f"{name}_", name)
        refuse(path, f"the file holds no {name}", f"it holds: {', '.join(found) or 'nothing'}")

    if "nodes" not in found:
        refuse(path, "the file holds no nodes", f"it holds: {', '.join(found) or 'nothing'}")
    X = np.asarray(found["nodes"])
    if X.ndim != 2 or X.shape[1] != 3 or X.dtype.kind not in "fiu":
        refuse(path, f"nodes are an array of shape {X.shape}; it must be (N, 3)")
    ids = found.get("ids", np.arange(1, len(X) + 1))
    sets = {k.removeprefix("set_"): v for k, v in found.items() if k.startswith("set_")}
    loads = {re.sub(PARTS, "", k).removeprefix("Kg_") for k in found if k.startswith("Kg_")}
    extra = {k: matrix(f"Kg_{k}") for k in loads}
    extra |= {k: _by_ending(MATRICES, x, "matrices")(x) for k, x in files.stiffening.items()}
    nodes = (ids, X.astype(float), sets)
    return _mesh(path, matrix("M"), matrix("K"), nodes, found.get("freedoms"), extra)


def _mesh(
    path: Path,
    M: csr_array,
    K: csr_array,
    nodes: Nodes,
    rows: np.ndarray | None,
    stiffening: dict[str, csr_array],
) -> MeshMatrices:
    ids, X, sets = (np.asarray(nodes[0]), nodes[1], nodes[2])
    if ids.shape != (len(X),) or ids.dtype.kind not in "iuf" or not len(X):
        refuse(path, f"there are {len(X)} nodes with {ids.size} numbers")
    if not np.isfinite(X).all() or not np.isfinite(ids.astype(float)).all():
        refuse(path, "the nodes' places or numbers are not finite")
    if len(np.unique(ids)) < len(ids):
        refuse(path, "two nodes have the same number")
    n, count = M.shape[0], len(X)
    if K.shape != M.shape:
        refuse(path, f"the stiffness matrix has {K.shape[0]} rows and the mass matrix {n}")
    for name, A in stiffening.items():
        if A.shape != M.shape:
            refuse(path, f"the stiffness matrix of {name} has {A.shape[0]} rows, the others {n}")
    for name, members in sets.items():
        if np.ndim(members) != 1 or np.asarray(members).dtype.kind not in "iu":
            refuse(path, f"the node set {name} is not a list of node numbers")
    if rows is None:
        if n not in (3 * count, 6 * count):
            refuse(
                path,
                f"{n} rows do not fit {count} nodes of 3 or 6 freedoms",
                "give freedoms: a node number and 1 to 6 for each row",
            )
        node, way = np.divmod(np.arange(n), n // count)
    else:
        node, way = _told_rows(path, np.asarray(rows), n, ids)
    return MeshMatrices(str(path), M, K, ids.astype(int), X, node, way, sets, stiffening)


def _told_rows(
    path: Path, rows: np.ndarray, n: int, ids: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    if rows.shape != (n, 2) or rows.dtype.kind not in "iu":
        refuse(
            path, f"freedoms have shape {rows.shape}; they must be whole numbers of shape ({n}, 2)"
        )
    order = np.argsort(ids)
    at = np.minimum(np.searchsorted(ids, rows[:, 0], sorter=order), len(ids) - 1)
    node = order[at]
    unknown = ids[node] != rows[:, 0]
    if unknown.any():
        refuse(path, f"freedoms name node {rows[unknown][0, 0]}, which has no place")
    way = rows[:, 1].astype(int) - 1
    if way.min() < 0 or way.max() > 5 or len(np.unique(6 * node + way)) < n:
        refuse(path, "freedoms must be 1 to 6, each of a node once")
    return node, way


def _scaled(mesh: MeshMatrices, files: MeshFiles) -> MeshMatrices:
    """In SI: rotations have no unit of length, translations have."""
    if files.length == files.weight == 1.0:
        return mesh
    from dataclasses import replace

    from scipy.sparse import diags_array

    size = diags_array(np.where(mesh.way > 2, files.length, 1.0))

    def scaled(A: csr_array) -> csr_array:
        return (files.weight * (size @ A @ size)).tocsr()

    def of_unit(load: str) -> float:
        """One SI unit of a load, in the files' units."""
        kind, force = load.rpartition(".")[2][0], files.weight * files.length
        return {"a": files.length, "f": force, "n": force * files.length}.get(kind, 1.0)

    extra = {k: scaled(A) * (1.0 / of_unit(k)) for k, A in mesh.stiffening.items()}
    return replace(
        mesh, M=scaled(mesh.M), K=scaled(mesh.K), X=files.length * mesh.X, stiffening=extra
    )
