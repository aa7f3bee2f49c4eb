"""Batches in single precision beside double: time, and how far they are apart."""

from __future__ import annotations

from functools import partial

import numpy as np

from supple.analyse import Call, in_turns
from supple.engine import compile
from supple.model import load
from supple.recursion import mass_matrix

from .table import Table

ROBOTS = ("puma", "canadarm", "canadarm-spatial")
COLUMNS = ("robot", "quantity", "float64, ns", "float32, ns", "times faster", "apart", "cond(M)")
NOTE = (
    "A state in a batch, on one core; apart: the largest difference of a state's results over the "
    "largest of them, worst of all states."
)


def study(seconds: float, count: int = 20_000) -> list[Table]:
    quantities = ("forward_dynamics", "inverse_dynamics")
    rows = [row(name, what, seconds, count) for name in ROBOTS for what in quantities]
    return [Table(COLUMNS, rows, (NOTE,))]


def row(name: str, what: str, seconds: float, count: int) -> tuple[str | float, ...]:
    robot, rng = load(name), np.random.default_rng(0)
    q = rng.normal(size=(count, robot.nv))
    q[:, robot.mode_indices] *= 0.01
    x = [q, 0.1 * rng.normal(size=q.shape), 0.1 * rng.normal(size=q.shape)]
    calls, found = {}, {}
    for dtype in ("float64", "float32"):
        f = compile(robot, what, dtype=dtype)
        given = tuple(a.astype(np.float32).astype(dtype) for a in x)
        found[dtype] = f.batch(*given, threads=1)
        calls[dtype] = Call(partial(f.batch, out=found[dtype].copy(), threads=1), given)
    best = {dtype: 1e9 * t / count for dtype, t in in_turns(calls, seconds).items()}
    size = np.abs(found["float64"]).max(axis=1, keepdims=True)
    apart = float((np.abs(found["float32"] - found["float64"]) / size).max())
    condition = float(np.median([np.linalg.cond(mass_matrix(robot, at)) for at in q[:20]]))
    ratio = best["float64"] / best["float32"]
    return (name, what, best["float64"], best["float32"], ratio, f"{apart:.0e}", f"{condition:.0e}")
