"""Meshes of a cantilever along x as users bring them: beam elements, and solids by scikit-fem."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from supple.finite_elements.mesh import MeshMatrices

LENGTH, WIDTH, HEIGHT, DENSITY, E, NU = 1.0, 0.02, 0.03, 2700.0, 70e9, 0.0


def beam_words(**more: Any) -> dict[str, Any]:
    """The same as a beam of Supple's own."""
    section = {"shape": "rectangle", "width": WIDTH, "height": HEIGHT}
    return {"length": LENGTH, "density": DENSITY, "E": E, "nu": NU, "section": section, **more}


def beam_mesh(count: int = 20, rotary: bool = True) -> MeshMatrices:
    """Euler-Bernoulli elements in space, six freedoms a node, numbered from 1."""
    A, h = WIDTH * HEIGHT, LENGTH / count
    Iz, Iy = HEIGHT * WIDTH**3 / 12, WIDTH * HEIGHT**3 / 12  # about z: bending in xy
    matrices = []
    for part in _element(h, A, Iy, Iz, rotary):
        big = np.zeros((6 * (count + 1),) * 2)
        for e in range(count):
            big[6 * e : 6 * e + 12, 6 * e : 6 * e + 12] += part
        matrices.append(csr_array(big))
    K, M = matrices
    X = np.outer(np.linspace(0.0, LENGTH, count + 1), [1.0, 0.0, 0.0])
    node, way = np.divmod(np.arange(6 * (count + 1)), 6)
    return MeshMatrices("beam", M, K, np.arange(1, count + 2), X, node, way)


def _element(h: float, A: float, Iy: float, Iz: float, rotary: bool) -> tuple[Any, Any]:
    K, M = np.zeros((12, 12)), np.zeros((12, 12))
    G, J, Ip = E / (2 * (1 + NU)), _torsion(), Iy + Iz
    for k, stiff, mass in ((0, E * A, DENSITY * A), (3, G * J, DENSITY * Ip)):
        at = np.ix_([k, k + 6], [k, k + 6])
        K[at] += stiff / h * np.array([[1, -1], [-1, 1]])
        M[at] += mass * h / 6 * np.array([[2, 1], [1, 2]])
    for move, turn, inertia, sign in ((1, 5, Iz, 1.0), (2, 4, Iy, -1.0)):
        T = np.diag([1.0, sign, 1.0, sign])
        at = np.ix_([move, turn, move + 6, turn + 6], [move, turn, move + 6, turn + 6])
        K[at] += T @ (E * inertia / h**3 * _bend(h)) @ T
        M[at] += T @ (DENSITY * A * h / 420 * _mass(h)) @ T
        if rotary:
            M[at] += T @ (DENSITY * inertia / (30 * h) * _tension(h)) @ T
    return K, M


def _bend(h: float) -> Any:
    return np.array(
        [
            [12, 6 * h, -12, 6 * h],
            [6 * h, 4 * h * h, -6 * h, 2 * h * h],
            [-12, -6 * h, 12, -6 * h],
            [6 * h, 2 * h * h, -6 * h, 4 * h * h],
        ]
    )


def _mass(h: float) -> Any:
    return np.array(
        [
            [156, 22 * h, 54, -13 * h],
            [22 * h, 4 * h * h, 13 * h, -3 * h * h],
            [54, 13 * h, 156, -22 * h],
            [-13 * h, -3 * h * h, -22 * h, 4 * h * h],
        ]
    )


def _tension(h: float) -> Any:
    """int v' w' dx times 30 h."""
    return np.array(
        [
            [36, 3 * h, -36, 3 * h],
            [3 * h, 4 * h * h, -3 * h, -h * h],
            [-36, -3 * h, 36, -3 * h],
            [3 * h, -h * h, -3 * h, 4 * h * h],
        ]
    )


def tension_matrix(mesh: MeshMatrices, force: Any) -> csr_array:
    """Geometric stiffness of a beam mesh under the axial force N(x), Gauss points on elements."""
    count = len(mesh.X) - 1
    h = LENGTH / count
    points, weights = np.polynomial.legendre.leggauss(4)
    big = np.zeros((6 * (count + 1),) * 2)
    for e in range(count):
        for t, w in zip(0.5 + 0.5 * points, 0.5 * h * weights, strict=True):
            slope = np.array(
                [
                    (-6 * t + 6 * t * t) / h,
                    1 - 4 * t + 3 * t * t,
                    (6 * t - 6 * t * t) / h,
                    -2 * t + 3 * t * t,
                ]
            )
            N = force(h * (e + t))
            for move, turn, sign in ((1, 5, 1.0), (2, 4, -1.0)):
                s = slope * [1.0, sign, 1.0, sign]
                at = 6 * e + np.array([move, turn, move + 6, turn + 6])
                big[np.ix_(at, at)] += w * N * np.outer(s, s)
    return csr_array(big)


def _torsion() -> float:
    from supple.model.torsion import rectangle

    return float(rectangle(WIDTH, HEIGHT))


def solid_mesh(shape: tuple[int, int, int] = (18, 1, 1)) -> MeshMatrices:
    """Quadratic bricks by scikit-fem; translations alone."""
    import skfem
    from skfem.models.elasticity import lame_parameters, linear_elasticity

    n = shape
    mesh = skfem.MeshHex.init_tensor(
        np.linspace(0.0, LENGTH, n[0] + 1),
        np.linspace(-WIDTH / 2, WIDTH / 2, n[1] + 1),
        np.linspace(-HEIGHT / 2, HEIGHT / 2, n[2] + 1),
    )
    basis = skfem.Basis(mesh, skfem.ElementVector(skfem.ElementHex2()), intorder=4)
    K = linear_elasticity(*lame_parameters(E, NU)).assemble(basis)

    @skfem.BilinearForm
    def inertia(u: Any, v: Any, _: Any) -> Any:
        return DENSITY * sum(u[i] * v[i] for i in range(3))

    M = inertia.assemble(basis)
    X = basis.doflocs.T  # a row for each freedom
    places, node = np.unique(np.round(X, 9), axis=0, return_inverse=True)
    way = np.zeros(len(X), dtype=int)
    seen: dict[int, int] = {}
    for r, k in enumerate(node.ravel()):
        way[r] = seen.get(int(k), 0)
        seen[int(k)] = way[r] + 1
    ids = np.arange(1, len(places) + 1)
    sets = {
        "root": ids[np.abs(places[:, 0]) < 1e-9],
        "tip": ids[np.abs(places[:, 0] - LENGTH) < 1e-9],
    }
    return MeshMatrices("solid", csr_array(M), csr_array(K), ids, places, node.ravel(), way, sets)


def save_mesh(mesh: MeshMatrices, path: Path) -> None:
    """As one .npz file."""
    words: dict[str, Any] = {"nodes": mesh.X, "ids": mesh.ids}
    words["freedoms"] = np.stack([mesh.ids[mesh.node], mesh.way + 1], axis=1)
    words |= {f"set_{name}": members for name, members in mesh.sets.items()}
    matrices = {"M": mesh.M, "K": mesh.K, **{f"Kg_{k}": A for k, A in mesh.stiffening.items()}}
    for name, A in matrices.items():
        for part in ("data", "indices", "indptr"):
            words[f"{name}_{part}"] = getattr(A, part)
    np.savez(path, **words)
