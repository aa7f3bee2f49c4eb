"""How many multiplications and additions one evaluation takes, beside what the papers print."""

from __future__ import annotations

from ..engine import compile
from ..model import load
from .chains import flexible_chain

QUANTITIES = {"forward": "forward_dynamics", "inverse": "inverse_dynamics", "mass": "mass_matrix"}
# (quantity, robot): the best the papers print, multiplications / additions, and where
_PRINTED = {
    ("forward", "puma"): ("910 / 767", "[Saha] Table 2, Mohan and Saha, n = 6"),
    ("inverse", "puma"): ("489 / 421", "[Saha] Table 1, Balafoutis et al., n = 6"),
    ("forward", "flexible chain of 8"): (
        "9874 / 7699",
        "[MohanSaha] Table 1, n = 8, m = 2",
    ),
}


def operation_rows() -> list[tuple[str, str, int, int, int, str, str]]:
    """(robot, quantity, mult, add, divisions, printed mult / add, where printed)."""
    robots = [load(n) for n in ("puma", "stanford", "canadarm", "canadarm-spatial", "cibicik-arm")]
    rows = []
    for robot in [*robots, flexible_chain(8)]:
        for what, quantity in QUANTITIES.items():
            n = compile(robot, quantity, loops=False).operations()
            printed = _PRINTED.get((what, robot.name), ("", ""))
            ours = (n["multiplications"], n["additions"], n["divisions"])
            rows.append((robot.name, what, *ours, *printed))
    return rows
