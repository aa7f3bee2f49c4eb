"""[MohanSaha], Table 2 as a Denavit-Hartenberg table, and the matrices of eqs. (7)-(15)."""

from __future__ import annotations

import numpy as np

from ... import recursion
from ...model import build
from ...recursion.kinematics import link_poses
from ...robot import Robot
from ...screws import skew
from ...types import Floats
from ..report import ReportTable
from .arm import canadarm, forced, printed


def dh_arm() -> Robot:
    """The arm from the rows of Table 2, in the paper's own convention."""
    modes = {"bending_y": 2, "family": "clamped_free", "scale": "sine"}
    rows = [
        {"a": a, "b": b, "alpha": alpha, "beam": {"mass": mass, "EI": EI, "modes": modes}}
        for a, b, alpha, mass, EI in printed("links")
    ]
    words = {"name": "canadarm-dh", "gravity": [0, 0, 0], "elastic_kinematics": "first_order"}
    return build({**words, "dh": {"convention": "saha", "rows": rows}})


def parameters() -> ReportTable:
    """Table 2, the shapes' constants at the tips, and whether both models are the same."""
    robot, table = canadarm(), dh_arm()
    rows = []
    for row, link in zip(printed("links"), robot.links, strict=True):
        tip = link.body.stations["tip"]
        a, b, alpha, mass, EI = row
        shapes = [f"{x:.6g}" for x in (*tip.S[:, 1], *tip.Theta[:, 2])]
        rows.append(
            (link.name, a, b, alpha, mass, EI, ", ".join(shapes[:2]), ", ".join(shapes[2:]))
        )
    run = forced()
    q, qd = run.q[run.at(5.0)], run.qd[run.at(5.0)]
    gaps = [
        _gap(recursion.mass_matrix(table, q), recursion.mass_matrix(robot, q)),
        _gap(recursion.bias_force(table, q, qd), recursion.bias_force(robot, q, qd)),
    ]
    notes = (
        "The same arm from a Denavit-Hartenberg table of beams (`dh` of a model file): its mass "
        f"matrix and its forces at 5 s of the run differ by {gaps[0]:.0e} and {gaps[1]:.0e} of the "
        "largest entry.",
        "Shapes by eq. (43) with its signs corrected: at the tip, and their slopes.",
    )
    columns = ("link", "a", "b", "alpha", "mass", "EI", "s(a)", "s'(a)")
    return ReportTable("Table 2: the Canadarm", columns, tuple(rows), notes)


def by_hand(robot: Robot, q: Floats, i: int, sign: float = -1.0) -> Floats:
    """A_{i,i-1} (8, 8) by eqs. (8)-(11), in world axes, twists [w; v; d_dot].

    sign: of a, which points from O_i to O_{i-1}; +1 is what the text after (9) says.
    """
    before, m = robot.links[i - 1], robot.links[i - 1].body.m
    pose = link_poses(robot, q)[i - 1]
    tip = before.body.stations["tip"]
    a = sign * pose.R @ (tip.r0 + tip.S.T @ q[before.d])
    S, Delta = pose.R @ tip.S.T, pose.R @ tip.Theta.T  # eqs. (10), (11)
    A = np.zeros((6 + robot.links[i].body.m, 6 + m))
    A[:3] = np.hstack([np.eye(3), np.zeros((3, 3)), Delta])
    A[3:6] = np.hstack([skew(a), np.eye(3), S])
    return A


def propagation() -> ReportTable:
    """What eqs. (7)-(15) say, at a state of the run, beside `supple.denoc`."""
    robot, run = canadarm(), forced()
    q, qd = run.q[run.at(5.0)], run.qd[run.at(5.0)]
    D = recursion.denoc(robot, q, qd)
    A = [D.propagation(1, 0), D.propagation(2, 1)]
    twists = np.asarray(recursion.twists(robot, q, qd), dtype=float)
    t = (D.N @ qd)[np.concatenate([np.arange(r.start, r.start + 6) for r in D.rows])]
    rows: tuple[tuple[str, object], ...] = (
        (
            "A_{i,i-1} of (8)-(11), as corrected",
            max(_gap(A[i - 1], by_hand(robot, q, i)) for i in (1, 2)),
        ),
        (
            "the same with a as the text after (9) says",
            max(_gap(A[i - 1], by_hand(robot, q, i, 1.0)) for i in (1, 2)),
        ),
        ("A_32 A_21 = A_31, after (11)", _gap(A[1] @ A[0], D.propagation(2, 0))),
        ("A = 1 - N_l^-1 is below the diagonal, (13)", _gap(D.A, _below_diagonal(D))),
        ("t = A t + N_d qd, (12)", _gap(D.A @ (D.N @ qd) + D.N_d @ qd, D.N @ qd)),
        ("t = N_l N_d qd, (14), against the twists of all links", _gap(t, twists.ravel())),
        (
            "I = N^T M N, (28)-(32), against the recursion",
            _gap(D.I, recursion.mass_matrix(robot, q)),
        ),
        ("P_1 of (8) is", str(D.P[0].shape)),
    )
    shown = tuple((a, x if isinstance(x, str) else f"{x:.1e}") for a, x in rows)
    notes = (
        "At 5 s of the run; largest difference over the largest entry. `supple.denoc` has A, P, "
        "N_l, N_d, N and propagation(i, j). Its twists are [w; v; d_dot], those of the paper "
        "[v; w; d_dot].",
    )
    return ReportTable("Eqs. (7)-(15): the matrices", ("relation", "difference"), shown, notes)


def _below_diagonal(D: recursion.Denoc) -> Floats:
    """Nothing but A_{i,i-1}, the links' propagations, each below the diagonal."""
    below = np.zeros_like(D.A)
    for i in (1, 2):
        below[D.rows[i], D.rows[i - 1]] = D.propagation(i, i - 1)
    return below


def _gap(a: Floats, b: Floats) -> float:
    a, b = (np.asarray(x, dtype=float) for x in (a, b))
    return float(np.abs(a - b).max() / max(float(np.abs(b).max()), 1e-300))


__all__ = ["by_hand", "dh_arm", "parameters", "propagation"]
