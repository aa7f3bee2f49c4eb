"""Mass and stiffness of a meshed body, node by node, and whether they can be those of a body.

Rigid motions of the nodes, u = e and u = e x X with rotations e, must strain nothing; with them
the mass matrix gives mass, centre and inertia.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from ..errors import Fault, ModelError
from ..lazy import cached_property
from ..types import Floats

if TYPE_CHECKING:
    from scipy.sparse import csr_array

FREE = 1e-4  # strain energy of rigid motions, relative to that of single nodes


@dataclass(frozen=True, eq=False)
class MeshMatrices:
    """M and K (n, n); row r is the motion of node `node[r]` (an index of X) along x, y, z or about
    them (`way[r]`: 0 to 5). `sets` are named lists of node numbers; `stiffening` holds geometric
    stiffness matrices by load."""

    source: str
    M: csr_array
    K: csr_array
    ids: np.ndarray  # (N,) numbers of the nodes
    X: Floats  # (N, 3)
    node: np.ndarray  # (n,)
    way: np.ndarray  # (n,)
    sets: Mapping[str, np.ndarray] = field(default_factory=dict)
    stiffening: Mapping[str, csr_array] = field(default_factory=dict)

    def stop(self, message: str, help: str = "") -> NoReturn:
        raise ModelError([Fault(message, help=help)], self.source)

    @property
    def turns(self) -> bool:
        """Whether nodes have rotations."""
        return bool((self.way > 2).any())

    @cached_property
    def rigid(self) -> Floats:
        """(n, 6): unit translations, then unit rotations about the origin."""
        out = np.zeros((len(self.node), 6))
        X = self.X[self.node]
        for axis in range(3):
            out[self.way == axis, axis] = 1.0
            out[self.way == axis + 3, axis + 3] = 1.0
        for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):  # e_i x X = X_j e_k - X_k e_j
            out[self.way == k, 3 + i] = X[self.way == k, j]
            out[self.way == j, 3 + i] = -X[self.way == j, k]
        return out

    def rows(self, at: np.ndarray) -> np.ndarray:
        """(len(at), 6): the row of each node's motions, -1 where it has none."""
        table = np.full((len(self.X), 6), -1)
        table[self.node, self.way] = np.arange(len(self.node))
        return np.asarray(table[at])

    def places(self, nodes: int | Sequence[int] | str, what: str) -> np.ndarray:
        """Indices of X for a node's number, a list of them, or the name of a set."""
        if isinstance(nodes, str):
            if nodes not in self.sets:
                known = ", ".join(sorted(self.sets)) or "none"
                self.stop(f"{what}: there is no node set {nodes!r}", f"sets are: {known}")
            wanted = np.asarray(self.sets[nodes])
        else:
            wanted = np.atleast_1d(np.asarray(nodes))
        order = np.argsort(self.ids)
        at = np.searchsorted(self.ids, wanted, sorter=order)
        known = (at < len(order)) & (self.ids[order[np.minimum(at, len(order) - 1)]] == wanted)
        if not known.all() or not len(wanted):
            missing = ", ".join(str(n) for n in wanted[~known][:5]) or "nothing"
            span = f"{self.ids.min()} to {self.ids.max()}"
            self.stop(f"{what}: there is no node {missing}", f"nodes are numbered {span}")
        return np.unique(order[at])


@dataclass(frozen=True)
class BodyTotals:
    """What the matrices say of the whole body: moments about the origin, and checks by name."""

    mass: float
    c0: Floats
    W0: Floats
    checks: tuple[tuple[str, float], ...]


def body_totals(mesh: MeshMatrices) -> BodyTotals:
    """Mass, centre and inertia; ModelError with the numbers where they cannot be a body's."""
    of_M, of_K = _asymmetries(mesh)
    _check_diagonals(mesh)
    strain = _strain_of_rigid_motions(mesh)
    G = mesh.rigid.T @ (mesh.M @ mesh.rigid)
    mass, spread = _mass(mesh, np.diag(G)[:3])
    H = G[:3, 3:]  # int e_i . (e_j x X): its axial vector is mass times centre
    c0 = 0.5 * np.array([H[1, 2] - H[2, 1], H[2, 0] - H[0, 2], H[0, 1] - H[1, 0]])
    inertia = G[3:, 3:]
    W0 = 0.5 * np.trace(inertia) * np.eye(3) - inertia
    checks = (
        ("asymmetry of M", of_M),
        ("asymmetry of K", of_K),
        ("strain of rigid motions", strain),
        ("mass along x, y, z apart", spread),
    )
    return BodyTotals(mass, c0, W0, checks)


def _asymmetries(mesh: MeshMatrices) -> tuple[float, float]:
    """How far the halves of M and of K differ, relative to the largest entry."""
    M, K = mesh.M, mesh.K
    halves = [abs(A - A.T).max() / max(abs(A).max(), 1e-300) for A in (M, K)]
    for name, half in zip(("mass", "stiffness"), halves, strict=True):
        if half > 1e-6:
            mesh.stop(
                f"the {name} matrix is not symmetric: its halves differ by {half:.2g} of its size"
            )
    return float(halves[0]), float(halves[1])


def _check_diagonals(mesh: MeshMatrices) -> None:
    for name, A in (("mass", mesh.M), ("stiffness", mesh.K)):
        low = float(A.diagonal().min())
        if low < 0.0:
            row = int(np.argmin(A.diagonal()))
            number = mesh.ids[mesh.node[row]]
            mesh.stop(
                f"the {name} matrix has {low:.6g} on its diagonal, at node {number}, freedom "
                f"{mesh.way[row] + 1}: it is not positive definite"
            )


def _strain_of_rigid_motions(mesh: MeshMatrices) -> float:
    """The largest energy r^T K r, relative to what moving every node alone would take."""
    K, R = mesh.K, mesh.rigid
    energy = np.einsum("ij,ij->j", R, K @ R)
    alone = np.einsum("ij,i,ij->j", R, K.diagonal(), R)
    strains = np.abs(energy) / np.maximum(alone, 1e-300)
    strain = float(strains.max())
    if strain > FREE:
        worst = ("x", "y", "z", "about x", "about y", "about z")[int(np.argmax(strains))]
        mesh.stop(
            f"a rigid motion ({worst}) strains the body: {strain:.2g} of what moving every node "
            f"alone would take, where rounding is 1e-12",
            "export the free body: no supports, no springs to ground; and check the coordinates",
        )
    return strain


def _mass(mesh: MeshMatrices, masses: Floats) -> tuple[float, float]:
    """The mass, and how far those along x, y and z are apart."""
    mass = float(masses.mean())
    spread = float(np.ptp(masses) / max(mass, 1e-300))
    if not mass > 0.0 or spread > 1e-3:
        mesh.stop(
            f"the mass is {masses[0]:.6g} along x, {masses[1]:.6g} along y, {masses[2]:.6g} along "
            f"z; it must be one number above 0",
            "all nodes need translations along x, y and z; are rows of some freedoms left out?",
        )
    return mass, spread
