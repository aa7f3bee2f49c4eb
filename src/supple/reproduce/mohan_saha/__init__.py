"""[MohanSaha]: serial robots with flexible links; Tables 1 and 2, Figs. 4 to 8, and the claims.

counts     Table 1: operations, printed and counted
matrices   Table 2 as a Denavit-Hartenberg table; A, P, N_l, N_d of eqs. (7)-(15)
arm        the Canadarm and its forced runs, by recursion and by dense Cholesky factors
runs       section 7: deviations, powers, accelerations, claims
modes      how the answer changes with shapes and kinematics
figures    Figs. 3 to 8
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..report import Compared, Dispute, PaperReport, ReportSection, compare, report_of
from . import counts, figures, matrices, modes, runs
from .arm import desired, forced, printed


def report() -> PaperReport:
    drawn = figures.figures()
    found = report_of(
        "mohan-saha",
        "Mohan and Saha: simulation of serial robots with flexible links",
        (
            ReportSection("Operations", (counts.table(), counts.growth_table())),
            ReportSection(
                "The Canadarm and its matrices",
                (matrices.parameters(), matrices.propagation()),
                drawn[:1],
            ),
            ReportSection("7.1 The forced run", (runs.deviations(),), drawn[1:4]),
            ReportSection(
                "7.2 Powers and accelerations", (runs.powers(), runs.accelerations()), drawn[4:6]
            ),
            ReportSection("7.1 Shapes and kinematics", (modes.table(),), drawn[6:]),
            ReportSection("What section 7 claims", (runs.claims(),)),
        ),
        "A. Mohan and S. K. Saha, A Computationally Efficient and Numerically Stable Simulation "
        "Algorithm for Serial Robots with Flexible Links.",
        compared(),
    )
    return replace(found, disputed=disputed())


def compared() -> tuple[Compared, ...]:
    """The totals of Table 1, and what section 7 says."""
    out = []
    found = {"Mohan and Saha": counts.proposed(2), "Jain and Rodriguez": counts.jain(2)}
    for name, mult, add in printed("counts"):
        own = found.get(name) or counts.cyril(2)
        for kind, said, ours in (("M", mult, own.mult(8)), ("A", add, own.add(8))):
            what = f"{name}: {kind} at n = 8, m = 2"
            out.append(compare("Table 1", what, said, int(ours), "agrees"))
    wrong = int(counts.cyril(2, False).add(8))
    out.append(compare("Table 1", "Cyril: A by -251m/6 as printed", 12683, wrong, "misprint"))
    a, b = forced("recursive"), forced("dense")
    apart = float(np.abs(a.q - b.q)[:, a.joints].max())
    left, work = runs.energy_left(a)
    rate = float(desired(10.0)[1][0])
    return (
        *out,
        Compared("7.2, Fig. 6", "dense Cholesky", "blows up after about 5 s",
                 f"routes within {apart:.0e} rad to 10 s", "does not hold", "disputed"),
        Compared("7.2, Fig. 7", "power difference of the dense route", "unacceptable after 3.5 s",
                 f"routes within {np.abs(a.power - b.power).max():.0e} W", "does not hold",
                 "disputed"),
        Compared("7.2", "a flexible link dissipates", "yes",
                 f"energy less work: {left:.0e} J of {work:.0f} J", "does not hold", "disputed"),
        Compared("(44)", "rate of joint 1 at 10 s, rad/s", "0 (rest to rest)", f"{rate:.3g}",
                 f"{rate:+.3g}", "misprint"),
    )  # fmt: skip


def disputed() -> tuple[Dispute, ...]:
    """The claims of section 7 that do not hold."""
    rows = runs.claims().rows
    out = []
    for claim, found in rows[:5]:
        where, _, words = str(claim).partition(": ")
        out.append(Dispute(where, words, str(found)))
    return (*out, *(Dispute(*row) for row in printed("disputed")))
