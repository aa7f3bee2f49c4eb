"""[MohanSaha], Table 1: what forward dynamics costs, printed and counted.

Printed rows are the table's formulas, evaluated in rational numbers. Ours are no formulas: the
recursion runs on symbols for chains of several lengths and numbers of shapes, multiplications and
additions are counted, and the polynomial through all counts is found (`..saha.polynomials`).
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from ... import recursion
from ...engine import Graph
from ...engine.base_inertia import with_base_inertia
from ...loops.definite import definite
from ...robot import Robot
from ...types import Array
from ..report import ReportTable
from ..saha.counts import Algorithm
from ..saha.polynomials import CountPolynomial, fitted
from .arm import printed
from .chain import flexible_chain

LENGTHS = range(3, 9)  # links that are counted
SHAPES = (1, 2, 3, 4)  # m that is counted


def _linear(first: Fraction, last: Fraction) -> CountPolynomial:
    return CountPolynomial((first, last))


def proposed(m: int) -> Algorithm:
    """M_1p n + M_2p and A_1p n + A_2p."""
    h, m2 = 1 + 2 * m, Fraction(m) ** 2
    M3 = Fraction(h**3, 6) + (2 * m + Fraction(15, 2)) * h**2
    M3 += (2 * m2 + 15 * m + Fraction(100, 3)) * h
    A3 = Fraction(h**3, 6) + Fraction(h**2, 2) + (6 * m2 + 27 * m + Fraction(82, 3)) * h
    M4 = A4 = (2 * m2 + 13 * m + 27) * h
    mult = _linear(2 * m2 + 180 * m + 299 + M3, -(124 * m + 229 + M4))
    add = _linear(6 * m2 + 122 * m + 220 + A3, -(94 * m + 192 + A4))
    return Algorithm("Mohan and Saha", mult, add)


def jain(m: int, long: bool = True) -> Algorithm:
    """M_1j n and A_1j n; `long`: the branch of n >= 7."""
    m1, none = Fraction(m), Fraction(0)
    if long:
        mult, add = 13 * m1**2 + 298 * m1 + 673, 14 * m1**2 + 225 * m1 + 537
    else:
        cube = Fraction(5, 6) * m1**3
        mult = cube + Fraction(27, 2) * m1**2 + Fraction(893, 3) * m1 + 281
        add = cube + Fraction(23, 2) * m1**2 + Fraction(677, 3) * m1 + 256
    branch = "n >= 7" if long else "n <= 7"
    return Algorithm(f"Jain and Rodriguez, {branch}", _linear(mult, none), _linear(add, none))


def cyril(m: int, corrected: bool = True) -> Algorithm:
    """Of third degree; corrected: A_3c has +251m/3 in place of -251m/6."""
    h, x = Fraction(1 + 2 * m), Fraction(m)
    one = h**3 / 6 + h**2 * (1 - x / 2) + h * (x**2 / 2 - 2 * x) - x**3 / 6 + x**2
    M2 = -3 * h**2 / 2 + h * (3 * x + Fraction(33, 2)) - 3 * x**2 / 2 - 15 * x / 2 + 12
    A2 = -3 * h**2 / 2 + h * (3 * x + 13) - 3 * x**2 / 2 - 17 * x / 2 + 9
    common = 5 * h**2 + x**3 / 6 + 53 * x**2 / 6
    M3 = common - h * (10 * x + Fraction(109, 6)) + 233 * x / 3 + 246
    last = 251 * x / 3 if corrected else -251 * x / 6
    A3 = common - h * (10 * x + Fraction(85, 6)) + last + 228
    mult, add = (one, M2, M3, Fraction(-123)), (one, A2, A3, Fraction(-102))
    name = "Cyril" if corrected else "Cyril, as printed"
    return Algorithm(name, CountPolynomial(mult), CountPolynomial(add))


def _forward(robot: Robot, q: Array, qd: Array, tau: Array) -> Array:
    return recursion.forward_dynamics(robot, q, qd, tau)


def _dense(robot: Robot, q: Array, qd: Array, tau: Array) -> Array:
    """Mass matrix, bias, factors L D L^T."""
    h = recursion.bias_force(robot, q, qd)
    return definite(recursion.mass_matrix(robot, q)).solve(tau - h)


OURS = {"Supple, recursive": _forward, "Supple, dense": _dense}


@cache
def counted(name: str, m: int) -> Algorithm:
    """One of OURS, counted on chains of LENGTHS."""
    found = {n: _operations(name, n, m) for n in LENGTHS}
    mult, add = (
        fitted({n: count[kind] for n, count in found.items()})
        for kind in ("multiplications", "additions")
    )
    return Algorithm(name, mult, add)


@cache
def _operations(name: str, n: int, m: int) -> dict[str, int]:
    robot, graph = with_base_inertia(flexible_chain(n, m)), Graph()
    given = (graph.vector(letter, robot.nv) for letter in ("q", "v", "x"))
    return graph.operations(list(OURS[name](robot, *given)))


def table(n: int = 8, m: int = 2) -> ReportTable:
    """Table 1, with the numbers of links from which on each is dearer than the paper's own."""
    told = {row[0]: f"{row[1]}, {row[2]}" for row in printed("counts")}
    own = proposed(m)
    rows: list[tuple[object, ...]] = []
    for a in (own, jain(m), jain(m, False), cyril(m), cyril(m, False)):
        name = a.name.partition(",")[0]
        told_here = (
            "" if a.name in ("Jain and Rodriguez, n <= 7", "Cyril, as printed") else told[name]
        )
        rows.append((*_row(a, n), told_here, "" if a is own else _benefit(own, a)))
    for which in OURS:
        rows.append((*_row(counted(which, m), n), "", ""))
    linear, dense = (counted(which, m) for which in OURS)
    columns = (
        *("algorithm", "multiplications", "additions", f"M, n = {n}", f"A, n = {n}"),
        *("printed", "the paper's has fewer M; fewer A, for n"),
    )
    ends = (_last(own.mult, jain(m).mult), _last(own.add, jain(m).add))
    notes = (
        f"Bending by m = {m} shapes in each of two planes. Supple: counted on chains of "
        f"{LENGTHS[0]} to {LENGTHS[-1]} links with hub, payload, offsets and twists; the "
        "polynomial through all counts.",
        "n* = 8 comes of the branches of Jain and Rodriguez alone: by the one for n <= 7 theirs is "
        f"cheaper from {_last(own.mult, jain(m, False).mult) + 1} links on (additions: "
        f"{_last(own.add, jain(m, False).add) + 1}); by the one for n >= 7 the paper's is cheaper "
        f"up to {ends[0]} links (additions: {ends[1]}), and dearer beyond, its slope being larger.",
        "Cyril as printed misses its own total; +251m/3 in A_3c gives 12683. Both his formulas end "
        "on thirds (13990 1/3 and 12683 1/3), which no count does.",
        f"At n = {n} Supple's recursion takes {float(linear.mult(n) / dense.mult(n)):.2f} of the "
        f"multiplications of its own dense way, and {float(linear.mult(n) / own.mult(n)):.2f} of "
        "the paper's.",
    )
    return ReportTable("Table 1: forward dynamics", columns, tuple(rows), notes)


def _row(a: Algorithm, n: int) -> tuple[object, ...]:
    return a.name, str(a.mult), str(a.add), int(a.mult(n)), int(a.add(n))


def _benefit(own: Algorithm, other: Algorithm) -> str:
    return f"{_where(own.mult, other.mult)}; {_where(own.add, other.add)}"


def _where(a: CountPolynomial, b: CountPolynomial, far: int = 200) -> str:
    """For which n, 1 to far, a is below b."""
    below = [n for n in range(1, far + 1) if a(n) < b(n)]
    if not below:
        return "none"
    last = "" if below[-1] == far else f"{below[-1]}"
    return f"{below[0]} to {last}" if last else f"{below[0]} on"


def _last(a: CountPolynomial, b: CountPolynomial, far: int = 1000) -> int:
    return max(n for n in range(1, far) if a(n) < b(n))


def growth_table() -> ReportTable:
    """What one link more costs, by the number of shapes m."""
    rows: list[tuple[object, ...]] = []
    papers = {m: proposed(m) for m in range(1, 7)}
    ours = {m: counted("Supple, recursive", m) for m in SHAPES}
    for name, found in (("Mohan and Saha, printed", papers), ("Supple, counted", ours)):
        for kind, part in (("M", "mult"), ("A", "add")):
            slopes = [int(getattr(found[m], part).coefficients[0]) for m in SHAPES]
            rows.append((name, kind, *slopes))
    columns = ("algorithm", "", *(f"m = {m}" for m in SHAPES))
    law = fitted({m: int(papers[m].mult.coefficients[0]) for m in range(1, 7)})
    notes = (
        f"Printed, multiplications: {str(law).replace('n', 'm')}. The cubic term comes of the "
        "factors of a link's own block, (1 + 2m)^3/6. The abstract's O(n) + O(m^3/3) is therefore "
        "O(n m^3): every link has its block.",
    )
    return ReportTable("Table 1: a link more, by its shapes", columns, tuple(rows), notes)


__all__ = ["counted", "cyril", "growth_table", "jain", "proposed", "table"]
