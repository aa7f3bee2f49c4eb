"""What derivatives take, in operations of the function itself."""

from __future__ import annotations

from supple.engine import Function, compile
from supple.model import load
from supple.tracer import quickly

from .table import Table

ROBOTS = ("puma", "canadarm", "canadarm-spatial")
COLUMNS = ("robot", "quantity", "operations", "J v", "J^T w", "Jacobian", "Hessian in q")
NOTE = (
    "Operations of one evaluation; of derivatives as multiples of the function's, with respect to "
    "all arguments (the Hessian: to q)."
)


def study(seconds: float, robots: tuple[str, ...] = ROBOTS) -> list[Table]:
    quantities = ("forward_dynamics", "inverse_dynamics")
    with quickly():
        rows = [row(name, what) for name in robots for what in quantities]
    return [Table(COLUMNS, rows, (NOTE,))]


def row(name: str, what: str) -> tuple[str | float, ...]:
    f = compile(load(name), what, unroll=True)
    own, names = operations(f), [*f.arguments]
    others = (f.jvp(*names), f.vjp(*names), f.jacobian(*names), f.hessian("q"))
    return name, what, own, *(operations(g) / own for g in others)


def operations(f: Function) -> int:
    return sum(f.operations().values())
