"""[Saha]: serial, parallel and closed chains; Tables 1 to 5, Figs. 4 to 9, 11 to 14, 17 to 20.

counts      Tables 1 and 2, and the complexity of section 4, counted
parameters  Tables 3 and 4
serial      PUMA and Stanford arm, section 2.5
matrices    N_l, N_d, W, E, C of the PUMA
five_bar    section 3.5, with N_l N_c N_d
scraper     section 4.4, and the cuts of the four-bar of section 4.1
relations   (24)-(33), (38)-(52) put to the test
"""

from __future__ import annotations

from ..report import Compared, PaperReport, ReportSection, Verdict, compare, report_of
from . import counts, five_bar, matrices, parameters, relations, scraper, serial


def report() -> PaperReport:
    arms = serial.figures()
    return report_of(
        "saha",
        "Saha: recursive dynamics of serial, parallel and closed chains",
        (
            ReportSection("2 Operations", (counts.inverse_table(), counts.forward_table())),
            ReportSection(
                "2.5 PUMA and Stanford arm",
                (parameters.table("puma"), parameters.table("stanford"), *serial.tables()),
                arms,
            ),
            ReportSection("2 Matrices of the PUMA", matrices.tables()),
            ReportSection("3.5 The five-bar", five_bar.motion_tables(), five_bar.figures()),
            ReportSection(
                "3 Parallel manipulators: matrices and projectors",
                (relations.projectors(), relations.orders(), *five_bar.matrix_tables()),
            ),
            ReportSection(
                "4 Closed chains: the carpet scraper",
                (*scraper.tables(), relations.closed_chain(), counts.solving_table()),
                scraper.figures(),
            ),
        ),
        "S. K. Saha, Recursive Dynamics Algorithms for Serial, Parallel, and Closed-chain "
        "Multibody Systems.",
        compared(),
    )


def compared() -> tuple[Compared, ...]:
    """Every number of Tables 1 and 2, and the few that the text prints."""
    out = []
    for a, row in zip(counts.printed_algorithms("inverse"), counts.printed("inverse"), strict=True):
        said = [int(word[:-1]) for word in row[3].split()]
        for kind, told, count in zip("MA", said, (a.mult(6), a.add(6)), strict=True):
            what = f"{a.name}: {kind} at n = 6"
            slip: Verdict = "misprint" if row[3] == "489M 421M" and kind == "A" else "agrees"
            shown = "421M" if slip == "misprint" else ""
            out.append(compare("Table 1", what, told, int(count), slip, shown))
    for a, row in zip(counts.printed_algorithms("forward"), counts.printed("forward"), strict=True):
        for n, kinds in zip(row[3:5], counts.printed("forward_counts")[a.name], strict=True):
            for kind, told, p in zip("MA", kinds, (a.mult, a.add), strict=False):
                what = f"{a.name}: {kind} at n = {n}"
                out.append(compare("Table 2", what, told, int(p(n)), "agrees"))
    table = counts.forward_table().rows
    for row in table[:5]:
        star, plus = (int(x) for x in str(row[8]).split(", "))
        for what, told, ours in (("n*", star, row[5]), ("n+ (each)", plus, row[6])):
            found = int(str(ours))
            verdict: Verdict = "agrees" if told == found else "misprint"
            out.append(compare("Table 2", f"{row[0]}: {what}", told, found, verdict))
    fall = five_bar.singular_time()
    out.append(
        Compared("3.5, Fig. 14", "free fall stops at a singularity", "after about 1.4 s",
                 f"{fall:.4f} s", "a_0 was chosen by it", "reading")
    )  # fmt: skip
    solving = {row[0]: row for row in counts.solving_table().rows}
    ours = float(str(solving["all subsystems"][2]))
    out.append(
        Compared("4.4", "cost of the subsystems, sum k^3/3", "4^3/3 + 3^3/3 + 1 = 31.3",
                 f"{ours:g}", "-20 %", "misprint")
    )  # fmt: skip
    return tuple(out)
