"""[Saha], section 2: the DeNOC matrices of the PUMA at one state."""

from __future__ import annotations

import numpy as np

from ...checked import coriolis_force, denoc, inverse_dynamics, joint_wrenches, mass_matrix
from ...model import load
from ...types import Floats
from ..report import ReportTable
from .serial import motion

TIME = 4.0  # s of eq. (22)


def tables() -> tuple[ReportTable, ...]:
    """The blocks of N_l, N_d, W and E, and the matrices I and C."""
    robot = load("puma")
    q, qd, qdd = motion(robot)(TIME)
    at = denoc(robot, q, qd)
    blocks = [slice(6 * i, 6 * i + 6) for i in range(len(robot.links))]
    rows = []
    for i, here in enumerate(blocks):
        p, w = at.N_d[here, i], at.W[here, here]
        a = at.N_l[here, blocks[i - 1]][3:, :3] if i else np.zeros((3, 3))
        rows.append((i + 1, _vector(p[:3]), _vector(p[3:]), _vector(_axis(a)), _vector(_axis(w))))
    bias = inverse_dynamics(robot.replace(gravity=[0, 0, 0]), q, qd, qdd)
    gaps = (
        np.abs(at.C @ qd - coriolis_force(robot, q, qd)).max(),
        np.abs(at.I - mass_matrix(robot, q)).max(),
        np.abs(at.I @ qdd + at.C @ qd - bias).max(),
    )
    columns = ("link", "p: axis", "p: velocity", "A_{i,i-1}: a", "W: omega")
    notes = (
        f"World axes, at t = {TIME:g} s of eq. (22). N_d: the columns p_i. N_l: ones on its "
        "diagonal, A_ij = A_{i,i-1} ... A_{j+1,j} below it, A_{i,i-1} = [1 0; a~ 1]. W: [w~ 0; "
        "0 w~]; E: [1 0; 0 0] of every link.",
        f"C qd less the recursion's Coriolis forces {gaps[0]:.1e} N m; N^T M N less the mass "
        f"matrix {gaps[1]:.1e}; I qdd + C qd less inverse dynamics without gravity "
        f"{gaps[2]:.1e} N m.",
    )
    where = f"PUMA at t = {TIME:g} s of eq. (22)"
    return (
        ReportTable(f"{where}: blocks of N_l, N_d, W", columns, tuple(rows), notes),
        _square(f"{where}: I = N^T M N, kg m^2", at.I),
        _square(f"{where}: C = N^T (M N_dot + W M E N), N m s", at.C),
        wrenches(where),
    )


def wrenches(where: str) -> ReportTable:
    """(15): what each joint carries; along its axis it is the drive's torque, the rest does no
    work."""
    robot = load("puma")
    q, qd, qdd = motion(robot)(TIME)
    found, at = joint_wrenches(robot, q, qd, qdd), denoc(robot, q, qd)
    tau = inverse_dynamics(robot, q, qd, qdd)
    rows = []
    for i, w in enumerate(found):
        along = float(at.P[i][:, 0] @ w)
        rows.append((i + 1, _vector(w[:3]), _vector(w[3:]), along, float(tau[i])))
    notes = (
        "At the joint, on the link beyond it, world axes, gravity included. The constraint "
        "wrench is what is left when the torque is taken out along the axis.",
    )
    columns = ("joint", "moment, N m", "force, N", "p . w", "torque, N m")
    return ReportTable(f"{where}: wrenches at the joints, (15)", columns, tuple(rows), notes)


def _axis(A: Floats) -> Floats:
    """a of a~, the upper left corner of A."""
    return np.array([A[2, 1], A[0, 2], A[1, 0]])


def _vector(x: Floats) -> str:
    return "(" + ", ".join(f"{v:.6g}" for v in np.round(x, 9) + 0.0) + ")"


def _square(title: str, A: Floats) -> ReportTable:
    rows = tuple((i + 1, *(float(x) for x in row)) for i, row in enumerate(np.round(A, 12) + 0.0))
    return ReportTable(title, ("", *(str(j + 1) for j in range(len(A)))), rows)
