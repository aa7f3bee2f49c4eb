"""A Julia function."""

from __future__ import annotations

import sympy

from ..parts import Parts, documented, horner, nonzero, plain

_WORDS = """baremodule begin break catch const continue do else elseif end export false finally
for function global if import let local macro module quote return struct true try using while
zeros length max"""
RESERVED = frozenset(_WORDS.split())


def written(p: Parts) -> str:
    def show(e: sympy.Expr) -> str:
        return str(sympy.julia_code(e, user_functions={**p.functions, "Max": "max"}))

    lines = [f"# {plain(p.eq.robot.name)}: equations of motion, written by Supple.", ""]
    lines += [f"const {p.name}_parameters = Float64["]
    lines += [f"    {x.value!r}, # {x.name}" for x in p.eq.parameters] + ["]", ""]
    lines += [f"stumpff{k}(s) = {horner(k, ' * ')}" for k in p.series]
    lines += ['"""', f"    {p.results} = {p.name}(q, qd, p = {p.name}_parameters)", ""]
    lines += [f"p: a vector of all parameters, in the order of {p.name}_parameters.", ""]
    lines += [f"    {line.replace('$', '')}".rstrip() for line in documented(p)] + ['"""']
    lines += [f"function {p.name}(q, qd, p = {p.name}_parameters)"]
    for array, names in p.groups:
        lines += [f"    length({array}) == {len(names)} || error({_said(array, len(names))})"]
        lines += [f"    {n} = {array}[{i + 1}]" for i, n in enumerate(names)]
    lines += [f"    {s} = {show(e)}" for s, e in p.steps]
    for n, X in p.matrices.items():
        lines += [f"    {n} = zeros({X.rows}, {X.cols})"]
        lines += [f"    {n}[{i + 1}, {j + 1}] = {show(x)}" for i, j, x in nonzero(X)]
    return "\n".join([*lines, f"    return {p.results}", "end", ""])


def _said(array: str, count: int) -> str:
    return f'"{array} must have {count} numbers"'
