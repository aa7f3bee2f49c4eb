"""SymPy expressions as a graph: every distinct subexpression is met once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from operator import add, mul

import numpy as np
import sympy

from .stumpff import Numbers, Stumpff, stumpff


def distinct(expressions: Iterable[sympy.Expr]) -> list[sympy.Expr]:
    """All distinct subexpressions, operands before what is made of them."""
    order: list[sympy.Expr] = []
    seen: set[sympy.Expr] = set()
    stack = [(e, False) for e in reversed(list(expressions))]
    while stack:
        e, ready = stack.pop()
        if ready:
            order.append(e)
        elif e not in seen:
            seen.add(e)
            stack.append((e, True))
            stack += [(x, False) for x in e.args]
    return order


def operations(expressions: Iterable[sympy.Expr]) -> int:
    """Operations when every distinct subexpression is computed once.

    A sum of n terms is n - 1 additions; a sign costs nothing; x**n by multiplying.
    """
    return sum(cost(e) for e in distinct(expressions))


def cost(e: sympy.Expr) -> int:
    if e.is_Add:
        return len(e.args) - 1
    if e.is_Mul:
        return len([a for a in e.args if a is not sympy.S.NegativeOne]) - 1
    if e.is_Pow:
        power = e.args[1]
        return max(1, abs(int(power)) - (int(power) > 0)) if power.is_Integer else 1
    return 1 if e.is_Function else 0


def tree_cost(expressions: list[sympy.Expr]) -> list[int]:
    """Operations of each expression when nothing is shared."""
    total: dict[sympy.Expr, int] = {}
    for e in distinct(expressions):
        total[e] = cost(e) + sum(total[a] for a in e.args)
    return [total[e] for e in expressions]


def evaluate(
    expressions: list[sympy.Expr], values: Mapping[sympy.Symbol, Numbers]
) -> list[Numbers]:
    """The expressions at these values of their symbols (floats, or arrays of one shape)."""
    at: dict[sympy.Expr, Numbers] = {}
    for e in distinct(expressions):
        at[e] = _value(e, at, values)
    return [at[e] for e in expressions]


def _value(
    e: sympy.Expr, at: dict[sympy.Expr, Numbers], values: Mapping[sympy.Symbol, Numbers]
) -> Numbers:
    if e.is_Symbol:
        return values[e]
    if not e.args:
        return float(e)
    arguments = [at[x] for x in e.args]
    if e.is_Add:
        return reduce(add, arguments)
    if e.is_Mul:
        return reduce(mul, arguments)
    if e.is_Pow:
        return arguments[0] ** (int(e.args[1]) if e.args[1].is_Integer else arguments[1])
    if isinstance(e, sympy.Max):
        return reduce(np.maximum, arguments)
    if isinstance(e, Stumpff):
        return stumpff(e.k, arguments[0])
    value: Numbers = getattr(np, type(e).__name__)(*arguments)
    return value
