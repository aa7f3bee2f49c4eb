"""Stumpff functions as SymPy functions: they differentiate, evaluate and print."""

from __future__ import annotations

from math import factorial
from typing import TYPE_CHECKING

import sympy

from ..types import Floats

if TYPE_CHECKING:
    from sympy.printing.latex import LatexPrinter

TERMS = 12
Numbers = float | Floats
"""A float, or an array of them."""


def stumpff(k: int, s: Numbers) -> Numbers:
    """c_k(s) = sum_i (-s)^i / (k + 2 i)!; floats or arrays."""
    total: Numbers = 0.0
    for i in range(TERMS, -1, -1):
        total = 1.0 / factorial(k + 2 * i) - s * total
    return total


class Stumpff(sympy.Function):  # type: ignore[misc]
    """c_k(s), smooth at zero: c_1 = sin(a)/a and c_2 = (1 - cos a)/a^2 with a = sqrt(s)."""

    k = 0
    nargs = 1

    @classmethod
    def eval(cls, s: sympy.Expr) -> sympy.Expr | None:
        if s.is_zero:
            return sympy.Rational(1, sympy.factorial(cls.k))
        return sympy.Float(stumpff(cls.k, float(s))) if s.is_Float else None

    def fdiff(self, argindex: int = 1) -> sympy.Expr:
        s = self.args[0]
        return (self.k * function(self.k + 2)(s) - function(self.k + 1)(s)) / 2

    def _latex(self, printer: LatexPrinter, exp: str | None = None) -> str:
        text = rf"c_{{{self.k}}}\left({printer._print(self.args[0])}\right)"
        return text if exp is None else rf"{{{text}}}^{{{exp}}}"


_MADE: dict[int, type[Stumpff]] = {}


def function(k: int) -> type[Stumpff]:
    """The SymPy function c_k."""
    if k not in _MADE:
        body = {"k": k, "_imp_": staticmethod(lambda s, k=k: stumpff(k, s))}
        _MADE[k] = type(f"stumpff{k}", (Stumpff,), body)
    return _MADE[k]
