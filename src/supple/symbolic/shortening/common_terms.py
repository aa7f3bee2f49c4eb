"""Common subexpressions: named once, used everywhere."""

from __future__ import annotations

import sympy

from .. import subexpressions

Steps = list[tuple[sympy.Symbol, sympy.Expr]]
"""Named subexpressions, each in terms of those before it."""

Matrices = list[sympy.ImmutableMatrix]

LARGE = 10_000  # distinct subexpressions beyond which SymPy's search takes too long


def common(matrices: Matrices) -> tuple[Steps, Matrices]:
    """Steps (symbol, expression) and the matrices in terms of them."""
    flat = [x for matrix in matrices for x in matrix]
    if len(subexpressions.distinct(flat)) <= LARGE:
        names = sympy.numbered_symbols("t")
        steps, reduced = sympy.cse(flat, symbols=names, order="none")
        return _used(list(steps), reduced), _shaped(matrices, reduced)
    return _by_use(matrices, flat)


def _used(steps: Steps, flat: list[sympy.Expr]) -> Steps:
    """Without steps that nothing needs: SymPy leaves some where a product came out shorter."""
    need = {symbol for e in flat for symbol in e.free_symbols}
    kept = []
    for symbol, e in reversed(steps):
        if symbol in need:
            need |= e.free_symbols
            kept.append((symbol, e))
    return kept[::-1]


def _shaped(matrices: Matrices, flat: list[sympy.Expr]) -> Matrices:
    out, at = [], 0
    for matrix in matrices:
        size = matrix.rows * matrix.cols
        out.append(sympy.ImmutableMatrix(matrix.rows, matrix.cols, flat[at : at + size]))
        at += size
    return out


def _by_use(matrices: Matrices, flat: list[sympy.Expr]) -> tuple[Steps, Matrices]:
    """What stands in more than one place gets a name; nothing else is looked for."""
    order = subexpressions.distinct(flat)
    uses: dict[sympy.Expr, int] = {}
    for e in [*order, sympy.Tuple(*flat)]:
        for a in e.args:
            uses[a] = uses.get(a, 0) + 1
    names, steps = sympy.numbered_symbols("t"), Steps()
    new: dict[sympy.Expr, sympy.Expr] = {}
    for e in order:
        made = e if e.is_Atom else e.func(*(new[a] for a in e.args), evaluate=False)
        if uses.get(e, 0) > 1 and not e.is_Atom:
            symbol = next(names)
            steps.append((symbol, made))
            made = symbol
        new[e] = made
    return steps, _shaped(matrices, [new[e] for e in flat])
