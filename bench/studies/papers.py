"""The papers' tables of operations, and ours beside them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.robot import Robot

from .chains import flexible_chain, general_chain
from .operations import counted
from .table import Table


@dataclass(frozen=True)
class Printed:
    """An algorithm of a paper's table: multiplications and additions, polynomials in n."""

    name: str
    mult: tuple[float, ...]  # highest power first
    add: tuple[float, ...]


# [Saha], Tables 1 and 2, as printed. [MohanSaha], Table 1, m = 2
_INVERSE = (
    Printed("Hollerbach (1980)", (412, -277), (320, -201)),
    Printed("Luh et al. (1980)", (150, -48), (131, 48)),
    Printed("Walker and Orin (1982)", (137, -22), (101, -11)),
    Printed("Saha (1999)", (120, -44), (97, -55)),
    Printed("Khalil et al. (1986)", (105, -92), (94, -86)),
    Printed("Angeles et al. (1989)", (105, -109), (90, -105)),
    Printed("Balafoutis et al. (1988)", (93, -69), (81, -65)),
)
_FORWARD = (
    Printed("Walker and Orin (1982)", (1 / 6, 23 / 2, 115 / 3, -47), (1 / 6, 7, 233 / 6, -46)),
    Printed("Brandl et al.", (250, -222), (220, -198)),
    Printed("Valasek", (226, -343), (206, -345)),
    Printed("Featherstone (1983)", (199, -198), (174, -173)),
    Printed("Saha (2003)", (191, -284), (187, -325)),
    Printed("Mohan and Saha (2007)", (173, -128), (150, -133)),
)
_FLEXIBLE = (
    Printed("Cyril", (13990,), (12683,)),
    Printed("Jain and Rodriguez", (10568,), (8344,)),
    Printed("Mohan and Saha", (9874,), (7699,)),
)


NOTES = (
    "The papers' rows are the polynomials in n that their tables print. Additions of Luh et al.: "
    "131 n + 48 as printed (834 at n = 6); we remember 131 n - 48 (738) from the literature.",
    "Supple's rows of [Saha] count straight-line code for `general_chain(n)`: revolute joints; "
    "lengths, offsets and twists of Denavit and Hartenberg, mass centres, all six moments of "
    "inertia and all three components of gravity not zero, no twist a right angle. With other "
    "such constants the multiplications are the same, the additions within 5 (n = 6 and 12). "
    "Divisions (n - 1, forward dynamics only), sines and cosines are not counted.",
    "Supple's row of [MohanSaha]: 8 beams, alternate axes at right angles, two clamped-free "
    "shapes in each of two planes.",
)


def study(_: float) -> list[Table]:
    return [Table(("printed in", "n", "algorithm", "mult", "add"), [*paper_rows()], NOTES)]


def paper_rows() -> list[tuple[str, int, str, int, int]]:
    """(table, n, algorithm, mult, add): as printed, then ours: see NOTES."""
    rows = []
    for n in (6, 12):
        rows += _beside("[Saha] Table 1", _INVERSE, "inverse_dynamics", n, general_chain(n))
    for n in (6, 12):
        rows += _beside("[Saha] Table 2", _FORWARD, "forward_dynamics", n, general_chain(n))
    rows += _beside("[MohanSaha] Table 1", _FLEXIBLE, "forward_dynamics", 8, flexible_chain(8))
    return rows


def _beside(
    table: str, printed: tuple[Printed, ...], what: str, n: int, robot: Robot
) -> list[tuple[str, int, str, int, int]]:
    ours = counted(robot, what)
    rows = [(table, n, x.name, _at(x.mult, n), _at(x.add, n)) for x in printed]
    return [*rows, (table, n, "Supple", ours["multiplications"], ours["additions"])]


def _at(polynomial: tuple[float, ...], n: int) -> int:
    return round(float(np.polyval(polynomial, n)))
