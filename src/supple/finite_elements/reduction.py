"""Reduction of a meshed body to few shapes, all clamped at its root.

The root's nodes are held. An interface is a node, or the average of a node set: its motion is
that which fits the nodes' motions best (weights alike), b = C u with

    b = G^+ sum_n [1; (X_n - x)~] u_n,   G = sum_n A_n^T A_n,   u_n = A_n b,

so that a load on it is spread over the set and stiffens nothing. Shapes:

    static   K u + C^T l = 0, C u = e_i: one for each motion of each interface (Guyan)
    normal   K u + C^T l = w^2 M u, C u = 0: interfaces held (Craig and Bampton)

`normal` alone leaves interfaces free. Last, all are combined so that M and K are diagonal, the
lowest first, and as many are kept as are wanted.
Reference: [CraigBampton].
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..screws import skew
from ..types import Floats
from .limits import MOST_SHAPES
from .mesh import MeshMatrices

if TYPE_CHECKING:
    from scipy.sparse import csc_array, csr_array
    from scipy.sparse.linalg import SuperLU


@dataclass(frozen=True)
class Interface:
    """Where it is (the mean of its nodes), and its motion b = C u, (6, n) or (3, n)."""

    x: Floats
    C: csr_array

    @property
    def turns(self) -> bool:
        return bool(self.C.shape[0] == 6)


def interface(mesh: MeshMatrices, at: np.ndarray) -> Interface:
    """Of nodes (indices). One node without rotations has no turn of its own."""
    from scipy.sparse import csr_array

    x, rows = mesh.X[at].mean(axis=0), mesh.rows(at)
    columns, blocks = [], []
    for n, row in zip(at, rows, strict=True):
        A = np.zeros((6, 6))
        A[:3, :3], A[3:, 3:] = np.eye(3), np.eye(3)
        A[:3, 3:] = -skew(mesh.X[n] - x)
        has = row >= 0
        if len(at) > 1:
            has = has & (np.arange(6) < 3)  # an average is one of translations
        columns.append(row[has])
        blocks.append(A[has])
    A, where = np.concatenate(blocks), np.concatenate(columns)
    size = max(float(np.abs(mesh.X[at] - x).max()), 1e-12)
    scale = np.array([1.0, 1.0, 1.0, size, size, size])
    known = np.linalg.matrix_rank(A / scale, tol=1e-6) == 6
    keep = slice(0, 6) if known else slice(0, 3)
    C = np.linalg.pinv(A[:, keep] / scale[keep]) / scale[keep][:, None]
    r, c = np.nonzero(np.ones_like(C))
    full = csr_array((C.ravel(), (r, where[c])), shape=(C.shape[0], len(mesh.node)))
    return Interface(x, full)


@dataclass(frozen=True)
class ReducedMesh:
    """Shapes Phi (n, m), diagonal modal mass and stiffness."""

    Phi: Floats
    M: Floats
    K: Floats


def reduced(
    mesh: MeshMatrices,
    root: np.ndarray,
    interfaces: Mapping[str, Interface],
    method: str,
    modes: int,
    keep: int | None = None,
) -> ReducedMesh:
    """The shapes of a body held at its root's nodes."""
    held = np.isin(mesh.node, root)
    inner = np.flatnonzero(~held)
    if not len(inner):
        mesh.stop("all nodes belong to the root: nothing is left to bend")
    system = _System.of(mesh, inner, [] if method == "normal" else [*interfaces.values()])
    static = np.zeros((len(inner), 0)) if method == "normal" else system.static()
    count = 0 if method == "guyan" else modes
    normal = system.normal(count)
    basis = np.concatenate([static, normal], axis=1)
    if not basis.shape[1]:
        mesh.stop("no shapes are asked for", "give modes, or stations for static shapes")
    V, omega2 = _diagonal(mesh, system, basis)
    most = min(keep or len(omega2), MOST_SHAPES)
    Phi = np.zeros((len(mesh.node), len(omega2[:most])))
    Phi[inner] = basis @ V[:, :most]
    K = np.diag(omega2[:most])
    return ReducedMesh(Phi, np.eye(len(K)), K)


def _diagonal(mesh: MeshMatrices, system: _System, basis: Floats) -> tuple[Floats, Floats]:
    """Combinations with unit modal mass, lowest first; those that others say are left out."""
    from scipy.linalg import eigh

    M, K = basis.T @ (system.M @ basis), basis.T @ (system.K @ basis)
    size = np.sqrt(np.diag(M))
    size = np.where(size > 0.0, size, 1.0)
    values, W = eigh(0.5 * (M + M.T) / np.outer(size, size))
    good = values > 1e-10 * values[-1]
    W = W[:, good] / np.sqrt(values[good]) / size[:, None]
    small = W.T @ K @ W
    omega2, V = eigh(0.5 * (small + small.T))
    if omega2[0] <= 1e-10 * omega2[-1]:
        mesh.stop(
            f"held at its root the body still moves freely (lowest omega^2 {omega2[0]:.3g}, "
            f"highest {omega2[-1]:.3g})",
            "the root needs nodes enough to hold it: three of a solid, not on one line",
        )
    return W @ V, omega2


@dataclass(frozen=True, eq=False)
class _System:
    """K and M of the nodes that move, the interfaces' C on them, and K with C solved."""

    K: csc_array
    M: csc_array
    C: csc_array | None  # of no interfaces: none
    solver: SuperLU

    @classmethod
    def of(cls, mesh: MeshMatrices, inner: np.ndarray, interfaces: list[Interface]) -> _System:
        from scipy.sparse import bmat, vstack
        from scipy.sparse.linalg import splu

        K, M = (A[inner][:, inner].tocsc() for A in (mesh.K, mesh.M))
        C = vstack([x.C for x in interfaces]).tocsc()[:, inner] if interfaces else None
        whole = K
        if C is not None:
            size = float(np.abs(K.diagonal()).mean())
            whole = bmat([[K, size * C.T], [size * C, None]]).tocsc()
            C = size * C
        try:
            return cls(K, M, C, splu(whole.tocsc()))
        except RuntimeError:
            mesh.stop(
                "held at its root the body still moves freely: its stiffness matrix is singular",
                "the root needs nodes enough to hold it, and every node stiffness in each freedom",
            )

    def solve(self, b: Floats, rest: Floats | None = None) -> Floats:
        """u with K u + C^T l = b, C u = rest."""
        if self.C is None:
            return np.asarray(self.solver.solve(b))
        n, count = len(b), self.C.shape[0]
        tail = np.zeros((count, *b.shape[1:])) if rest is None else rest
        return np.asarray(self.solver.solve(np.concatenate([b, tail]))[:n])

    def static(self) -> Floats:
        if self.C is None:
            return np.zeros((self.K.shape[0], 0))
        count = self.C.shape[0]
        unit = np.eye(count) * np.abs(self.C).max()
        return self.solve(np.zeros((self.K.shape[0], count)), unit)

    def normal(self, count: int) -> Floats:
        """The lowest modes with C u = 0, by iteration on subspaces of solve(M u)."""
        n = self.K.shape[0] - (0 if self.C is None else self.C.shape[0])
        count = min(count, n)
        if count <= 0:
            return np.zeros((self.K.shape[0], 0))
        from scipy.linalg import eigh

        wide = min(n, max(2 * count, count + 8))
        X = np.random.default_rng(0).normal(size=(self.K.shape[0], wide))
        last = np.zeros(count)
        for _ in range(60):
            X = self.solve(self.M @ X)
            X, _ = np.linalg.qr(X)
            K, M = X.T @ (self.K @ X), X.T @ (self.M @ X)
            values, V = eigh(0.5 * (K + K.T), 0.5 * (M + M.T))
            X = X @ V
            if np.abs(values[:count] - last).max() <= 1e-13 * values[:count].max():
                break
            last = values[:count]
        return np.asarray(X[:, :count])
