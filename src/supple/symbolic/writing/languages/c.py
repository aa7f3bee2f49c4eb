"""A C99 function on plain arrays."""

from __future__ import annotations

from ..parts import Parts, documented, horner, plain

_WORDS = """auto break case char const continue default do double else enum extern float for goto
if inline int long register restrict return short signed sizeof static struct switch typedef
union unsigned void volatile while main sin cos tan tanh sqrt fmax pow exp log gamma
j0 j1 jn y0 y1 yn
"""
RESERVED = frozenset(_WORDS.split())


def written(p: Parts) -> str:
    from sympy.printing.c import C99CodePrinter

    printer = C99CodePrinter({"user_functions": p.functions})
    lines = [f"/* {plain(p.eq.robot.name)}: equations of motion, written by Supple."]
    lines += [f"   Matrices row by row; p: {p.name}_parameters, or other values in its order."]
    lines += ["", *(f"   {line}".rstrip() for line in documented(p)), "*/", "#include <math.h>", ""]
    values = [f"    {x.value!r}, /* {x.name} */" for x in p.eq.parameters]
    lines += [f"const double {p.name}_parameters[] = {{", *values, "    0.0};", ""]
    for k in p.series:
        lines += [f"static double stumpff{k}(double s) {{ return {horner(k)}; }}"]
    heads = ", ".join(f"double *{n}" for n in p.matrices)
    lines += [f"void {p.name}(const double *q, const double *qd, const double *p, {heads})", "{"]
    lines += ["    (void)q; (void)qd; (void)p;"]
    for array, names in p.groups:
        lines += [f"    const double {n} = {array}[{i}]; (void){n};" for i, n in enumerate(names)]
    lines += [f"    const double {s} = {printer.doprint(e)};" for s, e in p.steps]
    for n, X in p.matrices.items():
        lines += [f"    {n}[{i}] = {printer.doprint(x)};" for i, x in enumerate(X)]
    return "\n".join([*lines, "}", ""])
