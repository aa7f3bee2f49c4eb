"""A Julia function."""

from __future__ import annotations

import sympy

from ..function_to_write import FunctionToWrite, documented, horner, nonzero, plain

_WORDS = """baremodule begin break catch const continue do else elseif end export false finally
for function global if import let local macro module quote return struct true try using while
zeros length max"""
RESERVED = frozenset(_WORDS.split())


def written(f: FunctionToWrite) -> str:
    def show(e: sympy.Expr) -> str:
        return str(sympy.julia_code(e, user_functions={**f.functions, "Max": "max"}))

    lines = [f"# {plain(f.eq.robot.name)}: equations of motion, written by Supple.", ""]
    lines += [f"const {f.name}_parameters = Float64["]
    lines += [f"    {x.value!r}, # {x.name}" for x in f.eq.parameters] + ["]", ""]
    lines += [f"stumpff{k}(s) = {horner(k, ' * ')}" for k in f.series]
    lines += ['"""', f"    {f.results} = {f.name}(q, qd, p = {f.name}_parameters)", ""]
    lines += [f"p: a vector of all parameters, in the order of {f.name}_parameters.", ""]
    lines += [f"    {line.replace('$', '')}".rstrip() for line in documented(f)] + ['"""']
    lines += [f"function {f.name}(q, qd, p = {f.name}_parameters)"]
    for array, names in f.groups:
        lines += [f"    length({array}) == {len(names)} || error({_said(array, len(names))})"]
        lines += [f"    {n} = {array}[{i + 1}]" for i, n in enumerate(names)]
    lines += [f"    {s} = {show(e)}" for s, e in f.steps]
    for n, X in f.matrices.items():
        lines += [f"    {n} = zeros({X.rows}, {X.cols})"]
        lines += [f"    {n}[{i + 1}, {j + 1}] = {show(x)}" for i, j, x in nonzero(X)]
    return "\n".join([*lines, f"    return {f.results}", "end", ""])


def _said(array: str, count: int) -> str:
    return f'"{array} must have {count} numbers"'
