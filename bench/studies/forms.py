"""Straight-line code against a scan over the links, and which of them `compile` takes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from supple.analyse import Call, in_turns
from supple.engine import QUANTITIES, compile
from supple.robot import Robot
from supple.tracer import Function

from .chains import flexible_chain, general_chain, rigid_chain
from .table import Table

COLUMNS = ("quantity", "robot", "straight-line / us", "scan / us", "taken", "longer than the best")
CHAINS: dict[str, tuple[Callable[[int], Robot], tuple[int, ...]]] = {
    "rigid, aligned": (rigid_chain, (12, 36)),
    "rigid, general": (general_chain, (6, 16)),
    "bending, first order": (flexible_chain, (4, 8, 12)),
    "bending, second order": (
        lambda n: flexible_chain(n).replace(elastic_kinematics="second_order"),
        (3, 6),
    ),
}
SHOWN = ("forward_dynamics", "inverse_dynamics", "mass_matrix", "bias_force", "pose", "jacobian")


def study(seconds: float, shown: tuple[str, ...] = SHOWN, most: int = 36) -> list[Table]:
    """Of chains up to so many links."""
    rows = []
    for what in shown:
        for name, (chain, lengths) in CHAINS.items():
            for n in lengths:
                if n <= most:
                    rows.append(_row(chain(n), what, f"{n} links, {name}", seconds / 8))
    note = "Mass matrices of rigid chains may be taken in the axes of the world instead."
    return [Table(COLUMNS, rows, (note,))]


def _row(robot: Robot, what: str, name: str, seconds: float) -> tuple[object, ...]:
    station = f"{robot.links[-1].name}.origin" if QUANTITIES[what].station else None
    usual, straight, scan = (
        compile(robot, what, station=station, unroll=way) for way in (None, True, False)
    )
    found = {"taken": _call(usual), "straight": _call(straight), "scan": _call(scan)}
    best = in_turns(found, seconds)
    form = "straight-line" if usual.unrolled else "scan"
    lost = best["taken"] / min(best.values())
    return what, name, 1e6 * best["straight"], 1e6 * best["scan"], form, lost


def _call(function: Function) -> Call:
    rng = np.random.default_rng(0)
    return Call(function, tuple(0.01 * rng.normal(size=n) for n in function.arguments.values()))
