"""D once more, of an M that is given in SymPy: Christoffel's form, written in two ways."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import add, mul
from typing import Any

import numpy as np
import sympy
from sympy.core.parameters import distribute

from ..types import Array, Scalar
from . import walk
from .convert import Converter
from .equations import Equations
from .motion import by_christoffel, slopes
from .sheet import Sheet
from .stumpff import _Stumpff


def coriolis_forms(eq: Equations) -> Iterator[Any]:
    """D_ab = sum_c 1/2 (dM_ab/dq_c + dM_ac/dq_b - dM_bc/dq_a) qd_c: with equal terms of the
    three cancelled, and as the graph makes it."""
    sheet, n = Sheet(None), len(eq.qd)
    nodes = np.array(on_sheet(sheet, [*eq.q, *eq.qd, *eq.M]), dtype=object)
    q, qd, M = nodes[:n], nodes[n : 2 * n], nodes[2 * n :].reshape(n, n)
    links = eq.robot.links
    yield _cancelled(Converter(sheet), slopes(sheet, links, M, q), eq.qd)
    yield Converter(sheet).matrix(by_christoffel(sheet, links, M, q, qd))


def _cancelled(convert: Converter, slope: Array, qd: tuple[Any, ...]) -> Any:
    n = len(qd)
    S = np.array(convert.values(list(slope.ravel())), dtype=object).reshape(n, n, n)
    half = sympy.Rational(1, 2)

    def entry(a: int, b: int) -> Any:
        parts = []
        for c in range(n):
            signed = ((half, S[a, b, c]), (half, S[a, c, b]), (-half, S[b, c, a]))
            sums = [sign * term for sign, x in signed for term in _terms(x)]
            parts.append(sympy.Add(*sums) * qd[c])
        return sympy.Add(*parts)

    with distribute(False):
        return sympy.ImmutableMatrix(n, n, entry)


def _terms(e: Any) -> list[Any]:
    """The terms of a sum, of 2 (a + b) too."""
    out = []
    for term in sympy.Add.make_args(e):
        factor, rest = term.as_coeff_Mul()
        inner = _terms(rest) if rest.is_Add else [rest]
        out += [factor * x for x in inner]
    return out


def on_sheet(sheet: Sheet, expressions: list[Any]) -> list[Scalar]:
    """SymPy expressions as nodes of the graph."""
    at: dict[Any, Scalar] = {}
    for e in walk.distinct(expressions):
        at[e] = _node(sheet, e, [at[x] for x in e.args])
    return [at[e] for e in expressions]


def _node(sheet: Sheet, e: Any, parts: list[Any]) -> Scalar:
    if e.is_Symbol:
        return sheet.graph.input(e.name)
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
    if isinstance(e, _Stumpff):
        return sheet.series(parts[0]).c[e.k]
    return getattr(np, type(e).__name__)(parts[0])
