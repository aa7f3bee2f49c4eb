"""[CibicikEgeland], eqs. (15)-(21) and (91)-(96): right velocities of G2, and the projection
matrices with twelve rows, at a state of the manoeuvre.

Rates are taken by dual numbers: Y and P^ run on q + e u, their dual part is Y_dot and P^_dot.
"""

from __future__ import annotations

import numpy as np

from ...formulations.projection import jacobian_rate, projections
from ...robot import Robot
from ...screws.dual import (
    DualArray,
    DualTransform,
    dual_part,
    seed,
    stacked,
    twist_matrix,
)
from ...types import Array, Floats
from ..manoeuvre import robot, run
from ..report import ReportTable

TIME = 3.05  # s: the arm reaches and slews, everything bends
AXES = ("w_x", "w_y", "w_z", "v_x", "v_y", "v_z")


def state() -> tuple[Robot, Floats, Floats]:
    r = run("linearised")
    return robot(), r.q[r.at(TIME)], r.u[r.at(TIME)]


def moving(arm: Robot, q: Floats, u: Floats) -> list[tuple[Floats, DualArray]]:
    """Of every link Y_dot (7, 7), and the right velocity by eq. (17) from the rates of A, theta
    and v."""
    out = []
    for p in projections(arm, seed(q, u)):
        Y = p.pose
        still = DualTransform.of(_plain(Y.matrix()))
        omega = still.X.A.T @ dual_part(Y.X.A)
        w = np.array([omega[2, 1], omega[0, 2], omega[1, 0]])
        v_dot = DualArray(dual_part(Y.v.r), dual_part(Y.v.d))
        t = still.right_velocity(w, dual_part(Y.X.theta), v_dot)
        out.append((np.asarray(dual_part(Y.matrix()), dtype=float), t))
    return out


def _plain(x: Array) -> Floats:
    """The value of each dual number."""
    flat = [getattr(v, "a", v) for v in np.ravel(x)]
    return np.array(flat, dtype=float).reshape(np.shape(x))


def velocities() -> ReportTable:
    """(15)-(21): for every link, the largest difference."""
    arm, q, u = state()
    P, rows = projections(arm, q), []
    for i, (Y_dot, t) in enumerate(moving(arm, q, u)):
        pose = P[i].pose
        Y, wedge = pose.matrix(), twist_matrix(t)
        inverse = pose.inverse().matrix()
        turned = pose.adjoint() @ t
        rows.append(
            (
                arm.links[i].name,
                _far(Y @ wedge, Y_dot),
                _far(inverse @ Y_dot, wedge),
                _far(twist_matrix(turned), Y @ wedge @ inverse),
                _far(stacked(t), stacked(P[i].jacobian[:6] @ u)),
            )
        )
    columns = (
        *("frame", "(15): Y [t]^ - Y_dot", "(16): Y^-1 Y_dot - [t]^"),
        *("(18), (19): [Ad t]^ - Y [t]^ Y^-1", "(17) - (91): t - P^ u"),
    )
    notes = (
        f"Pose Y = (X, v) of each link's frame in the world at t = {TIME} s of the manoeuvre; "
        "Y_dot by dual numbers, t = [w^; X^-1 v_dot] by (17). The last column is the same twist "
        "from the projection matrix: two ways that share nothing but the shapes.",
    )
    return ReportTable("(15)-(21): right velocities of G2", columns, tuple(rows), notes)


def _far(a: Array, b: Array) -> float:
    a, b = (np.asarray(x, dtype=float) for x in (a, b))
    return float(np.abs(a - b).max())


def twelve_rows() -> ReportTable:
    """(91)-(96): sizes, and what holds between the two forms."""
    arm, q, u = state()
    P, along = projections(arm, q), projections(arm, seed(q, u))
    shapes, rows = list(arm.mode_indices), []
    for i, link in enumerate(arm.links):
        jacobian, projecting = P[i].jacobian[:6], P[i].projecting[:6]
        rate = jacobian_rate(arm, i, jacobian, u)
        by_duals = along[i].jacobian[:6]
        true_rate = DualArray(dual_part(by_duals.r), dual_part(by_duals.d))
        rows.append(
            (
                link.name,
                f"{len(stacked(jacobian))} x {arm.nv}",
                _far(jacobian.r[:, shapes], 0.0 * jacobian.r[:, shapes]),
                _far(jacobian.d[:, shapes], projecting.r[:, shapes]),
                _far(stacked(rate @ u), stacked(true_rate @ u)),
            )
        )
    columns = (
        *("link", "P^, P~", "real part of elastic columns, (92)"),
        *("their dual part less the real one of P~, (93)-(95)", "(96): P^_dot u less dual numbers"),
    )
    notes = (
        "The columns of joints are the same in P^ and P~. Elastic speeds are of order one: in P^ "
        "their columns are dual parts, in P~ real ones. P^_dot is by the operator (76)-(79).",
    )
    return ReportTable(
        "(91)-(96): projection matrices with twelve rows", columns, tuple(rows), notes
    )


def printed_rows(i: int = 2) -> tuple[ReportTable, ...]:
    """P^_3 and P~_3 of eqs. (92), (93), (121) as numbers."""
    arm, q, _ = state()
    p = projections(arm, q)[i]
    names = [f"{part} {axis}" for axes in (AXES[:3], AXES[3:]) for part in "rd" for axis in axes]
    out = []
    for title, A in (("(92), (121): P^_3", p.jacobian), ("(93): P~_3", p.projecting)):
        numbers = np.asarray(stacked(A[:6]), dtype=float)
        rows = tuple(
            (name, *(f"{x:.4g}" for x in np.round(line, 12) + 0.0))
            for name, line in zip(names, numbers, strict=True)
        )
        columns = ("", *(short(name) for name in arm.coordinate_names))
        notes = ("At the origin of link 3, in its axes; r: real part, d: dual part.",)
        out.append(ReportTable(f"{title} at t = {TIME} s", columns, rows, notes))
    return tuple(out)


def short(name: str) -> str:
    """q1 of joint1, t1 2 of link2.torsion1: columns are many."""
    link, _, shape = name.partition(".")
    words = {"torsion": "t", "bending_y": "y", "bending_z": "z"}
    return f"{words[shape[:-1]]}{shape[-1]} of {link[-1]}" if shape else f"q{name[-1]}"


def largest_defect() -> float:
    """Of all relations above."""
    numbers = [x for t in (velocities(), twelve_rows()) for row in t.rows for x in row[1:]]
    return max(x for x in numbers if isinstance(x, float))
