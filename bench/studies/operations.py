"""How many multiplications and additions one evaluation takes, beside what the papers print."""

from __future__ import annotations

from supple.engine import Request, trace_quantity
from supple.model import load
from supple.robot import Robot

from .chains import flexible_chain
from .table import Table

QUANTITIES = {"forward": "forward_dynamics", "inverse": "inverse_dynamics", "mass": "mass_matrix"}
# (quantity, robot): multiplications / additions that a paper's table prints, and of what
_PRINTED = {
    ("forward", "puma"): ("910 / 767", "[Saha] Table 2, Mohan and Saha (2007), n = 6"),
    ("inverse", "puma"): ("489 / 421", "[Saha] Table 1, Balafoutis et al. (1988), n = 6"),
    ("forward", "flexible chain of 8"): (
        "9874 / 7699",
        "[MohanSaha] Table 1, Mohan and Saha, n = 8, m = 2",
    ),
}
NOTES = (
    "Printed counts hold for links with any constants; the zeros and right angles of a robot's "
    "own constants are used up in ours. The table `papers` counts a chain that has none.",
    "Of [Saha] Table 1 the fewest operations are shown. Of Table 2, those of the paper's own O(n) "
    "algorithm: Saha (2003) takes fewer multiplications (862 / 797), and at n = 6 the O(n^3) "
    "algorithm of Walker and Orin fewer of both (633 / 475).",
    "The flexible chain has 8 beams, alternate axes at right angles, and two clamped-free shapes "
    "in each of two planes.",
)


def study(_: float) -> list[Table]:
    columns = ("robot", "quantity", "mult", "add", "div", "printed", "where")
    return [Table(columns, [*operation_rows()], NOTES)]


def operation_rows() -> list[tuple[str, str, int, int, int, str, str]]:
    """(robot, quantity, mult, add, divisions, printed mult / add, where printed)."""
    robots = [load(n) for n in ("puma", "stanford", "canadarm", "canadarm-spatial", "cibicik-arm")]
    rows = []
    for robot in [*robots, flexible_chain(8)]:
        for what, quantity in QUANTITIES.items():
            n = counted(robot, quantity)
            printed = _PRINTED.get((what, robot.name), ("", ""))
            ours = (n["multiplications"], n["additions"], n["divisions"])
            rows.append((robot.name, what, *ours, *printed))
    return rows


def counted(robot: Robot, what: str) -> dict[str, int]:
    """Of straight-line code, which need not be compiled for it."""
    return trace_quantity(Request(robot, what)).program().operations()
