"""From a graph to SymPy: the same operations, in symbols a person knows."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import sympy
from sympy.core.parameters import distribute

from ..types import Scalar
from .graph import Expression, Graph
from .operations import OPERATIONS, operands


def in_sympy(
    graph: Graph,
    outputs: list[Scalar],
    leaf: Callable[[int], sympy.Expr],
    made: dict[int, sympy.Expr] | None = None,
) -> list[sympy.Expr]:
    """The outputs as SymPy expressions; `leaf(n)` is what input node n stands for.

    Equal nodes become one object; `made` keeps them between calls.
    """
    made = {} if made is None else made
    need = graph.live(outputs)
    with distribute(False):  # 2 (a + b) stays as it is: what is shared stays shared
        for n in range(len(need)):
            if need[n] and n not in made:
                made[n] = leaf(n) if graph.keys[n][0] == "input" else _node(graph, n, made)
    return [made[x.number] if isinstance(x, Expression) else number(x) for x in outputs]


def _node(graph: Graph, n: int, made: dict[int, sympy.Expr]) -> sympy.Expr:
    key = graph.keys[n]
    op, a, _ = key
    if op == "const":
        return number(float(a))
    functions = op not in ("+", "-", "*", "neg")
    with distribute(functions):  # sin(-(a + b)) would turn its sign for ever
        return OPERATIONS[op].symbols(sympy, *[made[k] for k in operands(key)])


def number(x: float) -> sympy.Expr:
    """A whole number or a small fraction where the float is one."""
    fraction = _fraction(float(x))
    if fraction is not None:
        return sympy.Rational(fraction.numerator, fraction.denominator)
    return sympy.Float(float(x))


def _fraction(value: float) -> Fraction | None:
    """The small fraction that a float stands for, if it does."""
    for bottom in (1, 2, 3, 4, 6, 8, 12):
        top = value * bottom
        if abs(top) < 1e6 and top == round(top) and round(top) / bottom == value:
            return Fraction(round(top), bottom)
    return None
