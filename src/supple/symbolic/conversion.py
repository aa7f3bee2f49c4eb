"""Between the graph, on which equations are derived, and SymPy, in which they are read."""

from __future__ import annotations

from functools import reduce
from operator import add, mul

import numpy as np
import sympy

from ..screws import larger
from ..tracer.in_sympy import in_sympy
from ..types import Array, Scalar
from . import subexpressions
from .naming.named_graph import NamedGraph
from .stumpff import Stumpff, function


class Converter:
    """Turns nodes of a named graph into SymPy expressions; equal nodes become one object."""

    def __init__(self, named: NamedGraph) -> None:
        self.named = named
        self._made: dict[int, sympy.Expr] = {}
        self._series = {c.number: (k, one) for one in named.all_series for k, c in one.c.items()}

    def matrix(self, X: Array) -> sympy.ImmutableMatrix:
        """(n, m) or (n,) as a matrix."""
        X = np.asarray(X, dtype=object)
        table = X.reshape(len(X), 1) if X.ndim < 2 else X
        flat = self.values(list(table.ravel()))
        return sympy.ImmutableMatrix(*table.shape, flat)

    def values(self, outputs: list[Scalar]) -> list[sympy.Expr]:
        return in_sympy(self.named.graph, outputs, self._input, self._made)

    def _input(self, n: int) -> sympy.Expr:
        """A symbol, or a Stumpff function of what it is a function of."""
        if n not in self._series:
            graph = self.named.graph
            return sympy.Symbol(graph.inputs[int(graph.keys[n][1])])
        k, one = self._series[n]
        return function(k)(*self.values([one.s]))


def in_graph(named: NamedGraph, expressions: list[sympy.Expr]) -> list[Scalar]:
    """SymPy expressions as nodes of the graph: the way back."""
    at: dict[sympy.Expr, Scalar] = {}
    for e in subexpressions.distinct(expressions):
        at[e] = _node(named, e, [at[x] for x in e.args])
    return [at[e] for e in expressions]


def _node(named: NamedGraph, e: sympy.Expr, parts: list[Scalar]) -> Scalar:
    if e.is_Symbol:
        return named.graph.input(e.name)
    if not parts:
        return float(e)
    if e.is_Add:
        return reduce(add, parts)
    if e.is_Mul:
        return reduce(mul, sorted(parts, key=lambda x: isinstance(x, float)))  # numbers last
    if e.is_Pow:
        n = int(e.args[1])
        whole = reduce(mul, [parts[0]] * abs(n))
        return whole if n > 0 else 1.0 / whole
    if isinstance(e, sympy.Max):
        return reduce(larger, sorted(parts, key=lambda x: isinstance(x, float)))
    if isinstance(e, Stumpff):
        return named.series(parts[0]).c[e.k]
    return getattr(np, type(e).__name__)(parts[0])
