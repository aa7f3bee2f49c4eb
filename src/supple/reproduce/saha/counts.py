"""[Saha], Tables 1 and 2 and section 4: what the algorithms cost, counted.

Our rows are no formulas: the recursion runs on symbols for chains of several lengths, its
multiplications and additions are counted, and the polynomial through all counts is found in
rational numbers (`polynomials`). The papers' rows are the formulas that the tables print.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from ... import recursion
from ...engine import Graph
from ...engine.base_inertia import with_base_inertia
from ...loops.definite import definite
from ...loops.subsystems import order_of_solution
from ...robot import Robot
from ...types import Array, Json
from ..report import ReportTable, printed_data
from .chain import general_chain
from .polynomials import CountPolynomial, fewer_from, fitted
from .scraper import papers_machine

COUNTED = range(4, 13)  # links; shorter chains have ends only


@dataclass(frozen=True)
class Algorithm:
    """Multiplications and additions as polynomials in n."""

    name: str
    mult: CountPolynomial
    add: CountPolynomial


def printed(table: str) -> Json:
    """A part of what the paper prints."""
    return printed_data("saha")[table]


def printed_algorithms(table: str) -> list[Algorithm]:
    """The rows of Table 1 (inverse) or Table 2 (forward)."""
    return [
        Algorithm(r[0], CountPolynomial.of(r[1]), CountPolynomial.of(r[2])) for r in printed(table)
    ]


def _inverse(robot: Robot, q: Array, qd: Array, qdd: Array) -> Array:
    return recursion.inverse_dynamics(robot, q, qd, qdd)


def _forward(robot: Robot, q: Array, qd: Array, tau: Array) -> Array:
    return recursion.forward_dynamics(robot, q, qd, tau)


def _dense(robot: Robot, q: Array, qd: Array, tau: Array) -> Array:
    """Walker and Orin: mass matrix, bias by inverse dynamics, and factors L D L^T."""
    h = recursion.inverse_dynamics(robot, q, qd, np.zeros(robot.nv))
    return definite(recursion.mass_matrix(robot, q)).solve(tau - h)


OURS: dict[str, Callable[[Robot, Array, Array, Array], Array]] = {
    "Supple, inverse dynamics": _inverse,
    "Supple, O(n)": _forward,
    "Supple, O(n^3)": _dense,
}


@cache
def counted(name: str) -> Algorithm:
    """One of OURS, counted on chains of COUNTED lengths."""
    found = {n: _operations(OURS[name], n) for n in COUNTED}
    mult, add = (
        fitted({n: count[kind] for n, count in found.items()})
        for kind in ("multiplications", "additions")
    )
    return Algorithm(name, mult, add)


def _operations(run: Callable[[Robot, Array, Array, Array], Array], n: int) -> dict[str, int]:
    robot, graph = with_base_inertia(general_chain(n)), Graph()
    return graph.operations(list(run(robot, *(graph.vector(x, n) for x in ("q", "v", "x")))))


def inverse_table(n: int = 6) -> ReportTable:
    """Table 1."""
    rows = [
        (a.name, str(a.mult), str(a.add), int(a.mult(n)), int(a.add(n)), row[3])
        for a, row in zip(printed_algorithms("inverse"), printed("inverse"), strict=True)
    ]
    ours = counted("Supple, inverse dynamics")
    rows.append((ours.name, str(ours.mult), str(ours.add), int(ours.mult(n)), int(ours.add(n)), ""))
    columns = ("algorithm", "multiplications", "additions", f"M, n = {n}", f"A, n = {n}", "printed")
    notes = (
        f"Supple: counted on chains of {COUNTED[0]} to {COUNTED[-1]} links with any constants, the "
        "polynomial through all counts; sines and cosines are not counted. Constants that joints "
        "hide are moved to the links before (base parameters).",
        "Luh et al.: 834 is what the printed formula gives; 131n - 48 (738) is likely meant. "
        "Balafoutis et al.: 421M is 421A. The row of Saha (1999) is RIDIM's: its twists are those "
        "of mass centres, not of the recursion printed in 2.4.1.",
    )
    return ReportTable("Table 1: inverse dynamics", columns, tuple(rows), notes)


def forward_table(n: int = 6) -> ReportTable:
    """Table 2, with n* and n+ computed."""
    algorithms = printed_algorithms("forward")
    dense = algorithms[-1]
    rows: list[tuple[object, ...]] = []
    for a, row in zip(algorithms, printed("forward"), strict=True):
        beside = a is not dense
        told = f"{row[3]}, {row[4]}" if beside else ""
        rows.append((*_row(a, n), *(_crossings(a, dense) if beside else ("", "", "")), told))
    linear, cubic = counted("Supple, O(n)"), counted("Supple, O(n^3)")
    rows.append((*_row(linear, n), *_crossings(linear, dense), ""))
    rows.append((*_row(cubic, n), "", "", "", ""))
    own = _crossings(linear, cubic)
    columns = ("algorithm", "multiplications", "additions", f"M, n = {n}", f"A, n = {n}")
    more = ("n*", "n+ each", "n+ sum", "printed n*, n+")
    notes = (
        "n*: links from which on the O(n) algorithm takes fewer multiplications than that of "
        "Walker and Orin; n+: fewer multiplications and fewer additions, or fewer of both "
        "together. The printed n+ follow neither rule throughout; the printed n* = 14 of Brandl "
        "et al. is 15.",
        f"At n = {n} the table's best is the O(n^3) algorithm: {int(dense.mult(n))}M "
        f"{int(dense.add(n))}A, against {int(algorithms[0].mult(n))}M "
        f"{int(algorithms[0].add(n))}A of the paper's own.",
        "Supple, O(n): the three sweeps of (18)-(21); O(n^3): mass matrix, bias and L D L^T. Both "
        f"counted; between these two n* = {own[0]}, n+ = {own[1]} (each) or {own[2]} (sum). The "
        "counted O(n^3) algorithm has the two highest terms that the paper prints for Walker and "
        "Orin. Divisions are not counted.",
    )
    return ReportTable("Table 2: forward dynamics", (*columns, *more), tuple(rows), notes)


def _row(a: Algorithm, n: int) -> tuple[object, ...]:
    return a.name, str(a.mult), str(a.add), int(a.mult(n)), int(a.add(n))


def _crossings(a: Algorithm, dense: Algorithm) -> tuple[int, int, int]:
    """n*, n+ (each less), n+ (sum less)."""
    mult, add = (a.mult, dense.mult), (a.add, dense.add)
    both = (a.mult + a.add, dense.mult + dense.add)
    return fewer_from([mult]), fewer_from([mult, add]), fewer_from([both])


def solving_table() -> ReportTable:
    """What the linear systems of the scraper cost, by subsystems, as one tree, and uncoupled."""
    robot = papers_machine()
    steps = order_of_solution(robot)
    costs = [_elimination(s.size) for s in steps]
    rows: list[tuple[object, ...]] = [
        (f"subsystem {', '.join(s.subsystems)}", s.size, *cost)
        for s, cost in zip(steps, costs, strict=True)
    ]
    sums = (sum(order for order, _ in costs), sum(count for _, count in costs))
    rows.append(("all subsystems", " + ".join(str(s.size) for s in steps), *sums))
    tree, uncoupled = robot.nv, 3 * len(robot.links)
    rows.append(("the whole tree at once (43)-(46)", tree, *_elimination(tree)))
    rows.append(("uncoupled Newton-Euler equations", uncoupled, *_elimination(uncoupled)))
    columns = ("system", "unknowns", "k^3/3", "counted M")
    notes = (
        "Counted: multiplications of Gaussian elimination and substitution on a full k x k system "
        "of symbols; divisions are reciprocals, one a pivot. A single equation counts 1, as in the "
        "paper. Printed: O(4^3/3 + 3^3/3 + 1) against O(21^3/3); subsystem I has two unknowns: "
        "O(4^3/3 + 2^3/3 + 1).",
        "21: three planar equations of each of the seven links, for ten pins of two forces each "
        "and the driving torque.",
    )
    return ReportTable("Section 4: what the scraper costs", columns, tuple(rows), notes)


def _elimination(k: int) -> tuple[float, int]:
    """k^3/3 (of a single unknown 1), and the multiplications counted."""
    graph = Graph()
    A = np.array([graph.vector(f"a{i}", k) for i in range(k)])
    b = graph.vector("b", k)
    for i in range(k):
        share = 1.0 / A[i, i]
        for j in range(i + 1, k):
            f = A[j, i] * share
            A[j, i + 1 :] = A[j, i + 1 :] - f * A[i, i + 1 :]
            b[j] = b[j] - f * b[i]
        A[i, i] = share
    for i in reversed(range(k)):
        b[i] = (b[i] - sum(A[i, j] * b[j] for j in range(i + 1, k))) * A[i, i]
    count = graph.operations(list(b))["multiplications"]
    return (k**3 / 3 if k > 1 else 1.0), count
