"""From the graph to SymPy: the same operations, in symbols a person knows."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy
from sympy.core.parameters import distribute

from ..tracer import Expression
from ..tracer.operations import OPERATIONS, operands
from ..types import Array, Scalar
from .closed import simple
from .sheet import Sheet
from .stumpff import function


class Converter:
    """Turns nodes of a sheet into SymPy expressions; equal nodes become one object."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self._made: dict[int, Any] = {}
        self._series = {c.number: (k, one) for one in sheet.all_series for k, c in one.c.items()}

    def matrix(self, X: Array) -> sympy.ImmutableMatrix:
        """(n, m) or (n,) as a matrix."""
        X = np.asarray(X, dtype=object)
        table = X.reshape(len(X), -1) if X.ndim < 2 else X
        flat = self.values(list(table.ravel()))
        return sympy.ImmutableMatrix(*table.shape, flat)

    def values(self, outputs: list[Scalar]) -> list[Any]:
        with distribute(False):  # 2 (a + b) stays as it is: what is shared stays shared
            self._make(outputs)
        return [self._made[x.number] if isinstance(x, Expression) else number(x) for x in outputs]

    def _make(self, outputs: list[Scalar]) -> None:
        graph = self.sheet.graph
        need = graph.live(outputs)
        for n in range(len(need)):
            if need[n] and n not in self._made:
                self._made[n] = self._node(n)

    def _node(self, n: int) -> Any:
        key = self.sheet.graph.keys[n]
        op, a, _ = key
        if op == "input":
            return self._input(n, self.sheet.graph.inputs[int(a)])
        if op == "const":
            return number(float(a))
        functions = op not in ("+", "-", "*", "neg")
        with distribute(functions):  # sin(-(a + b)) would turn its sign for ever
            return OPERATIONS[op].symbols(sympy, *[self._made[k] for k in operands(key)])

    def _input(self, n: int, name: str) -> Any:
        if n not in self._series:
            return sympy.Symbol(name)
        k, one = self._series[n]
        self._make([one.s])
        return function(k)(self._made[one.s.number])


def number(x: Any) -> Any:
    """A whole number or a small fraction where the float is one."""
    fraction = simple(float(x))
    if fraction is not None:
        return sympy.Rational(fraction.numerator, fraction.denominator)
    return sympy.Float(float(x))
