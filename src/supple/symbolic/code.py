"""The equations as a function in other languages.

Each takes the configuration, the rates and the parameters and gives M, D, U, G and B, then R,
friction and rest where the robot has them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import factorial
from typing import Any

import sympy

from ..errors import unknown_name
from . import walk
from .common import common
from .equations import Equations
from .stumpff import TERMS, _Stumpff
from .text import shown


@dataclass(frozen=True)
class Parts:
    """What every language writes: names, steps, matrices."""

    eq: Equations
    name: str
    steps: list[tuple[Any, Any]]
    matrices: dict[str, Any]
    series: list[int]  # Stumpff functions in use


def source(eq: Equations, language: str) -> str:
    """The text of a function in this language."""
    if language not in LANGUAGES:
        raise unknown_name("language", str(language), LANGUAGES, where="eq.code")
    names = shown(eq)
    steps, reduced = common([getattr(eq, n) for n in names])
    used = [*(e for _, e in steps), *(x for X in reduced for x in X)]
    series = sorted({e.k for e in walk.distinct(used) if isinstance(e, _Stumpff)})
    name = "".join(c if c.isalnum() and c.isascii() else "_" for c in eq.robot.name)
    name = f"{name}_equations" if name[:1].isalpha() else f"robot_{name}_equations"
    return LANGUAGES[language](
        Parts(eq, name, steps, dict(zip(names, reduced, strict=True)), series)
    )


def _coefficients(k: int) -> list[float]:
    """Of c_k(s) in powers of s, highest last."""
    return [(-1.0) ** i / factorial(k + 2 * i) for i in range(TERMS + 1)]


def _horner(k: int, times: str = "*") -> str:
    text = repr(_coefficients(k)[-1])
    for c in reversed(_coefficients(k)[:-1]):
        text = f"({c!r} + s{times}{text})"
    return text


def _names(p: Parts) -> list[str]:
    return [x.name for x in p.eq.parameters]


def python(p: Parts) -> str:
    from sympy.printing.numpy import NumPyPrinter

    functions = {f"stumpff{k}": f"stumpff{k}" for k in p.series}
    printer = NumPyPrinter({"fully_qualified_modules": False, "user_functions": functions})

    def rows(X: Any) -> str:
        lines = [", ".join(printer.doprint(x) for x in X.row(i)) for i in range(X.rows)]
        body = ",\n        ".join(f"[{line}]" for line in lines)
        return f"np.array([\n        {body},\n    ], dtype=float)"

    lines = [f'"""{p.eq.robot.name}: equations of motion, written by Supple."""', ""]
    lines += ["import numpy as np", "from numpy import cos, sin, sqrt, tanh", ""]
    lines += ["PARAMETERS = {"]
    lines += [f'    "{x.name}": {x.value!r},  # {x.meaning}' for x in p.eq.parameters] + ["}", ""]
    for k in p.series:
        lines += ["", f"def stumpff{k}(s):", f"    return {_horner(k)}", ""]
    lines += ["", f"def {p.name}(q, qd, parameters=None):"]
    lines += [f'    """{", ".join(p.matrices)} at the state (q, qd)."""']
    lines += ["    p = {**PARAMETERS, **(parameters or {})}"] if p.eq.parameters else []
    lines += [f'    {n} = p["{n}"]' for n in _names(p)]
    lines += [f"    {', '.join(s.name for s in p.eq.q)}, = q"]
    lines += [f"    {', '.join(s.name for s in p.eq.qd)}, = qd"]
    lines += [f"    {s} = {printer.doprint(e)}" for s, e in p.steps]
    lines += [f"    {n} = {rows(X)}" for n, X in p.matrices.items()]
    return "\n".join([*lines, f"    return {', '.join(p.matrices)}", ""])


def c(p: Parts) -> str:
    from sympy.printing.c import C99CodePrinter

    functions = {f"stumpff{k}": f"stumpff{k}" for k in p.series}
    printer = C99CodePrinter({"user_functions": functions})
    sizes = ", ".join(f"{n}[{X.rows * X.cols}]" for n, X in p.matrices.items())
    lines = [f"/* {p.eq.robot.name}: equations of motion, written by Supple.", ""]
    lines += [f"   q[{len(p.eq.q)}], qd[{len(p.eq.qd)}], p[{len(p.eq.parameters)}] -> {sizes},"]
    lines += ["   matrices row by row. */", "#include <math.h>", ""]
    values = [f"    {x.value!r}, /* {x.name}: {_plain(x.meaning)} */" for x in p.eq.parameters]
    lines += [f"const double {p.name}_parameters[] = {{", *values, "    0.0};", ""]
    for k in p.series:
        lines += [f"static double stumpff{k}(double s) {{ return {_horner(k)}; }}"]
    heads = ", ".join(f"double *{n}" for n in p.matrices)
    lines += [f"void {p.name}(const double *q, const double *qd, const double *p, {heads})", "{"]
    lines += ["    (void)q; (void)qd; (void)p;"]
    for array, names in (
        ("q", [s.name for s in p.eq.q]),
        ("qd", [s.name for s in p.eq.qd]),
        ("p", _names(p)),
    ):
        lines += [f"    const double {n} = {array}[{i}]; (void){n};" for i, n in enumerate(names)]
    lines += [f"    const double {s} = {printer.doprint(e)};" for s, e in p.steps]
    for n, X in p.matrices.items():
        lines += [f"    {n}[{i}] = {printer.doprint(x)};" for i, x in enumerate(X)]
    return "\n".join([*lines, "}", ""])


def _plain(text: str) -> str:
    return text.replace("*/", "").replace("/*", "")


def julia(p: Parts) -> str:
    def show(e: Any) -> str:
        return str(
            sympy.julia_code(e, user_functions={f"stumpff{k}": f"stumpff{k}" for k in p.series})
        )

    lines = [f"# {p.eq.robot.name}: equations of motion, written by Supple.", ""]
    lines += [f"const {p.name}_parameters = ["]
    lines += [f"    {x.value!r}, # {x.name}: {x.meaning}" for x in p.eq.parameters] + ["]", ""]
    lines += [f"stumpff{k}(s) = {_horner(k, ' * ')}" for k in p.series]
    lines += [f"function {p.name}(q, qd, p = {p.name}_parameters)"]
    lines += _unpacked(p, "[", "]")
    lines += [f"    {s} = {show(e)}" for s, e in p.steps]
    for n, X in p.matrices.items():
        lines += [f"    {n} = zeros({X.rows}, {X.cols})"]
        lines += [f"    {n}[{i + 1}, {j + 1}] = {show(x)}" for i, j, x in _nonzero(X)]
    return "\n".join([*lines, f"    return {', '.join(p.matrices)}", "end", ""])


def matlab(p: Parts) -> str:
    def show(e: Any) -> str:
        return str(
            sympy.octave_code(e, user_functions={f"stumpff{k}": f"stumpff{k}" for k in p.series})
        )

    lines = [f"function [{', '.join(p.matrices)}] = {p.name}(q, qd, p)"]
    lines += [f"% {p.eq.robot.name}: equations of motion, written by Supple."]
    lines += [
        f"% {i + 1:3d} {x.name} = {x.value!r}  {x.meaning}" for i, x in enumerate(p.eq.parameters)
    ]
    values = ", ".join(repr(x.value) for x in p.eq.parameters)
    lines += ["    if nargin < 3", f"        p = [{values}];", "    end"]
    lines += [f"{line};" for line in _unpacked(p, "(", ")")]
    lines += [f"    {s} = {show(e)};" for s, e in p.steps]
    for n, X in p.matrices.items():
        lines += [f"    {n} = zeros({X.rows}, {X.cols});"]
        lines += [f"    {n}({i + 1}, {j + 1}) = {show(x)};" for i, j, x in _nonzero(X)]
    lines += ["end", ""]
    for k in p.series:
        lines += [f"function c = stumpff{k}(s)", f"    c = {_horner(k)};", "end", ""]
    return "\n".join(lines)


def _unpacked(p: Parts, left: str, right: str) -> list[str]:
    lines = []
    for array, names in (
        ("q", [s.name for s in p.eq.q]),
        ("qd", [s.name for s in p.eq.qd]),
        ("p", _names(p)),
    ):
        lines += [f"    {n} = {array}{left}{i + 1}{right}" for i, n in enumerate(names)]
    return lines


def _nonzero(X: Any) -> list[tuple[int, int, Any]]:
    return [(i, j, X[i, j]) for i in range(X.rows) for j in range(X.cols) if X[i, j] != 0]


def mathematica(p: Parts) -> str:
    """Underscores mean patterns there: names have a $ instead."""
    every = {
        s
        for e in [*(x for _, x in p.steps), *(x for X in p.matrices.values() for x in X)]
        for s in e.free_symbols
    }
    new = {s: sympy.Symbol(_dollar(s.name)) for s in every}
    functions = {f"stumpff{k}": [(lambda *_: True, f"stumpff{k}")] for k in p.series}

    def show(e: Any) -> str:
        return str(sympy.mathematica_code(e.xreplace(new), user_functions=functions))

    lines = [f"(* {p.eq.robot.name}: equations of motion, written by Supple. *)", ""]
    lines += [f"stumpff{k}[s_] := {_wolfram(_horner(k))};" for k in p.series]
    rules = ", ".join(f"{_dollar(x.name)} -> {_wolfram(repr(x.value))}" for x in p.eq.parameters)
    head = p.name.replace("_", "")
    lines += [f"{head}Parameters = {{{rules}}};", ""]
    local = ", ".join(_dollar(s.name) for s, _ in p.steps)
    lines += [f"{head} = Module[{{{local}}},"]
    lines += [f"  {_dollar(s.name)} = {show(e)};" for s, e in p.steps]
    tables = []
    for n, X in p.matrices.items():
        rows = [", ".join(show(x) for x in X.row(i)) for i in range(X.rows)]
        body = ",\n    ".join(f"{{{row}}}" for row in rows)
        tables.append(f'  "{n}" -> {{\n    {body}}}')
    return "\n".join([*lines, "  <|\n" + ",\n".join(tables) + "|>];", ""])


def _dollar(name: str) -> str:
    return name.replace("_", "$")


def _wolfram(number: str) -> str:
    return number.replace("e", "*^")


LANGUAGES: dict[str, Callable[[Parts], str]] = {
    "python": python,
    "c": c,
    "julia": julia,
    "matlab": matlab,
    "mathematica": mathematica,
}
