"""[Saha], sections 3 and 4: what the equations of closed chains say, put to the test on the
five-bar, in the plane, and on the scraper."""

from __future__ import annotations

import numpy as np

from ...checked import mass_matrix
from ...checked_loops import closure_jacobian, parallel, reduced
from ...recursion import denoc
from ...recursion.kinematics import link_poses
from ...types import Floats
from ..report import ReportTable
from . import five_bar, scraper

PLACE = 80  # 8 s of eq. (35)


def projectors() -> ReportTable:
    """(24)-(29) of the five-bar: only v_P is common to both legs, so all are 2-vectors."""
    _, places, rates, _ = five_bar.trajectory()
    q, qd = places[PLACE], rates[PLACE]
    rows, Phis, drive = [], [], []
    for leg in (0, 1):
        base, elbow, point = (x[:2] for x in five_bar._points(q)[leg])
        p = _across(point - elbow)
        Phi = np.eye(2) - np.outer(p, p) / (p @ p)
        a, b = np.array([0.3, -0.7]), np.array([0.2, 0.4])
        x = p @ (a - b) / (p @ p)
        gaps = (
            np.abs(Phi @ Phi - Phi).max(),
            np.abs(Phi - Phi.T).max(),
            abs(np.linalg.det(Phi)),
            np.abs(Phi @ (x * p + b) - Phi @ b).max(),
        )
        rows.append((f"leg {leg + 1}", *(float(g) for g in gaps)))
        Phis.append(Phi)
        drive.append(Phi @ _across(point - base))
    J = np.linalg.solve(Phis[0] + Phis[1], np.array(drive).T)
    tip = _point_velocity(q, qd)
    away = float(np.abs(J @ qd[[0, 2]] - tip).max())
    sine = float(five_bar.stretched(q))
    det = float(np.linalg.det(Phis[0] + Phis[1]))
    notes = (
        f"(29): J = Phi^-1 [Phi_2 A_e1 p_1] gives the point's velocity to {away:.1e} m/s. det Phi "
        f"= {det:.4f} = sin^2 of the angle between the distal links, {sine**2:.4f}: Phi is "
        "singular where they are in one line.",
    )
    columns = ("", "(25c): Phi Phi - Phi", "Phi - Phi^T", "det Phi", "(25b): Phi a - Phi b")
    title = "Section 3.2: projectors of the five-bar, (25)-(29)"
    return ReportTable(title, columns, tuple(rows), notes)


def _across(r: Floats) -> Floats:
    """z x r."""
    return np.array([-r[1], r[0]])


def _point_velocity(q: Floats, qd: Floats) -> Floats:
    """Of the common point, through leg 1."""
    base, elbow, point = (x[:2] for x in five_bar._points(q)[0])
    first, second = _across(elbow - base), _across(point - elbow)
    return np.asarray(first * qd[0] + second * (qd[0] + qd[1]))


def orders() -> ReportTable:
    """The classical routes of 3.1 and the three DeNOC matrices: the same numbers."""
    robot = five_bar.robot()
    _, places, rates, tau = five_bar.trajectory()
    q, qd = places[PLACE], rates[PLACE]
    at = parallel(robot, q)
    tree = denoc(robot, q, qd)
    rows_of = np.concatenate([np.arange(*tree.rows[i].indices(10**6)) for i in at.bodies])
    t3, t2 = at.N @ qd[list(at.motors)], (tree.N @ qd)[rows_of]
    J, K = closure_jacobian(robot, q), np.asarray(at.K, dtype=float)
    M = mass_matrix(robot, q)
    by_lu = reduced(robot, q, qd)
    turn = K[list(by_lu.independent)]
    small, own = np.asarray(K.T @ M @ K), np.asarray(turn.T @ by_lu.I @ turn)
    power = float(tau[PLACE] @ qd - tau[PLACE][list(at.motors)] @ qd[list(at.motors)])
    relations: tuple[tuple[str, float], ...] = (
        ("(32): N_l N_c N_d u less N_l N_d of the tree, all rates", _far(t3, t2)),
        ("(27a): rates by back-substitution K u close the loop, J K", float(np.abs(J @ K).max())),
        ("(33): I of the legs, platform once, less that of the tree and LU", _far(small, own)),
        ("unactuated joints give no power, W", power),
    )
    notes = ("At 8 s of (35). 3.1 names both classical routes: multipliers on the cut tree, and "
             "the closure solved by LU; the reduced equations are by the second.",)  # fmt: skip
    title = "Section 3: three DeNOC matrices against the classical routes"
    return ReportTable(title, ("relation", "difference"), relations, notes)


def closed_chain() -> ReportTable:
    """(38)-(52) of the scraper."""
    machine, cycle = scraper.robot(), scraper.turn()
    k = 45
    q = cycle.q[k]
    frames = link_poses(machine, q)
    tree = denoc(machine, q, np.zeros(machine.nv))
    children = [i for i, link in enumerate(machine.links) if link.parent >= 0]
    plus, minus = 0.0, 0.0
    for i in children:
        p = machine.links[i].parent
        a = np.asarray(frames[p].p - frames[i].p, dtype=float)
        A = np.eye(6)
        A[3:, :3] = [[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]]
        block = tree.propagation(i, p)
        plus, minus = max(plus, _far(A, block)), max(minus, _far(-A, block))
    relations: tuple[tuple[str, float], ...] = (
        ("(48), (50): A_0^k with a plus sign, less the blocks of N_l", plus),
        ("the same with the printed minus", minus),
        ("(42) subsystem by subsystem less (43)-(46) whole tree, N m", float(cycle.apart)),
        ("w = w^E + w^C + w^lambda: power of all reactions, W", float(np.abs(cycle.power).max())),
    )
    title = "Section 4: relations of the closed chain, on the scraper"
    return ReportTable(title, ("relation", "difference"), relations)


def _far(a: Floats, b: Floats) -> float:
    return float(np.abs(np.asarray(a, dtype=float) - np.asarray(b, dtype=float)).max())
