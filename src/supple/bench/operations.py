"""How many multiplications and additions one evaluation takes, beside what the papers print."""

from __future__ import annotations

from ..engine import compile
from ..model import load
from .chains import flexible_chain

# (quantity, robot, the best the papers print: multiplications, additions, where)
_PRINTED = {
    ("forward_dynamics", "puma"): (910, 767, "[Saha] Table 2, Mohan and Saha, n = 6"),
    ("inverse_dynamics", "puma"): (489, 421, "[Saha] Table 1, Balafoutis et al., n = 6"),
    ("forward_dynamics", "flexible chain of 8"): (9874, 7699, "[MohanSaha] Table 1, n = 8, m = 2"),
}


def operation_rows() -> list[tuple[str, str, int, int, int, int | str, int | str, str]]:
    """(robot, quantity, mult, add, divisions, printed mult, printed add, where printed)."""
    robots = [load(n) for n in ("puma", "stanford", "canadarm", "canadarm-spatial", "cibicik-arm")]
    rows = []
    for robot in [*robots, flexible_chain(8)]:
        for what in ("forward_dynamics", "inverse_dynamics", "mass_matrix"):
            n = compile(robot, what, loops=False).operations()
            printed = _PRINTED.get((what, robot.name), ("", "", ""))
            ours = (n["multiplications"], n["additions"], n["divisions"])
            rows.append((robot.name, what, *ours, *printed))
    return rows
