"""The equations as plain text, and how large is too large to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import InputError
from .. import options
from ..equations import MATRICES, Equations
from ..shortening.common_terms import Steps, common

if TYPE_CHECKING:
    import sympy

READABLE = 5000  # operations that a document may have
NAMES = {"R": "R (damping)", "friction": "friction", "rest": "rest"}


def check_size(eq: Equations, limit: int | None, abbreviate: bool, what: str) -> None:
    """Say so when nobody could read the result."""
    allowed = READABLE if limit is None else options.limit(limit)
    size = eq.operations()
    written, common = size["written"], size["common"]
    start = f"{what} of {eq.robot.name}: {len(eq.qd)} coordinates give"
    if common > allowed:
        raise InputError(
            f"{start} {common} operations even with common subexpressions shared, the limit is "
            f"{allowed}. Raise it (limit={common} with abbreviate=True), use fewer modes or "
            f"parameters='numeric', or take code instead: eq.code('c')"
        )
    if written > allowed and not abbreviate:
        raise InputError(
            f"{start} {written} operations written out, the limit is {allowed}. Give common terms "
            f"names (abbreviate=True, --abbreviate), t0, t1 and so on: that leaves {common}; or "
            f"raise the limit (limit={written})"
        )


def shown(eq: Equations) -> list[str]:
    """The matrices that are not all zero; the first five always are there."""
    return [n for n in MATRICES if n in "MDUGB" or any(x != 0 for x in getattr(eq, n))]


def parts(eq: Equations, abbreviate: bool) -> tuple[Steps, dict[str, sympy.ImmutableMatrix]]:
    """Steps and matrices; steps only where abbreviations are wanted."""
    names = shown(eq)
    matrices = [getattr(eq, name) for name in names]
    steps, reduced = common(matrices) if abbreviate else ([], matrices)
    return steps, dict(zip(names, reduced, strict=True))


def places(name: str, X: sympy.ImmutableMatrix) -> list[tuple[str, sympy.Expr]]:
    """("M[1,2]", expression) of all entries that are not zero; of M and U one half."""
    out = []
    for i in range(X.rows):
        for j in range(X.cols):
            if X[i, j] == 0 or (name in "MUR" and j < i):
                continue
            index = f"{i + 1}" if X.cols == 1 and name != "B" else f"{i + 1},{j + 1}"
            out.append((f"{name}[{index}]", X[i, j]))
    return out


def pretty(eq: Equations, limit: int | None = None, abbreviate: bool = False) -> str:
    """Coordinates, entries and parameters, a line each."""
    check_size(eq, limit, abbreviate, "text")
    steps, matrices = parts(eq, abbreviate)
    cuts = " + J^T lambda,  J qdd + gamma = 0,  closure = 0" if eq.robot.loops else ""
    contact = " + contact" if "contact" in matrices else ""
    terms = f"M qdd + D qd + U (q - rest) + G + R qd + friction{contact} = B tau"
    lines = [f"{eq.robot.name}: {terms}{cuts}", ""]
    names = zip(eq.q, eq.robot.coordinate_names, strict=True)
    lines += [f"  {s.name:<10} {name}" for s, name in names]
    if steps:
        lines += ["", "with"] + [f"  {s} = {e}" for s, e in steps]
    for name, X in matrices.items():
        found = places(name, X)
        lines += ["", *(f"  {place} = {e}" for place, e in found)] if found else []
    if eq.parameters:
        lines += ["", "parameters"]
        lines += [
            f"  {p.name:<12} {p.value:<22.15g} {p.exact:<18} {p.meaning}" for p in eq.parameters
        ]
    if eq.left_out:
        lines += ["", "left out (share of the largest value of the entry)"]
        lines += [f"  {x.where}: {x.term}  ({x.share:.1e})" for x in eq.left_out]
    return "\n".join([*lines, *eq.notes, ""])
