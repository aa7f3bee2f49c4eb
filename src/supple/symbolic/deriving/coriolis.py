"""D once more, of an M that is given in SymPy: Christoffel's form, written in two ways."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import sympy
from sympy.core.parameters import distribute

from ...types import Array
from ..conversion import Converter, in_graph
from ..equations import Equations
from ..naming.named_graph import NamedGraph
from .motion import by_christoffel, slopes


def coriolis_forms(eq: Equations) -> Iterator[sympy.ImmutableMatrix]:
    """D_ab = sum_c 1/2 (dM_ab/dq_c + dM_ac/dq_b - dM_bc/dq_a) qd_c: with equal terms of the
    three cancelled, and as the graph makes it."""
    named, n = NamedGraph(None), len(eq.qd)
    nodes = np.array(in_graph(named, [*eq.q, *eq.qd, *eq.M]), dtype=object)
    q, qd, M = nodes[:n], nodes[n : 2 * n], nodes[2 * n :].reshape(n, n)
    links = eq.robot.links
    yield _cancelled(Converter(named), slopes(named, links, M, q), eq.qd)
    yield Converter(named).matrix(by_christoffel(named, links, M, q, qd))


def _cancelled(
    convert: Converter, slope: Array, qd: tuple[sympy.Symbol, ...]
) -> sympy.ImmutableMatrix:
    n = len(qd)
    S = np.array(convert.values(list(slope.ravel())), dtype=object).reshape(n, n, n)
    half = sympy.Rational(1, 2)

    def entry(a: int, b: int) -> sympy.Expr:
        parts = []
        for c in range(n):
            signed = ((half, S[a, b, c]), (half, S[a, c, b]), (-half, S[b, c, a]))
            sums = [sign * term for sign, x in signed for term in _terms(x)]
            parts.append(sympy.Add(*sums) * qd[c])
        return sympy.Add(*parts)

    with distribute(False):
        return sympy.ImmutableMatrix(n, n, entry)


def _terms(e: sympy.Expr) -> list[sympy.Expr]:
    """The terms of a sum, of 2 (a + b) too."""
    out = []
    for term in sympy.Add.make_args(e):
        factor, rest = term.as_coeff_Mul()
        inner = _terms(rest) if rest.is_Add else [rest]
        out += [factor * x for x in inner]
    return out
