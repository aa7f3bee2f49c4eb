"""The modal body of a meshed part: its moments to the order that the matrices allow.

Rigid motions R = [T, e x X] of all nodes are fields that elements hold exactly, so

    c1_k = T^T M Phi_k      int X x S_k = (e x X)^T M Phi_k

are those of the mesh. Other moments need fields such as X_i e_j: with translations alone they are
exact too. Where nodes also turn, rotations follow from the translations by least strain
(K_rr r = -K_rt t), which is exact for beams on their axis; what the sections' own inertia adds to
the symmetric part of N0 and to P, of the order (thickness / length)^2, is spread evenly.

Products of shapes come from geometric stiffness matrices K_g, one for each unit load (`LOADS`):

    a_x, ...   unit acceleration of the frame          Phi^T K_g Phi = c2 . e
    dw_x, ...  unit angular acceleration                             = (int X x q) . e
    w_xx, ...  unit products of angular velocity                     = of w~ w~: Q
    NAME.f_x   unit force at an interface                            = -S2 . e
    NAME.n_x   unit moment there                                     = -Theta2 . e

They are linear in the load: a matrix that is not given follows from the others where the forces on
the nodes do. What no others make is taken as zero, and noted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ..bodies import Body, Station
from ..types import Floats
from .mesh import MeshMatrices, body_totals
from .methods import LOADS
from .part import Part, shifted, whitening
from .reduction import Interface, interface, reduced
from .sid_body import PAIRS, antisymmetric, symmetric_of_six

Nodes = int | Sequence[int] | str
"""A node's number, several, or the name of a set."""
Spread = Callable[[Floats, int], Floats]  # values of nodes as a field along an axis


def mesh_part(
    mesh: MeshMatrices,
    root: Nodes,
    stations: Mapping[str, Nodes],
    method: str = "craig_bampton",
    modes: int = 6,
    keep: int | None = None,
) -> Part:
    """A meshed part reduced to a body whose origin is the middle of its root."""
    whole = body_totals(mesh)
    at = mesh.places(root, "root")
    where = {n: interface(mesh, mesh.places(x, f"station {n}")) for n, x in stations.items()}
    small = reduced(mesh, at, where, method, modes, keep)
    Phi, m = small.Phi, small.Phi.shape[1]
    spread = _spreader(mesh)
    c1, N0, P = map(_tidy, _moments(mesh, Phi, spread))
    loads, missing = _unit_loads(mesh, at, _unit_forces(mesh, where, spread), Phi)
    c2, turn, six = (_stack(loads, names, m) for names in (LOADS[:3], LOADS[3:6], LOADS[6:]))
    Q, stiff = symmetric_of_six(six) + antisymmetric(turn), bool(mesh.stiffening)
    notes = tuple(_missing(where, stiff, missing))
    body = Body(
        *(whole.mass, _tidy(whole.c0), c1, c2, _tidy(whole.W0), N0, P, Q),
        Mdd=small.M,
        K=small.K,
        D=np.zeros((m, m)),
        stations={n: _station(n, x, Phi, loads) for n, x in where.items()},
        shape_names=tuple(f"mode{k + 1}" for k in range(m)),
        E=whitening(whole.mass, whole.c0, whole.W0) if stiff else np.zeros((0, 4)),
    )
    origin = mesh.X[at].mean(axis=0)
    none = np.zeros((m, 3))
    body = body.changed(stations={"root": Station(origin, none, none), **body.stations})
    kind = f"{len(mesh.X)} nodes, {len(mesh.node)} freedoms, {method}"
    return Part(shifted(body, -origin), mesh.source, kind, notes, whole.checks, stiff)


def _missing(stations: Mapping[str, Interface], stiffens: bool, loads: list[str]) -> list[str]:
    """What the mesh does not tell."""
    notes = [
        f"station {n} is one node without rotations: it moves but does not turn"
        for n, x in stations.items()
        if not x.turns
    ]
    if not stiffens:
        notes.append(
            "geometric stiffening is missing: no stiffness matrices of unit loads are given"
        )
    elif loads:
        notes.append(
            f"geometric stiffening is incomplete: matrices of {', '.join(loads)} are not given, "
            f"nor follow from others. Such loads (a: acceleration and weight, dw and w: rotation, "
            f"f and n: forces and moments) do not stiffen; zeros say that one stresses nothing"
        )
    return notes


def _unit_forces(
    mesh: MeshMatrices, stations: Mapping[str, Interface], spread: Spread
) -> dict[str, Floats]:
    """The forces on the nodes (n,) of each unit load: -M times the acceleration, or C^T e."""
    fields = dict(zip(LOADS[:6], mesh.rigid.T, strict=True))
    for name, (i, j) in zip(LOADS[6:], ((0, 0), (1, 1), (2, 2), *PAIRS), strict=True):
        U = -np.eye(3) * (i == j)  # of w~ w~
        U[i, j] = U[j, i] = float(i != j)
        fields[name] = sum(spread((mesh.X @ U)[:, [k]], k)[:, 0] for k in range(3))
    out = {name: -(mesh.M @ field) for name, field in fields.items()}
    for name, x in stations.items():
        ways = [f"{name}.{letter}_{axis}" for letter in "fn" for axis in "xyz"]
        out |= dict(zip(ways, x.C.toarray(), strict=False))
    return out


def _unit_loads(
    mesh: MeshMatrices, root: np.ndarray, forces: Mapping[str, Floats], Phi: Floats
) -> tuple[dict[str, Floats], list[str]]:
    """Phi^T K_g Phi of every load that is given or a combination of given ones; the others."""
    given = list(mesh.stiffening)
    for load in given:
        if load not in forces:
            mesh.stop(f"stiffening has a load {load!r}", f"loads here are: {', '.join(forces)}")
    if not given:
        return {}, []
    names = [*given, *(k for k in forces if k not in given)]
    free, long = ~np.isin(mesh.node, root), float(np.ptp(mesh.X, axis=0).max())
    f = np.stack([forces[k][free] for k in names], axis=1)
    f = f * np.where(mesh.way > 2, 1.0 / long, 1.0)[free, None]  # moments as forces
    size = np.linalg.norm(f, axis=0)
    size = np.maximum(size, 1e-3 * np.linalg.norm(forces["a_x"]))  # some loads have no forces
    f, many = f / size, len(given)
    C = np.linalg.lstsq(f[:, :many], f, rcond=1e-9)[0]
    known = np.linalg.norm(f - f[:, :many] @ C, axis=0) < 1e-6
    C = np.where(np.abs(C) > 1e-9, C, 0.0) * size / size[:many, None]
    K = np.stack([Phi.T @ (mesh.stiffening[k] @ Phi) for k in given])
    loads = {k: np.tensordot(C[:, i], K, 1) for i, k in enumerate(names) if known[i]}
    return loads | dict(zip(given, K, strict=True)), [k for k in names if k not in loads]


def _station(name: str, interface: Interface, Phi: Floats, loads: Mapping[str, Floats]) -> Station:
    moved = (interface.C @ Phi).T
    m = len(moved)
    return Station(
        interface.x,
        _tidy(moved[:, :3]),
        _tidy(moved[:, 3:]) if interface.turns else np.zeros((m, 3)),
        S2=-_stack(loads, [f"{name}.f_{axis}" for axis in "xyz"], m),
        Theta2=-_stack(loads, [f"{name}.n_{axis}" for axis in "xyz"], m),
    )


def _stack(loads: Mapping[str, Floats], names: Sequence[str], m: int) -> Floats:
    """(m, m, len(names)), zero where nothing is known."""
    return np.stack([loads.get(name, np.zeros((m, m))) for name in names], axis=2)


def _tidy(A: Floats, relative: float = 1e-11) -> Floats:
    """Rounding noise where symmetry makes a zero is made that zero."""
    return np.where(np.abs(A) <= relative * np.abs(A).max(initial=0.0), 0.0, A)


def _moments(mesh: MeshMatrices, Phi: Floats, spread: Spread) -> tuple[Floats, Floats, Floats]:
    """c1 (m, 3), N0 (m, 3, 3) and P (m, m, 3, 3)."""
    m = Phi.shape[1]
    exact = (mesh.rigid.T @ (mesh.M @ Phi)).T  # (m, 6)
    rows = mesh.rows(np.arange(len(mesh.X)))
    moved = np.where(rows[:, :3, None] >= 0, Phi[rows[:, :3]], 0.0)  # (N, 3, m)
    M = mesh.M
    along = [spread(moved[:, j], j) for j in range(3)]  # S_k's own component j as a field
    N0, P = np.zeros((m, 3, 3)), np.zeros((m, m, 3, 3))
    for j in range(3):
        Mj = M @ along[j]
        for i in range(3):
            N0[:, i, j] = spread(mesh.X[:, [i]], j)[:, 0] @ Mj
            P[:, :, i, j] = spread(moved[:, i], j).T @ Mj
    N0 = 0.5 * (N0 + N0.transpose(0, 2, 1)) + antisymmetric(exact[:, 3:])
    P = 0.5 * (P + P.transpose(1, 0, 3, 2))
    modal = Phi.T @ (M @ Phi)
    off = (0.5 * (modal + modal.T) - np.einsum("lkii->lk", P)) / 3.0
    return exact[:, :3], N0, P + off[:, :, None, None] * np.eye(3)


def _spreader(mesh: MeshMatrices) -> Spread:
    """f(values (N, c), j): fields (n, c) that move every node along axis j by its value; where
    nodes turn, their rotations follow by least strain."""
    rows = mesh.rows(np.arange(len(mesh.X)))
    turn, move = np.flatnonzero(mesh.way > 2), np.flatnonzero(mesh.way < 3)
    if mesh.turns:
        from scipy.sparse import diags_array
        from scipy.sparse.linalg import splu

        Krr = mesh.K[turn][:, turn].tocsc()
        least = 1e-10 * float(np.abs(Krr.diagonal()).max())
        solver = splu((Krr + diags_array(np.full(len(turn), least))).tocsc())
        Krt = mesh.K[turn][:, move]

    def spread(values: Floats, j: int) -> Floats:
        out = np.zeros((len(mesh.node), values.shape[1]))
        has = rows[:, j] >= 0
        out[rows[has, j]] = values[has]
        if mesh.turns:
            out[turn] = -solver.solve(Krt @ out[move])
        return out

    return spread
