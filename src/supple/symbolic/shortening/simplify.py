"""Shorter entries: how much SymPy is asked to do, and what it was spared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import sympy

from ..equations import MATRICES, Equations
from ..subexpressions import tree_cost

LIMITS = {1: 4000, 2: 300, 3: 120}
"""Operations of an entry beyond which a level leaves it to the level below."""


def simplified(
    eq: Equations, level: int, progress: Callable[[float], None] | None = None
) -> Equations:
    """Every entry in the shortest form the level finds; equal entries are done once."""
    total = sum(len(getattr(eq, name)) for name in MATRICES)
    done: dict[sympy.Expr, sympy.Expr] = {}
    skipped: list[str] = []
    count = 0

    def change(name: str, i: int, j: int, e: sympy.Expr) -> sympy.Expr:
        nonlocal count
        count += 1
        if progress is not None:
            progress(count / total)
        if e not in done:
            done[e] = _shortest(e, level)
            if level and tree_cost([e])[0] > LIMITS[level]:
                skipped.append(f"{name}[{i + 1},{j + 1}]")
        return done[e]

    out = eq.mapped(change)
    if not skipped:
        return out
    note = (
        f"simplify={level}: {len(skipped)} entries have more than {LIMITS[level]} operations and "
        f"were done at a lower level: {', '.join(skipped[:8])}{', ...' if len(skipped) > 8 else ''}"
    )
    return replace(out, notes=(*eq.notes, note))


def _shortest(e: sympy.Expr, level: int) -> sympy.Expr:
    if e.is_Atom:
        return e
    size = tree_cost([e])[0]
    forms = [e]
    for step in range(1, level + 1):
        if size <= LIMITS[step]:
            forms.append(_STEPS[step](e))
    return min(forms, key=lambda x: tree_cost([x])[0])


def _collected(e: sympy.Expr) -> sympy.Expr:
    """Multiplied out, equal terms added, common factors taken out again."""
    return sympy.factor_terms(sympy.expand(e))


def _turned(e: sympy.Expr) -> sympy.Expr:
    """Sums and products of sines and cosines in their shortest form."""
    from sympy.simplify.fu import TR8, TR10i

    plain = sympy.expand(e)
    forms = [plain, TR10i(plain), TR10i(TR8(plain))]
    return min((sympy.factor_terms(f) for f in forms), key=lambda x: tree_cost([x])[0])


_STEPS: dict[int, Callable[[sympy.Expr], sympy.Expr]] = {
    1: _collected,
    2: _turned,
    3: sympy.simplify,
}
