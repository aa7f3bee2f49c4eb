"""[LinLewis], 4.2: why the print says j76.98 where the zeros are j76.95.

With clamped-free shapes the zeros are the frequencies of the clamped link, s^2 M_FF + U_FF. The
tip mass is 60 times that of the link, so M_FF = rho A L 1 + 4 m_p [1 -1; -1 1] has the link's own
mass, 0.00167, behind 0.4: rounded to five digits, 0.40167 keeps three of it, and the second
zero hangs on them.
"""

from __future__ import annotations

import numpy as np

from ...recursion import mass_matrix
from ...types import Floats
from ..report import ReportTable
from .cases import one_link

DIGITS = (4, 5, 6, 7, 16)


def rounded(A: Floats, digits: int) -> Floats:
    """Each entry to so many significant digits, as a print-out has it."""
    return np.asarray(np.vectorize(lambda x: float(f"{x:.{digits - 1}e}"))(A))


def clamped_zeros(digits: int) -> Floats:
    """w of s = +-jw, both matrices rounded."""
    robot = one_link("clamped_free", 2)
    M = np.asarray(mass_matrix(robot, robot.neutral()), dtype=float)[1:, 1:]
    K = robot.links[0].body.K
    squares = np.linalg.eigvals(np.linalg.solve(rounded(M, digits), rounded(K, digits)))
    return np.asarray(np.sort(np.sqrt(squares.real)))


def table() -> ReportTable:
    rows = []
    for digits in DIGITS:
        low, high = clamped_zeros(digits)
        said = "as printed: j1.0914, j76.98" if digits == 5 else "ours" if digits == 16 else ""
        rows.append((digits, f"{low:.4f}", f"{high:.2f}", said))
    notes = (
        "M_FF[1,1] = 0.4016713 = rho A L + 4 m_p = 0.0016713 + 0.4. Rounded to five digits it is "
        "0.40167, the link's own mass 0.08 % too small, the second zero 0.04 % too large: the "
        "printed one. The first, which hangs on the tip mass, does not feel it.",
    )
    columns = ("digits of M_FF and U_FF", "first zero, +-j", "second zero, +-j", "")
    title = "4.2 clamped-free zeros by the digits of the matrices: 76.98 and 76.95"
    return ReportTable(title, columns, tuple(rows), notes)
