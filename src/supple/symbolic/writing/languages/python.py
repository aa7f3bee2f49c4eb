"""A Python function on NumPy arrays."""

from __future__ import annotations

import keyword
from typing import TYPE_CHECKING

from ..function_to_write import FunctionToWrite, documented, horner, plain

if TYPE_CHECKING:
    import sympy
    from sympy.printing.numpy import NumPyPrinter

RESERVED = frozenset((*keyword.kwlist, "np", "PARAMETERS", "reduce", "maximum"))


def written(f: FunctionToWrite) -> str:
    from sympy.printing.numpy import NumPyPrinter

    printer = NumPyPrinter({"fully_qualified_modules": False, "user_functions": f.functions})
    lines = [f'"""{plain(f.eq.robot.name)}: equations of motion, written by Supple."""', ""]
    kinks = "contact" in f.matrices  # SymPy writes Max as reduce(maximum, ...)
    lines += ["from functools import reduce", ""] if kinks else []
    names = "cos, maximum, sin, sqrt, tanh" if kinks else "cos, sin, sqrt, tanh"
    lines += ["import numpy as np", f"from numpy import {names}", "", "PARAMETERS = {"]
    lines += [f'    "{x.name}": {x.value!r},  # {plain(x.meaning)}' for x in f.eq.parameters]
    lines += ["}", ""]
    for k in f.series:
        lines += ["", f"def stumpff{k}(s):", f"    return {horner(k)}", ""]
    lines += ["", f"def {f.name}(q, qd, parameters=None):", *_docstring(f)]
    lines += ["    p = {**PARAMETERS, **(parameters or {})}", "    if len(p) > len(PARAMETERS):"]
    lines += ['        raise KeyError(f"no parameters named {sorted(set(p) - set(PARAMETERS))}")']
    lines += [f'    {n} = p["{n}"]' for n in f.parameters]
    lines += [f"    {', '.join(s.name for s in f.eq.q)}, = q"]
    lines += [f"    {', '.join(s.name for s in f.eq.qd)}, = qd"]
    lines += [f"    {s} = {printer.doprint(e)}" for s, e in f.steps]
    lines += [f"    {n} = {_rows(X, printer)}" for n, X in f.matrices.items()]
    return "\n".join([*lines, f"    return {f.results}", ""])


def _docstring(f: FunctionToWrite) -> list[str]:
    lines = [f"{f.results} at the state (q, qd).", ""]
    lines += ["parameters: a dict that gives some of them other values.", "", *documented(f)]
    return ['    """' + lines[0], *(f"    {line}".rstrip() for line in lines[1:]), '    """']


def _rows(X: sympy.ImmutableMatrix, printer: NumPyPrinter) -> str:
    lines = [", ".join(printer.doprint(x) for x in X.row(i)) for i in range(X.rows)]
    body = ",\n        ".join(f"[{line}]" for line in lines)
    return f"np.array([\n        {body},\n    ], dtype=float)"
