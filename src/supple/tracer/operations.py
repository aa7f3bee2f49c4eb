"""Every operation a graph can hold, a row each: all that any part of the tracer knows of it.

`evaluate` reads `value`, derivatives read `partials`, native code `emit`, C and CUDA `c`,
SymPy, CasADi and substitution `symbols`, counts `cost`. To add an operation, add its row.
"""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from ..screws import above_zero, larger, step
from ..types import Scalar
from .llvm.builder import Builder
from .llvm.elementary import (
    above_zero as emit_above_zero,
    larger as emit_larger,
    reciprocal,
    sincos,
    step as emit_step,
    tanh,
)
from .llvm.values import Value

Key = tuple[str, Any, int]
"""(operation, operand, operand): node numbers (-1: none), or the value of a constant."""

LEAVES = ("const", "input")
"""What a graph starts from: keys with no operands."""

HELD = "held"

COSTS = ("multiplications", "additions", "divisions", "sincos", "other")
"""What the papers count. A sign costs nothing: cost ""."""


@dataclass(frozen=True)
class Operation:
    """y = f(x), or y = f(a, b)."""

    name: str
    value: Callable[..., float]  # of floats
    partials: Callable[..., tuple[Scalar, ...]]  # (y, *operands) -> dy/d(each operand)
    emit: Callable[..., Value]  # (builder, *operands) in LLVM
    c: str  # text in C; {f} ends the name of a function and a number: "f" for float
    symbols: Callable[..., Scalar]  # (sympy, casadi or numpy, *operands)
    cost: str = "other"  # one of COSTS
    method: str = ""  # what NumPy calls it, for a function: np.sin(x) asks x for x.sin()
    minus: str = ""  # f(-x): "comes out" (odd), "goes away" (even)

    @property
    def arity(self) -> int:
        return 2 if "{1}" in self.c else 1

    def c_text(self, operands: Iterable[str], suffix: str) -> str:
        return self.c.format(*operands, f=suffix)


def _larger(f: ModuleType) -> Callable[..., Scalar]:
    """Of SymPy, of CasADi, or of anything with arithmetic."""
    return f.Max if hasattr(f, "Max") else f.fmax if hasattr(f, "SX") else larger


def _step(f: ModuleType) -> Callable[..., Scalar]:
    if hasattr(f, "Heaviside"):
        return lambda x: f.Heaviside(x, 0)
    return (lambda x: f.if_else(x > 0, 1, 0)) if hasattr(f, "SX") else step


def _above_zero(f: ModuleType) -> Callable[..., Scalar]:
    if hasattr(f, "Piecewise"):
        return lambda x: f.Piecewise((x, x > 0), (f.nan, True))
    return (lambda x: f.if_else(x > 0, x, math.nan)) if hasattr(f, "SX") else above_zero


_ROWS = (
    Operation(
        "+",
        value=operator.add,
        partials=lambda y, a, b: (1.0, 1.0),
        emit=lambda to, a, b: to.exactly("fadd nsz", a, b),
        c="{0} + {1}",
        symbols=lambda f, a, b: a + b,
        cost="additions",
    ),
    Operation(
        "-",
        value=operator.sub,
        partials=lambda y, a, b: (1.0, -1.0),
        emit=lambda to, a, b: to.exactly("fsub nsz", a, b),
        c="{0} - {1}",
        symbols=lambda f, a, b: a - b,
        cost="additions",
    ),
    Operation(
        "*",
        value=operator.mul,
        partials=lambda y, a, b: (b, a),
        emit=lambda to, a, b: to.exactly("fmul nsz", a, b),
        c="{0} * {1}",
        symbols=lambda f, a, b: a * b,
        cost="multiplications",
    ),
    Operation(
        "neg",
        value=operator.neg,
        partials=lambda y, x: (-1.0,),
        emit=Builder.fneg,
        c="-{0}",
        symbols=lambda f, x: -x,
        cost="",
    ),
    Operation(
        "1/",
        value=lambda x: 1.0 / x,
        partials=lambda y, x: (-(y * y),),
        emit=reciprocal,
        c="1.0{f} / {0}",
        symbols=lambda f, x: 1 / x,
        cost="divisions",
    ),
    Operation(
        "sin",
        value=math.sin,
        partials=lambda y, x: (np.cos(x),),
        emit=lambda to, x: sincos(to, x)[0],
        c="sin{f}({0})",
        symbols=lambda f, x: f.sin(x),
        cost="sincos",
        method="sin",
        minus="comes out",
    ),
    Operation(
        "cos",
        value=math.cos,
        partials=lambda y, x: (-np.sin(x),),
        emit=lambda to, x: sincos(to, x)[1],
        c="cos{f}({0})",
        symbols=lambda f, x: f.cos(x),
        cost="sincos",
        method="cos",
        minus="goes away",
    ),
    Operation(
        "sqrt",
        value=math.sqrt,
        partials=lambda y, x: (0.5 / y,),
        emit=lambda to, x: to.intrinsic("sqrt", x),
        c="sqrt{f}({0})",
        symbols=lambda f, x: f.sqrt(x),
        method="sqrt",
    ),
    Operation(
        "tanh",
        value=math.tanh,
        partials=lambda y, x: (1.0 - y * y,),
        emit=tanh,
        c="tanh{f}({0})",
        symbols=lambda f, x: f.tanh(x),
        method="tanh",
    ),
    Operation(
        "exp",
        value=math.exp,
        partials=lambda y, x: (y,),
        emit=lambda to, x: to.intrinsic("exp", x),
        c="exp{f}({0})",
        symbols=lambda f, x: f.exp(x),
        method="exp",
    ),
    Operation(
        "log",
        value=math.log,
        partials=lambda y, x: (1.0 / x,),
        emit=lambda to, x: to.intrinsic("log", x),
        c="log{f}({0})",
        symbols=lambda f, x: f.log(x),
        method="log",
    ),
    Operation(
        "max",
        value=larger,
        partials=lambda y, a, b: (step(a - b), 1.0 - step(a - b)),
        emit=emit_larger,
        c="{1} > {0} ? {1} : {0}",
        symbols=lambda f, a, b: _larger(f)(a, b),
        method="larger",
    ),
    Operation(
        "step",
        value=step,
        partials=lambda y, x: (0.0,),
        emit=emit_step,
        c="{0} > 0.0{f} ? 1.0{f} : 0.0{f}",
        symbols=lambda f, x: _step(f)(x),
        method="step",
    ),
    Operation(
        "above zero",
        value=above_zero,
        partials=lambda y, x: (1.0,),
        emit=emit_above_zero,
        c='{0} > 0.0{f} ? {0} : nan{f}("")',
        symbols=lambda f, x: _above_zero(f)(x),
        method="above_zero",
    ),
    Operation(  # the number itself, taken as fixed by who differentiates
        HELD,
        value=lambda x: x,
        partials=lambda y, x: (0.0,),
        emit=lambda to, x: x,
        c="{0}",
        symbols=lambda f, x: x,
        cost="",
        method="held",
        minus="comes out",
    ),
)

OPERATIONS = {row.name: row for row in _ROWS}
WAVES = frozenset(row.name for row in _ROWS if row.cost == "sincos")


def operands(key: Key) -> tuple[int, ...]:
    """The nodes that a node is made of."""
    op, a, b = key
    if op in LEAVES:
        return ()
    return (a,) if b < 0 else (a, b)


def renumbered(key: Key, number: dict[int, int]) -> Key:
    """The same operation on nodes with other numbers."""
    op, a, b = key
    return key if op in LEAVES else (op, number[a], number[b] if b >= 0 else -1)


def is_wave(key: Key) -> bool:
    """Whether it is a sine or a cosine: those of one angle are computed together."""
    return key[0] in WAVES


def operation_counts(keys: Iterable[Key]) -> dict[str, int]:
    """How many of each cost; the sine and the cosine of one angle count once."""
    pairs = [(op, a) for op, a, _ in keys]
    out = dict.fromkeys(COSTS, 0)
    for op, count in Counter([op for op, _ in pairs]).items():
        cost = OPERATIONS[op].cost if op not in LEAVES else ""
        if cost:
            out[cost] += count
    return out | {"sincos": len({a for op, a in pairs if op in WAVES})}
