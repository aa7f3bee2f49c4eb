"""How large an expression can get when its symbols stay within limits: interval arithmetic."""

from __future__ import annotations

from collections.abc import Mapping
from math import factorial, inf, prod
from typing import TYPE_CHECKING

import numpy as np

from ...types import Floats
from .. import subexpressions
from ..stumpff import Stumpff

if TYPE_CHECKING:
    import sympy

Interval = tuple[float, float]
"""(least, largest)."""


class Bounds:
    """Limits of expressions, from those of their symbols."""

    def __init__(self, box: Mapping[sympy.Symbol, Interval]) -> None:
        self.box = box
        self._found: dict[sympy.Expr, Interval] = {}

    def size(self, *factors: sympy.Expr) -> float:
        """No product of these factors is larger, in absolute value, anywhere in the box."""
        return prod(max(map(abs, self.of(e))) for e in factors)

    def of(self, e: sympy.Expr) -> Interval:
        if e not in self._found:
            for x in subexpressions.distinct([e]):
                if x not in self._found:
                    self._found[x] = self._limits(x)
        return self._found[e]

    def _limits(self, e: sympy.Expr) -> Interval:
        if e.is_Symbol:
            return self.box[e]
        if not e.args:
            return float(e), float(e)
        parts = [self._found[x] for x in e.args]
        if e.is_Add:
            return sum(p[0] for p in parts), sum(p[1] for p in parts)
        if e.is_Mul:
            out = parts[0]
            for p in parts[1:]:
                out = _product(out, p)
            return out
        return _power(parts[0], parts[1]) if e.is_Pow else _function(e, parts[0])

    def states(self, count: int, rng: np.random.Generator) -> dict[sympy.Symbol, Floats]:
        """Values of all symbols at random places of the box."""
        return {s: rng.uniform(low, high, count) for s, (low, high) in self.box.items()}


def _product(a: Interval, b: Interval) -> Interval:
    ends = [x * y for x in a for y in b]
    return min(ends), max(ends)


def _power(base: Interval, exponent: Interval) -> Interval:
    """x^n is monotone on either side of zero."""
    (low, high), n = base, exponent[0]
    if n < 0.0:
        return (-inf, inf) if low <= 0.0 <= high else _power((1.0 / high, 1.0 / low), (-n, -n))
    if exponent[1] != n or (n != round(n) and low < 0.0):
        return -inf, inf
    ends = [low**n, high**n, *([0.0] if low < 0.0 < high else [])]
    return min(ends), max(ends)


def _function(e: sympy.Expr, argument: Interval) -> Interval:
    """|sin x| <= |x|, |cos x| <= 1, and c_k(s) <= 1/k! of Stumpff's functions, s >= 0."""
    if isinstance(e, Stumpff):
        most = 1.0 / factorial(e.k)
    else:
        far = max(map(abs, argument))
        most = {"sin": min(1.0, far), "cos": 1.0}.get(type(e).__name__, inf)
    return -most, most
