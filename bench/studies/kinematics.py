"""What second-order kinematics costs beside first-order: operations and time, in one run."""

from __future__ import annotations

from functools import partial

import numpy as np

from supple.analyse import Call, in_turns
from supple.engine import compile
from supple.model import load

from .table import Table

ROBOTS = ("canadarm", "canadarm-spatial", "cibicik-arm")
COLUMNS = ("robot", "what", "first_order", "second_order", "ratio")


def study(seconds: float) -> list[Table]:
    return [Table(COLUMNS, [*order_rows(seconds)])]


def order_rows(seconds: float, count: int = 20_000) -> list[tuple[str, str, float, float, float]]:
    """Forward dynamics: operations (all kinds), microseconds a call, microseconds in a batch."""
    rows = []
    for name in ROBOTS:
        robots = {k: load(name).replace(elastic_kinematics=k) for k in COLUMNS[2:4]}
        functions = {k: compile(robot, "forward_dynamics") for k, robot in robots.items()}
        rng = np.random.default_rng(0)
        n = robots["first_order"].nv
        x = tuple(0.01 * rng.normal(size=(3, n)))
        many = tuple(0.01 * rng.normal(size=(3, count, n)))
        calls = {k: Call(f, (*x, f(*x))) for k, f in functions.items()}
        batches = {
            k: Call(partial(f.batch, out=f.batch(*many, threads=1), threads=1), many)
            for k, f in functions.items()
        }
        measured = {
            "operations": {k: float(sum(f.operations().values())) for k, f in functions.items()},
            "a call, us": {k: 1e6 * t for k, t in in_turns(calls, seconds).items()},
            "in a batch, us": {k: 1e6 * t / count for k, t in in_turns(batches, seconds).items()},
        }
        for what, both in measured.items():
            first, second = both["first_order"], both["second_order"]
            rows.append((name, what, first, second, second / first))
    return rows
