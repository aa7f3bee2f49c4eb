"""The papers' tables of operations, and ours beside them."""

from __future__ import annotations

from collections.abc import Sequence

from supple.reproduce.saha.chain import general_chain
from supple.reproduce.saha.counts import Algorithm, printed_algorithms
from supple.reproduce.saha.polynomials import CountPolynomial
from supple.robot import Robot

from .chains import flexible_chain
from .operations import counted
from .table import Table

_FLEXIBLE = tuple(  # [MohanSaha], Table 1, m = 2
    Algorithm(name, CountPolynomial.of([mult]), CountPolynomial.of([add]))
    for name, mult, add in (
        ("Cyril", "13990", "12683"),
        ("Jain and Rodriguez", "10568", "8344"),
        ("Mohan and Saha", "9874", "7699"),
    )
)

NOTES = (
    "The papers' rows are the polynomials in n that their tables print. Additions of Luh et al.: "
    "131 n + 48 as printed (834 at n = 6); we remember 131 n - 48 (738) from the literature.",
    "Supple's rows of [Saha] count straight-line code for `general_chain(n)`: revolute joints; "
    "lengths, offsets and twists of Denavit and Hartenberg, mass centres, all six moments of "
    "inertia and all three components of gravity not zero, no twist a right angle. With other "
    "such constants the counts are the same (n = 6 and 12); `supple reproduce saha` finds the "
    "polynomials in n. Divisions (n - 1, forward dynamics only), sines and cosines are not "
    "counted.",
    "Supple's row of [MohanSaha]: 8 beams, alternate axes at right angles, two clamped-free "
    "shapes in each of two planes.",
)


def study(_: float) -> list[Table]:
    return [Table(("printed in", "n", "algorithm", "mult", "add"), [*paper_rows()], NOTES)]


def paper_rows() -> list[tuple[str, int, str, int, int]]:
    """(table, n, algorithm, mult, add): as printed, then ours: see NOTES."""
    rows = []
    for table, kind in (("[Saha] Table 1", "inverse"), ("[Saha] Table 2", "forward")):
        for n in (6, 12):
            told, what = printed_algorithms(kind), f"{kind}_dynamics"
            rows += _beside(table, told, what, n, general_chain(n))
    rows += _beside("[MohanSaha] Table 1", _FLEXIBLE, "forward_dynamics", 8, flexible_chain(8))
    return rows


def _beside(
    table: str, printed: Sequence[Algorithm], what: str, n: int, robot: Robot
) -> list[tuple[str, int, str, int, int]]:
    ours = counted(robot, what)
    rows = [(table, n, x.name, int(x.mult(n)), int(x.add(n))) for x in printed]
    return [*rows, (table, n, "Supple", ours["multiplications"], ours["additions"])]
