"""A Mathematica function; underscores mean patterns there, so names have a $ instead."""

from __future__ import annotations

import sympy

from ..function_to_write import FunctionToWrite, documented, horner, plain

RESERVED = frozenset(("Module", "Join", "Lookup", "Association", "Sin", "Cos", "q", "qd", "p"))


def written(f: FunctionToWrite) -> str:
    every = {
        s
        for e in [*(x for _, x in f.steps), *(x for X in f.matrices.values() for x in X)]
        for s in e.free_symbols
    }
    new = {s: sympy.Symbol(_dollar(s.name)) for s in every}
    functions = {name: [(lambda *_: True, name)] for name in f.functions}

    def show(e: sympy.Expr) -> str:
        return str(sympy.mathematica_code(e.xreplace(new), user_functions=functions))

    head = f.name.replace("_", "")
    lines = [f"(* {plain(f.eq.robot.name)}: equations of motion, written by Supple.", ""]
    lines += [f"   {head}[q, qd] gives {f.results} at the state (q, qd) as an association,"]
    lines += [f'   {head}[q, qd, <|"{_example(f)}" -> 2.0|>] with other parameters.', ""]
    lines += [f"   {line}".rstrip() for line in documented(f, _dollar)] + ["*)", ""]
    lines += [f"stumpff{k}[s_] := {_wolfram(horner(k))};" for k in f.series]
    rules = ", ".join(f'"{_dollar(x.name)}" -> {_wolfram(repr(x.value))}' for x in f.eq.parameters)
    lines += [f"{head}Parameters = <|{rules}|>;", ""]
    lines += [f"{head}[q_List, qd_List, p_: <||>] := Module[{{{_local(f)}}},", *_opened(f, head)]
    lines += [f"  {_dollar(s.name)} = {show(e)};" for s, e in f.steps]
    tables = []
    for n, X in f.matrices.items():
        rows = [", ".join(show(x) for x in X.row(i)) for i in range(X.rows)]
        body = ",\n    ".join(f"{{{row}}}" for row in rows)
        tables.append(f'  "{n}" -> {{\n    {body}}}')
    return "\n".join([*lines, "  <|\n" + ",\n".join(tables) + "|>];", ""])


def _example(f: FunctionToWrite) -> str:
    return _dollar(f.parameters[0]) if f.parameters else "m1"


def _local(f: FunctionToWrite) -> str:
    names = [n for _, group in f.groups for n in group] + [s.name for s, _ in f.steps]
    return ", ".join(map(_dollar, names))


def _opened(f: FunctionToWrite, head: str) -> list[str]:
    """The arguments taken apart."""
    q, qd, names = ([_dollar(n) for n in group] for _, group in f.groups)
    lines = [f"  {{{', '.join(q)}}} = q;", f"  {{{', '.join(qd)}}} = qd;"]
    quoted = ", ".join(f'"{n}"' for n in names)
    known = f"Join[{head}Parameters, Association[p]]"
    return [*lines, f"  {{{', '.join(names)}}} = Lookup[{known}, {{{quoted}}}];"]


def _dollar(name: str) -> str:
    return name.replace("_", "$")


def _wolfram(number: str) -> str:
    return number.replace("e", "*^")
