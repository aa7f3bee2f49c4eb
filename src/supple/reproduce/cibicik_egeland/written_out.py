"""Kane's equations without linearisation, written out as the paper's are: the like to compare
its linearised ones with.

    t_i = N_i u,   N_i = A_{i,p} N_p + P_i          all columns, as a matrix
    M = sum N_i^T M_i(d) N_i,   bias = sum N_i^T (M_i N_i_dot u + gamma_i - w_i)
No recursion: each link's matrices are whole, as those of eqs. (92)-(96) and (112) are. Operations
are counted twice: each distinct one once, as an optimised function computes them
(matlabFunction), and each as often as it stands in the expressions when nothing is shared.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from ... import recursion
from ...bodies import full_inertia, inertia_wrench
from ...bodies.body import Acceleration
from ...engine import Graph
from ...formulations import kane
from ...formulations.linear import still_sections
from ...recursion.inverse import all_moments
from ...recursion.path import paths
from ...robot import Robot
from ...screws import cross, square
from ...screws.dual import dual_part, seed
from ...tracer.graph import Expression
from ...tracer.operations import operands, operation_counts
from ...types import Array
from ..manoeuvre import robot
from ..report import ReportTable


def columns(arm: Robot, q: Array) -> list[Array]:
    """N_i (6 + m, nv) of every link, twists [w; v; d_dot] in link axes, any scalar."""
    ways = paths(arm, q, np.zeros(arm.nv))
    out: list[Array] = []
    for i, link in enumerate(arm.links):
        N = np.zeros((6 + link.body.m, arm.nv)).astype(object)
        if link.parent >= 0:
            for k, c in enumerate(out[link.parent].T):
                N[:6, k] = np.concatenate(ways[i].forth_linear(c[:3], c[3:6], c[6:]))
        for a, axis in enumerate(link.joint.axes):
            N[axis, link.u.start + a] = N[axis, link.u.start + a] + 1.0
        N[6:, link.e] = np.eye(link.body.m)
        out.append(N)
    return out


def mass_and_bias(arm: Robot, q: Array, u: Array) -> tuple[Array, Array]:
    """M, and all that does not depend on u_dot."""
    N, moving = columns(arm, q), columns(arm, seed(q, u))
    M, bias = np.zeros((arm.nv, arm.nv)), kane.passive_force(arm, q, u)
    frames = recursion.link_poses(arm, q)
    for i, now in enumerate(all_moments(arm, q)):
        t, rate = N[i] @ u, dual_part(moving[i] @ u)
        a = rate[3:6] + cross(t[:3], t[3:6]) - frames[i].R.T @ arm.gravity
        x = Acceleration(t[:3], square(t[:3], rate[:3]), a)
        wrench = inertia_wrench(now, x, t[6:], np.zeros(len(t) - 6))
        M = M + N[i].T @ full_inertia(now) @ N[i]
        bias = bias + N[i].T @ np.concatenate(wrench)
    return M, bias


def forward_dynamics(arm: Robot, q: Array, u: Array, tau: Array) -> Array:
    """u_dot by M and bias written out, and elimination."""
    M, bias = mass_and_bias(arm, q, u)
    return kane.solve(M, tau - bias)


def _linearised(arm: Robot, q: Array, u: Array) -> tuple[Array, Array]:
    return kane.mass_and_bias(arm, q, u, kane.Order("paper", still_sections(arm)))


WAYS: dict[str, Callable[[Robot, Array, Array], tuple[Array, Array]]] = {
    "nonlinear": mass_and_bias,
    "linearised": _linearised,
}


@cache
def counts(way: str) -> tuple[int, int, int]:
    """Of M and bias: multiplications and additions when all is shared, and when nothing is."""
    arm, graph = robot(), Graph()
    q, u = (graph.vector(name, arm.nv) for name in "qu")
    M, bias = WAYS[way](arm, q, u)
    entries = [M[i, j] for i in range(arm.nv) for j in range(i, arm.nv)]
    outputs = [x for x in (*entries, *bias) if isinstance(x, Expression)]
    found = graph.operations(outputs)
    return found["multiplications"], found["additions"], unshared(graph, outputs)


def unshared(graph: Graph, outputs: list[Expression]) -> int:
    """Multiplications and additions of expressions that share nothing."""
    total: list[int] = []
    for key in graph.keys:
        own = operation_counts([key])
        here = own["multiplications"] + own["additions"]
        total.append(here + sum(total[k] for k in operands(key)))
    return sum(total[x.number] for x in outputs)


def table() -> ReportTable:
    """The paper's CPU times beside operations of the same kind of code."""
    rows: list[tuple[object, ...]] = []
    printed = {"nonlinear": ("3901", "not finished"), "linearised": ("314", "14")}
    found = {way: counts(way) for way in WAYS}
    for way, (mult, add, plain) in found.items():
        rows.append((way, *printed[way], f"{plain:.3g}", mult, add, mult + add))
    (a, b, full), (c, d, short) = (found[way] for way in WAYS)
    rows.append(
        ("nonlinear over linearised", f"{3901 / 314:.1f}", "", f"{full / short:.3g}",
         f"{a / c:.2f}", f"{b / d:.2f}", f"{(a + b) / (c + d):.2f}")
    )  # fmt: skip
    columns = (
        *("Kane's equations", "printed CPU, s", "optimised, s", "operations, nothing shared"),
        *("multiplications, shared", "additions, shared", "both"),
    )
    notes = (
        "M (upper half) and all forces of the 16 equations, both ways written out with whole "
        "projection matrices: like with like, and no clock in it. Nothing shared: expressions as "
        "a symbolic program holds them. Shared: each distinct operation once.",
        "Sines and cosines are not counted; solving for the accelerations is the same for both.",
    )
    title = "Nonlinear and linearised Kane's equations, written out: operations"
    return ReportTable(title, columns, tuple(rows), notes)
