"""[CibicikEgeland]: dual screws and the 4-DOF arm of section VI.

tables        the manoeuvre (`manoeuvre`): costs, claims, largest values, three ways
written_out   nonlinear and linearised Kane's equations, written out: operations
groups        right velocities of G2 (15)-(21), projection matrices with twelve rows (91)-(96)
appendix_b    (146)-(149)
figures       Figs. 5 to 10
"""

from __future__ import annotations

import numpy as np

from ..manoeuvre import robot, run
from ..report import Compared, PaperReport, ReportSection, ReportTable, printed_data, report_of
from . import appendix_b, groups, tables, written_out
from .figures import figures


def report() -> PaperReport:
    drawn = figures()
    return report_of(
        "cibicik-egeland",
        "Cibicik and Egeland (2020): flexible robotic manipulators using dual screws",
        (
            ReportSection("Costs", (tables.costs(), written_out.table())),
            ReportSection("The arm", (parameters(),), drawn[:1]),
            ReportSection(
                "The manoeuvre", (tables.claims(), tables.largest(), tables.joints()), drawn[1:5]
            ),
            ReportSection("Torques", (tables.torques(),), drawn[5:]),
            ReportSection("The linearised equations", (tables.three_ways(),)),
            ReportSection(
                "Dual transformations and projection matrices",
                (groups.velocities(), groups.twelve_rows(), *groups.printed_rows()),
            ),
            ReportSection("Appendix B", (appendix_b.table(), appendix_b.nonlinear())),
        ),
        "A. Cibicik and O. Egeland, Kinematics and Dynamics of Flexible Robotic Manipulators Using "
        "Dual Screws. IEEE Transactions on Robotics, 2020, doi 10.1109/TRO.2020.3014519.",
        compared(),
    )


def parameters() -> ReportTable:
    """Table I, and what the model file holds."""
    arm = robot()
    one, two, three, four = (link.body for link in arm.links)
    held = {
        "L_1": arm.links[1].mount.r0[2],
        "L_2": two.stations["tip"].r0[0],
        "L_3": three.stations["tip"].r0[0],
        "L_4": four.stations["tip"].r0[0],
        "d_1": one.c0[2] / one.mass,
        "d_4": four.c0[0] / four.mass,
        "m_1": one.mass,
        "m_4": four.mass,
        "rho_2 A_2 L_2": two.mass,
        "rho_3 A_3 L_3": three.mass,
        "I_13": one.W0[0, 0] + one.W0[1, 1],
        "I_41": four.W0[1, 1] + four.W0[2, 2],
    }
    printed = printed_data("cibicik-egeland")["table_1"]
    rows = tuple((k, unit, value, float(held[k])) for k, unit, value in printed)
    notes = ("Products of tabulated numbers where the model holds only those.",)
    return ReportTable("Table I: the arm", ("term", "unit", "printed", "in the model"), rows, notes)


def compared() -> tuple[Compared, ...]:
    """What section VI and Appendix B say, in numbers."""
    rows = {str(row[0]): str(row[2]) for row in tables.claims().rows}
    (a, b, full), (c, d, short) = (written_out.counts(way) for way in written_out.WAYS)
    shared = (a + b) / (c + d)
    right = [str(row[3]) for row in appendix_b.table().rows]
    wrong, mended = appendix_b.nonlinear().rows
    linear, paper = run("linearised"), run("nonlinear")
    slew = float(np.rad2deg(np.abs(linear.q - paper.q)[:, tables.indices("joints")].max()))
    return (
        Compared("VI-B", "CPU time, nonlinear over linearised", "12.4 (3901 s, 314 s)",
                 f"operations: {full / short:.0f} with nothing shared, {shared:.2f} with all",
                 "between them", "agrees"),
        Compared("VI-B", "linearised models are more efficient", "yes",
                 "written out yes, by recursion no", "see Disputed", "disputed"),
        Compared("VI-B, Fig. 6", "joints, nonlinear less linearised", "not visible",
                 f"{slew:.2g} deg", "holds", "agrees"),
        Compared("VI-B, Figs. 8, 9", "torsion and bending in xz before 3 s", "0",
                 rows["torsion and bending in xz before 3 s"], "0", "agrees"),
        Compared("Fig. 7", "bending in xy after 3 s", "does not change",
                 f"by {rows['bending in xy after 3 s: change, %']} %", "holds", "agrees"),
        Compared("Fig. 10", "torque of joint 1 after 4 s", "does not change",
                 f"by {rows['torque of joint 1 after 4 s: change, %']} %", "gains are ours",
                 "reading"),
        Compared("Appendix B", "(146), (147), (149) less P^ u, as symbols", "0",
                 ", ".join(right), "0", "agrees"),
        Compared("Appendix B", "(148) less the derivative of the position", "0",
                 f"{wrong[-1]:.2g} m/s; {mended[-1]:.1g} without its last term", "a term twice",
                 "misprint"),
        Compared("(15)-(21), (91)-(96)", "all relations, largest defect", "0",
                 f"{groups.largest_defect():.1e}", "rounding", "agrees"),
    )  # fmt: skip
