"""[MohanSaha]: serial robots with flexible links; Tables 1 and 2, Figs. 4 to 8, and the claims.

counts     Table 1: operations, printed and counted
matrices   Table 2 as a Denavit-Hartenberg table; A, P, N_l, N_d of eqs. (7)-(15)
arm        the Canadarm and its forced runs, by recursion and by dense Cholesky factors
runs       section 7: deviations, powers, accelerations, claims
modes      how the answer changes with shapes and kinematics
figures    Figs. 4 to 8
"""

from __future__ import annotations

from ..report import Misprint, Report
from . import counts, figures, matrices, modes, runs
from .arm import printed


def report() -> Report:
    return Report(
        "mohan-saha",
        "Mohan and Saha: simulation of serial robots with flexible links",
        (
            counts.table(),
            counts.growth_table(),
            matrices.parameters(),
            matrices.propagation(),
            runs.deviations(),
            runs.powers(),
            runs.accelerations(),
            modes.table(),
            runs.claims(),
        ),
        tuple(Misprint(*row) for row in printed("misprints")),
        figures.figures(),
    )
