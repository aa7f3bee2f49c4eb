"""A formula and its derivatives as straight-line code, by truncated Taylor series.

Every part of the formula is a list of the coefficients c_k = f^(k) / k! of its series in the
variable; sums, products and quotients of series are series, and a function F of a series a is

    F(a) = sum_k F^(k)(a_0) / k! (a - a_0)^k.

So derivatives are exact, and the code grows with the length of the formula, not beyond.
A coefficient is a number, the name of a line's result, or None where it is always zero.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping
from typing import TypeVar

Term = float | str | None
Series = list[Term]
Value = TypeVar("Value")  # a float, an array or a symbol: what a formula is computed in

HIGHEST = 3
# F(a), F'(a), F''(a) / 2, F'''(a) / 6; f stands for the first, g for the second
OUTER: dict[str, tuple[str | None, ...]] = {
    "exp": ("exp({a})", "{f}", "{f}/2.0", "{f}/6.0"),
    "log": ("log({a})", "1.0/{a}", "-{g}*{g}/2.0", "{g}*{g}*{g}/3.0"),
    "sin": ("sin({a})", "cos({a})", "-{f}/2.0", "-{g}/6.0"),
    "cos": ("cos({a})", "-sin({a})", "-{f}/2.0", "-{g}/6.0"),
    "tan": ("tan({a})", "1.0+{f}*{f}", "{f}*{g}", "{g}*(1.0+3.0*{f}*{f})/3.0"),
    "sinh": ("sinh({a})", "cosh({a})", "{f}/2.0", "{g}/6.0"),
    "cosh": ("cosh({a})", "sinh({a})", "{f}/2.0", "{g}/6.0"),
    "tanh": ("tanh({a})", "1.0-{f}*{f}", "-{f}*{g}", "{g}*(3.0*{f}*{f}-1.0)/3.0"),
    "sqrt": ("sqrt({a})", "0.5/{f}", "-{g}/(4.0*{a})", "{g}/(8.0*{a}*{a})"),
    "abs": ("abs({a})", "sign({a})", None, None),  # the jump of the sign is left out
}


class FormulaCode:
    """Lines of a function of one variable, each giving a name to a value."""

    def __init__(self, highest: int) -> None:
        if not 0 <= highest <= HIGHEST:
            raise ValueError(f"derivatives up to {HIGHEST} are known, {highest} asked for")
        self.highest = highest
        self.lines: list[str] = []

    def let(self, text: str) -> str:
        self.lines.append(f"v{len(self.lines)} = {text}")
        return f"v{len(self.lines) - 1}"

    def add(self, a: Term, b: Term, sign: str = "+") -> Term:
        if b is None:
            return a
        if a is None:
            return b if sign == "+" else self.multiply(-1.0, b)
        if isinstance(a, float) and isinstance(b, float):
            return finite(a + b if sign == "+" else a - b)
        return self.let(f"{_text(a)} {sign} {_text(b)}")

    def multiply(self, a: Term, b: Term) -> Term:
        if a is None or b is None:
            return None
        if isinstance(a, float) and isinstance(b, float):
            return finite(a * b)
        if 1.0 in (a, b):
            return b if a == 1.0 else a
        return self.let(f"{_text(a)} * {_text(b)}")

    def divide(self, a: Term, b: Term) -> Term:
        if b is None or b == 0.0:
            raise ArithmeticError
        if a is None:
            return None
        if isinstance(a, float) and isinstance(b, float):
            return finite(a / b)
        return self.let(f"{_text(a)} / {_text(b)}")

    def dot(self, a: Series, b: Series, k: int, first: int = 0) -> Term:
        """sum of a_i b_(k - i), i from `first`."""
        total: Term = None
        for i in range(first, k + 1):
            total = self.add(total, self.multiply(a[i], b[k - i]))
        return total

    def product(self, a: Series, b: Series) -> Series:
        return [self.dot(a, b, k) for k in range(self.highest + 1)]

    def quotient(self, a: Series, b: Series) -> Series:
        """q_k = (a_k - sum of b_i q_(k - i), i > 0) / b_0."""
        q: Series = []
        if a[0] is None and isinstance(b[0], str):  # nothing, but where b is nothing too
            q.append(self.let(f"0.0 / {b[0]}"))
        for k in range(len(q), self.highest + 1):
            known = self.dot(b, [*q, None], k, first=1)
            q.append(self.divide(self.add(a[k], known, "-"), b[0]))
        return q

    def composed(self, outer: Series, a: Series) -> Series:
        """sum of outer_k (a - a_0)^k, by Horner's rule."""
        change: Series = [None, *a[1:]]
        out: Series = [None] * (self.highest + 1)
        for term in reversed(outer):
            out = self.product(change, out)
            out[0] = self.add(out[0], term)
        return out

    def function(self, name: str, a: Series) -> Series:
        if isinstance(a[0], float | None) and not any(a[1:]):
            value = {"abs": abs}.get(name) or getattr(math, name)
            return self.constant(value(a[0] or 0.0))
        names: dict[str, Term] = {"a": _text(a[0])}
        outer: Series = []
        for key, rule in zip("fghi", OUTER[name][: self.highest + 1], strict=False):
            outer.append(None if rule is None else self.let(rule.format(**names)))
            names[key] = outer[-1]
        return self.composed(outer, a)

    def power(self, a: Series, b: Series) -> Series:
        """a^p with a number p: binomial(p, k) a_0^(p - k); else exp(b log a)."""
        if any(b[1:]) or isinstance(b[0], str):
            return self.function("exp", self.product(b, self.function("log", a)))
        p = b[0] or 0.0
        assert isinstance(p, float)
        if not isinstance(a[0], str) and not any(a[1:]):
            value = (a[0] or 0.0) ** p
            if isinstance(value, complex):
                raise ArithmeticError
            return self.constant(value)
        outer: Series = []
        factor = 1.0
        for k in range(self.highest + 1):
            outer.append(self._monomial(factor, a[0], p - k))
            factor *= (p - k) / (k + 1)
        return self.composed(outer, a)

    def _monomial(self, factor: float, a: Term, p: float) -> Term:
        if factor == 0.0 or p == 0.0:
            return factor or None
        exponent = int(p) if p.is_integer() and abs(p) < 1e9 else p
        return self.multiply(factor, self.let(f"{_text(a)} ** {_text(exponent)}"))

    def constant(self, value: float) -> Series:
        return [finite(float(value)) or None, *[None] * self.highest]


def finite(value: float) -> float:
    """The number, if it is one."""
    if not math.isfinite(value):
        raise ArithmeticError
    return value


def _text(value: Term | int) -> str:
    return "0.0" if value is None else f"({value!r})" if not isinstance(value, str) else value


def series(node: ast.expr, names: dict[str, Series], code: FormulaCode) -> Series:
    """The series of a checked syntax tree; `names` has those of its variables and constants."""
    match node:
        case ast.Constant(value=value):
            return code.constant(float(value))  # type: ignore[arg-type]
        case ast.Name(id=name):
            return names[name]
        case ast.UnaryOp(op=op, operand=operand):
            inner = series(operand, names, code)
            return [code.multiply(-1.0, c) for c in inner] if isinstance(op, ast.USub) else inner
        case ast.Call(func=ast.Name(id=name), args=[argument]):
            return code.function(name, series(argument, names, code))
        case ast.BinOp(left=left, op=op, right=right):
            a, b = series(left, names, code), series(right, names, code)
            return _operate(op, a, b, code)
    raise TypeError(node)


def _operate(op: ast.operator, a: Series, b: Series, code: FormulaCode) -> Series:
    match op:
        case ast.Add():
            return [code.add(x, y) for x, y in zip(a, b, strict=True)]
        case ast.Sub():
            return [code.add(x, y, "-") for x, y in zip(a, b, strict=True)]
        case ast.Mult():
            return code.product(a, b)
        case ast.Div():
            return code.quotient(a, b)
    return code.power(a, b)


def derivative(
    tree: ast.expr,
    variable: str,
    constants: dict[str, float],
    order: int,
    known: Mapping[str, Callable[[Value], Value]],
) -> Callable[[Value], Value]:
    """The derivative of this order as a function of the variable; `known` has the elementary
    functions by name, those of math or of NumPy. ArithmeticError: a number of it is not finite."""
    code = FormulaCode(order)
    one: Series = ["x", 1.0, *[None] * order][: order + 1]
    names = {name: code.constant(value) for name, value in constants.items()}
    last = series(tree, {**names, variable: one}, code)[order]
    last = code.multiply(float(math.factorial(order)), last)
    lines = [*code.lines, f"return {_text(last)}"]
    made: dict[str, Callable[[Value], Value]] = {}
    exec("def f(x):\n " + "\n ".join(lines), {"__builtins__": {}, **known}, made)
    return made["f"]
