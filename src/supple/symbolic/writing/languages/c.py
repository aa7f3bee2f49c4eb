"""A C99 function on plain arrays."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..function_to_write import FunctionToWrite, documented, horner, plain

if TYPE_CHECKING:
    import sympy

_WORDS = """auto break case char const continue default do double else enum extern float for goto
if inline int long register restrict return short signed sizeof static struct switch typedef
union unsigned void volatile while main sin cos tan tanh sqrt fmax pow exp log gamma
j0 j1 jn y0 y1 yn
"""
RESERVED = frozenset(_WORDS.split())


PIECE = 4_000  # letters: compilers need much longer for one function than for two halves

Statement = tuple[str, "sympy.Expr"]
"""What is assigned to, and the value."""


def written(f: FunctionToWrite) -> str:
    lines = [f"/* {plain(f.eq.robot.name)}: equations of motion, written by Supple."]
    lines += [f"   Matrices row by row; p: {f.name}_parameters, or other values in its order."]
    lines += ["", *(f"   {line}".rstrip() for line in documented(f)), "*/", "#include <math.h>", ""]
    values = [f"    {x.value!r}, /* {x.name} */" for x in f.eq.parameters]
    lines += [f"const double {f.name}_parameters[] = {{", *values, "    0.0};", ""]
    for k in f.series:
        lines += [f"static double stumpff{k}(double s) {{ return {horner(k)}; }}"]
    return "\n".join([*lines, *_functions(f), ""])


def _functions(f: FunctionToWrite) -> list[str]:
    """One function; if it is long, one for each piece and one that calls them in turn."""
    steps = [(s.name, e) for s, e in f.steps]
    entries = [(f"{n}[{i}]", x) for n, X in f.matrices.items() for i, x in enumerate(X)]
    pieces = _cut(f, [*steps, *entries])
    if len(pieces) == 1:
        return _function(f, f"void {f.name}", f.matrices, pieces[0], {})
    place = {name: k for k, (name, _) in enumerate(steps)}
    lines, calls = [], []
    for k, piece in enumerate(pieces, 1):
        name = f"{f.name}_piece{k}"
        lines += _function(f, f"static void {name}", ("kept_", *f.matrices), piece, place)
        calls += [f"    {name}({', '.join(['q', 'qd', 'p', 'kept_', *f.matrices])});"]
    head = f"void {f.name}({_heads(f.matrices)})"
    return [*lines, head, "{", f"    double kept_[{len(steps) or 1}];", *calls, "}"]


def _cut(
    f: FunctionToWrite, statements: list[Statement]
) -> list[list[tuple[str, sympy.Expr, str]]]:
    """(left, value, its text) in pieces that are not too long."""
    from sympy.printing.c import C99CodePrinter

    printer = C99CodePrinter({"user_functions": f.functions})
    pieces: list[list[tuple[str, sympy.Expr, str]]] = [[]]
    length = 0
    for left, value in statements:
        text = printer.doprint(value)
        if length > PIECE:
            pieces.append([])
            length = 0
        pieces[-1].append((left, value, text))
        length += len(left) + len(text) + 20
    return pieces


def _function(
    f: FunctionToWrite,
    head: str,
    results: Iterable[str],
    piece: list[tuple[str, sympy.Expr, str]],
    place: dict[str, int],
) -> list[str]:
    """A function; `place`: where a step is kept for the pieces after it."""
    needed = {s.name for _, value, _ in piece for s in value.free_symbols}
    made = [left for left, _, _ in piece]
    source = {n: f"{array}[{i}]" for array, names in f.groups for i, n in enumerate(names)}
    source |= {n: f"kept_[{k}]" for n, k in place.items() if n not in made}
    lines = [f"{head}({_heads(results)})", "{"]
    lines += ["    " + " ".join(f"(void){n};" for n in ("q", "qd", "p", *results))]
    lines += [f"    const double {n} = {source[n]};" for n in source if n in needed]
    for left, _, text in piece:
        declared = "" if "[" in left else "const double "
        lines += [f"    {declared}{left} = {text};"]
        lines += [f"    kept_[{place[left]}] = {left};"] if left in place else []
    return [*lines, "}"]


def _heads(results: Iterable[str]) -> str:
    arguments = [f"const double *{n}" for n in ("q", "qd", "p")]
    return ", ".join([*arguments, *(f"double *{n}" for n in results)])
