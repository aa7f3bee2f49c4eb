"""[LinLewis]: the four case studies of section 4 and the Appendix.

cases      4.1 to 4.4, the Appendix entry by entry, Theorem 1
rounding   4.2: why 76.98 is printed for 76.95
coriolis   4.3: what flexible motion changes
figures    zeros and eigenvalues
"""

from __future__ import annotations

from dataclasses import replace

from ...analyse.zeros import shape_eigenvalues, zeros
from ...model import load
from ...symbolic import equations
from ...types import Json
from ..report import (
    Compared,
    Misprint,
    PaperReport,
    ReportSection,
    ReportTable,
    Verdict,
    compare,
    report_of,
)
from . import coriolis, rounding
from .cases import (
    appendix,
    appendix_differences,
    blocks,
    eigenvalues,
    halved_zeros,
    one_link,
    printed,
    rigid_two_links,
    skew_defects,
    skew_table,
    textbook,
    turret,
    zeros_table,
)
from .figures import figures


def report() -> PaperReport:
    data = printed()
    drawn = figures()
    faults = [
        Misprint(f"Appendix, M[{k[0]},{k[1]}]", text, "see the table of the Appendix")
        for k, text in data["appendix_faults"].items()
    ]
    found = report_of(
        "lin-lewis",
        "Lin and Lewis (1994): a symbolic formulation of dynamic equations",
        (
            ReportSection("4.1 Two rigid links", (rigid_two_links(),)),
            ReportSection(
                "4.2 One flexible link",
                (eigenvalues(data), blocks(), zeros_table(data), rounding.table()),
                drawn,
            ),
            ReportSection(
                "4.3 Rigid and flexible link in three dimensions",
                (turret(), coriolis.influence(), coriolis.terms()),
            ),
            ReportSection("4.4 Rigid, flexible, rigid: the Appendix", (appendix(data), dropped())),
            ReportSection("Theorem 1", (skew_table(),)),
        ),
        "J. Lin and F. L. Lewis, A Symbolic Formulation of Dynamic Equations For a Manipulator "
        "With Rigid and Flexible Links. The International Journal of Robotics Research 13 (5), "
        "1994.",
        compared(data),
    )
    return replace(found, misprints=(*found.misprints, *faults))


def dropped() -> ReportTable:
    """Small terms left out of the RFR arm: never longer for it."""
    robot = load("lin-lewis-rfr")
    rows = []
    for share in (0.0, 0.001, 0.01, 0.1):
        eq = equations(robot, drop=share)
        size = eq.operations()
        rows.append((share, len(eq.left_out), size["written"], size["common"]))
    columns = ("share of its entry", "terms left out", "operations", "common terms shared")
    return ReportTable("4.4 insignificant terms neglected", columns, tuple(rows))


def compared(data: Json) -> tuple[Compared, ...]:
    """Eigenvalues and zeros."""
    robot = one_link("pinned_pinned", 15)
    found = shape_eigenvalues(robot, robot.neutral())
    out = []
    for k, (ours, text) in enumerate(zip(found, data["eigenvalues_pinned_15"], strict=True), 1):
        verdict: Verdict = "misprint" if str(k) in data["eigenvalue_faults"] else "agrees"
        shown = f"{text:g}" if k == 1 else f"{text:.2e}"
        what = f"eigenvalue {k}, 1/s^2"
        out.append(compare("4.2", what, text, float(ours), verdict, shown))
    pinned, clamped = (zeros(one_link(f, 2)).zeros for f in ("pinned_pinned", "clamped_free"))
    real, high = sorted(pinned.real)[2:], sorted(clamped.imag)[2:]
    out += [
        Compared("4.2", "zeros, pinned-pinned, two shapes, 1/s", "+-58.89 +- j76.06",
                 f"+-{real[0]:.4f}, +-{real[1]:.4f}", "real, not complex", "misprint"),
        compare("4.2", "first zero, clamped-free, +-j, 1/s", 1.0914, float(high[0]), "agrees"),
        compare("4.2", "second zero, clamped-free, +-j, 1/s", 76.98, float(high[1]), "misprint"),
        compare("4.2", "the same with matrices of five digits", 76.98,
                float(rounding.clamped_zeros(5)[1]), "agrees"),
    ]  # fmt: skip
    right = [k for k, e in appendix_differences(data).items() if e == 0]
    total = len(data["appendix"])
    out.append(
        Compared("Appendix", "entries of M that are right", f"{total} entries", str(len(right)),
                 f"{total - len(right)} with slips", "misprint")
    )  # fmt: skip
    inertia, force = coriolis.changes(0.01, 1.0)
    out.append(
        Compared("4.3", "what bending changes", "Coriolis terms much, M little",
                 f"{100 * force:.0f} % against {100 * inertia:.1g} %",
                 f"{force / inertia:.0f} times", "agrees")
    )  # fmt: skip
    return tuple(out)


__all__ = ["appendix_differences", "halved_zeros", "printed", "report", "skew_defects", "textbook"]
