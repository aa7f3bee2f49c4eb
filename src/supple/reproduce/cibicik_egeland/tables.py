"""[CibicikEgeland], section VI: the 4-DOF arm, nonlinear and linearised, as tables."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ... import recursion
from ...engine import traced
from ...formulations import kane
from ...robot import Robot
from ...screws.dual import dual_part, seed
from ...types import Array, Floats
from ..manoeuvre import FAST, GAINS, HOW, MODELS, Run, robot, run
from ..report import ReportTable

PRINTED = {"nonlinear": "3901", "linearised": "314"}  # s of CPU time
GROUPS = {
    "joints": "joint",
    "torsion": ".torsion",
    "bending in the xy plane": ".bending_y",
    "bending in the xz plane": ".bending_z",
}


def costs() -> ReportTable:
    """What the run takes: operations, not seconds."""
    rows = []
    for model in MODELS:
        r = run(model)
        each = r.operations["multiplications"] + r.operations["additions"]
        total = f"{each * r.evaluations:.3g}"
        rows.append((model, PRINTED.get(model, ""), each, r.evaluations, r.steps, total))
    columns = ("model", "printed CPU, s", "operations", "evaluations", "steps", "all operations")
    full, linear = (rows[k][2] for k in (0, 1))
    notes = (
        "Operations: multiplications and additions of one evaluation of the accelerations, "
        "controller included, each distinct one once. nonlinear: the recursion, first_order. "
        "linearised: the recursion, linearized, O(n). as printed: Kane's equations with dual "
        "screws, the paper's columns and sections.",
        f"Explicit steps of order 8, relative tolerance {HOW.rtol:g}, absolute {HOW.atol:g}. The "
        f"recursion takes {linear / full:.2f} times the operations when it is linearised: it holds "
        "no long expressions that linearising could shorten. Written out they do: see below.",
        "Derivatives of the projection matrices as symbols, printed 11 s by the operator (76) and "
        "181 s by diff, are measured by bench/run.py --only dual_screws.",
    )
    return ReportTable("The 6 s manoeuvre: what it costs", columns, tuple(rows), notes)


def indices(group: str) -> list[int]:
    """Coordinates of a group, by their names."""
    part = GROUPS[group]
    return [i for i, name in enumerate(robot().coordinate_names) if part in name]


def claims() -> ReportTable:
    """What section VI-B says, beside the runs."""
    linear, full = run("linearised"), run("nonlinear")
    flat, turns = indices("bending in the xy plane"), indices("joints")
    aside = [*indices("torsion"), *indices("bending in the xz plane")]
    early, late = slice(0, linear.at(3.0) + 1), slice(linear.at(3.0), None)
    gap, size = np.abs(linear.q - full.q).max(axis=0), np.abs(full.q).max(axis=0)
    change = np.ptp(linear.q[late, flat], axis=0).max() / np.abs(linear.q[:, flat]).max()
    last = np.ptp(linear.torque[linear.at(4.0) :], axis=0) / np.abs(linear.torque).max(axis=0)
    values: tuple[tuple[str, str, float], ...] = (
        ("torsion and bending in xz before 3 s", "0", np.abs(linear.q[early, aside]).max()),
        ("joints, nonlinear - linearised, deg", "not visible", np.rad2deg(gap[turns].max())),
        ("shapes, the same, % of each", "small", 100 * (gap / size)[[*flat, *aside]].max()),
        ("bending in xy after 3 s: change, %", "do not change", 100 * change),
        ("torque of joint 1 after 4 s: change, %", "do not change", 100 * last[0]),
        ("torques of joints 2 to 4, the same", "do not change", 100 * last[1:].max()),
        ("smallest eigenvalue of M, linearised", "", least_eigenvalue(linear)),
    )
    notes = (
        f"The paper omits its controller. Ours: PD, kp = {_plain(GAINS.kp)}, kd = "
        f"{_plain(GAINS.kd)}, no gravity compensation. Joint 1 is slow with it: in a faster slew "
        f"(kp1 = {FAST.kp[0]:g}, kd1 = {FAST.kd[0]:g}) the mass matrix of the model as printed "
        "becomes singular at 3.06 s, when link 2 twists; those of the other two do not.",
    )
    rows = tuple((claim, printed, f"{value:.3g}") for claim, printed, value in values)
    return ReportTable("Claims of section VI-B", ("claim", "printed", "ours"), rows, notes)


def _plain(x: tuple[float, ...]) -> str:
    return "(" + ", ".join(f"{v:g}" for v in x) + ")"


def least_eigenvalue(r: Run, every: int = 100) -> float:
    """Of the mass matrix of the `linearized` robot along a run."""
    arm = robot("linearized")
    M = traced(lambda q: recursion.mass_matrix(arm, q), (arm.nq,), ("mass", arm))
    return min(float(np.linalg.eigvalsh(M(np.ascontiguousarray(q)))[0]) for q in r.q[::every])


def largest() -> ReportTable:
    """Coordinate by coordinate: largest value, and how far the models are apart."""
    full, linear, paper = (run(model) for model in MODELS)
    rows = []
    for i, name in enumerate(robot().coordinate_names):
        gaps = [f"{np.abs(full.q[:, i] - r.q[:, i]).max():.2e}" for r in (linear, paper)]
        rows.append((name, float(np.abs(full.q[:, i]).max()), *gaps))
    notes = (
        "rad for joints; shapes by their scale, (1/L) int phi^2 = 1. Nodes turn by exp theta~ "
        "here, by Rx Ry Rz in the paper, whose columns leave out what tells these two apart "
        "(docs/dual_screws.md): that is the last column once link 2 twists, after 3 s.",
    )
    columns = ("coordinate", "largest", "nonlinear - linearised", "nonlinear - as printed")
    return ReportTable(
        "Largest values and differences (figures 6 to 9)", columns, tuple(rows), notes
    )


INSTANTS = (0.5, 1.0, 2.0, 3.0, 4.0, 6.0)


def joints() -> ReportTable:
    """Joint angles at some instants."""
    rows = _snapshots(lambda r: np.rad2deg(r.q[:, indices("joints")]))
    return ReportTable("Joints, deg (figure 6)", ("t", "model", "q1", "q2", "q3", "q4"), rows)


def torques() -> ReportTable:
    """Torques at some instants."""
    rows = _snapshots(lambda r: r.torque)
    return ReportTable("Torques, N m (figure 10)", ("t", "model", "T1", "T2", "T3", "T4"), rows)


def _snapshots(of: Callable[[Run], Floats]) -> tuple[tuple[object, ...], ...]:
    rows = []
    for t in INSTANTS:
        for model in ("nonlinear", "linearised"):
            values = of(run(model))[run(model).at(t)]
            rows.append((t, model, *(f"{v:.4f}" for v in values)))
    return tuple(rows)


def three_ways(time: float = 3.05) -> ReportTable:
    """The linearised equations at a state of the run: recursion, dual screws, Taylor."""
    r = run("linearised")
    q, u = r.q[r.at(time)], r.u[r.at(time)]
    ours = linearised_terms(robot("linearized"), q, u)
    rows = []
    for name, found in other_ways(q, u).items():
        gaps = [_gap(a, b) for a, b in zip(ours, found, strict=True)]
        rows.append((name, *(f"{gap:.1e}" for gap in gaps), f"{_joint_gap(ours, found):.1e}"))
    notes = (
        f"At t = {time} s of the run, K being the same by definition; largest difference over the "
        "largest entry. The paper's columns lack the first order of the nodes' angular velocity: "
        "no row of a joint in C u and gravity and no joint's block of M feels that.",
    )
    columns = ("recursion, linearized, less", "M", "C u", "gravity", "joints alone")
    return ReportTable("The linearised equations in three ways", columns, tuple(rows), notes)


Terms = tuple[Array, Array, Array]
"""M, C u and gravity."""


def linearised_terms(arm: Robot, q: Array, u: Array) -> Terms:
    """By the recursion, of the order that the robot's elastic kinematics has."""
    return (
        recursion.mass_matrix(arm, q),
        recursion.coriolis_force(arm, q, u),
        recursion.gravity_force(arm, q),
    )


def other_ways(q: Floats, u: Floats) -> dict[str, Terms]:
    """The Taylor expansion of the nonlinear equations, and dual screws."""
    arm = robot()
    shapes = np.zeros(arm.nv)
    shapes[list(arm.mode_indices)] = 1.0
    rigid = linearised_terms(arm, q * (1.0 - shapes), u * (1.0 - shapes))
    slopes = linearised_terms(arm, *(seed(x * (1.0 - shapes), x * shapes) for x in (q, u)))
    M, Cu, gravity = (a + dual_part(b) for a, b in zip(rigid, slopes, strict=True))
    out: dict[str, Terms] = {"Taylor expansion": (M, Cu, gravity)}
    orders = {"dual screws, true columns": kane.TAYLOR, "dual screws, the paper's": kane.PAPER}
    for name, order in orders.items():
        eq = kane.equations(arm, q, u, order)
        out[name] = (eq.M, eq.C @ u, eq.gravity)
    return out


def _joint_gap(ours: Terms, found: Terms) -> float:
    """In the joints' block of M and their rows of C u and gravity."""
    rows = list(robot().joint_indices)
    block = np.ix_(rows, rows)
    gaps = [_gap(ours[k][rows], found[k][rows]) for k in (1, 2)]
    return max(*gaps, _gap(ours[0][block], found[0][block]))


def _gap(a: Array, b: Array) -> float:
    return float(np.abs(a - b).max() / max(np.abs(b).max(), 1e-300))
