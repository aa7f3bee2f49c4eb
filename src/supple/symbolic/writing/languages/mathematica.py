"""A Mathematica function; underscores mean patterns there, so names have a $ instead."""

from __future__ import annotations

import sympy

from ..parts import Parts, documented, horner, plain

RESERVED = frozenset(("Module", "Join", "Lookup", "Association", "Sin", "Cos", "q", "qd", "p"))


def written(p: Parts) -> str:
    every = {
        s
        for e in [*(x for _, x in p.steps), *(x for X in p.matrices.values() for x in X)]
        for s in e.free_symbols
    }
    new = {s: sympy.Symbol(_dollar(s.name)) for s in every}
    functions = {name: [(lambda *_: True, name)] for name in p.functions}

    def show(e: sympy.Expr) -> str:
        return str(sympy.mathematica_code(e.xreplace(new), user_functions=functions))

    head = p.name.replace("_", "")
    lines = [f"(* {plain(p.eq.robot.name)}: equations of motion, written by Supple.", ""]
    lines += [f"   {head}[q, qd] gives {p.results} at the state (q, qd) as an association,"]
    lines += [f'   {head}[q, qd, <|"{_example(p)}" -> 2.0|>] with other parameters.', ""]
    lines += [f"   {line}".rstrip() for line in documented(p, _dollar)] + ["*)", ""]
    lines += [f"stumpff{k}[s_] := {_wolfram(horner(k))};" for k in p.series]
    rules = ", ".join(f'"{_dollar(x.name)}" -> {_wolfram(repr(x.value))}' for x in p.eq.parameters)
    lines += [f"{head}Parameters = <|{rules}|>;", ""]
    lines += [f"{head}[q_List, qd_List, p_: <||>] := Module[{{{_local(p)}}},", *_opened(p, head)]
    lines += [f"  {_dollar(s.name)} = {show(e)};" for s, e in p.steps]
    tables = []
    for n, X in p.matrices.items():
        rows = [", ".join(show(x) for x in X.row(i)) for i in range(X.rows)]
        body = ",\n    ".join(f"{{{row}}}" for row in rows)
        tables.append(f'  "{n}" -> {{\n    {body}}}')
    return "\n".join([*lines, "  <|\n" + ",\n".join(tables) + "|>];", ""])


def _example(p: Parts) -> str:
    return _dollar(p.parameters[0]) if p.parameters else "m1"


def _local(p: Parts) -> str:
    names = [n for _, group in p.groups for n in group] + [s.name for s, _ in p.steps]
    return ", ".join(map(_dollar, names))


def _opened(p: Parts, head: str) -> list[str]:
    """The arguments taken apart."""
    q, qd, names = ([_dollar(n) for n in group] for _, group in p.groups)
    lines = [f"  {{{', '.join(q)}}} = q;", f"  {{{', '.join(qd)}}} = qd;"]
    quoted = ", ".join(f'"{n}"' for n in names)
    known = f"Join[{head}Parameters, Association[p]]"
    return [*lines, f"  {{{', '.join(names)}}} = Lookup[{known}, {{{quoted}}}];"]


def _dollar(name: str) -> str:
    return name.replace("_", "$")


def _wolfram(number: str) -> str:
    return number.replace("e", "*^")
