"""Formulas written as text: a small language, parsed and never handed to eval.

Mode shapes are formulas in x and L, desired motions formulas in t.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cache, reduce
from typing import Any

import numpy as np

from .types import Floats as Array

VARIABLES = ("x", "L", "pi")
CONSTANTS = ("pi", "deg")  # of formulas in one variable: motions and laws of joints
FUNCTIONS = ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "sqrt", "log", "abs")
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)
_LONGEST = 1000
_DEEPEST = 40  # nested operations: more is a slip, and differentiating it would take for ever


def _allowed(variables: tuple[str, ...]) -> str:
    return f"allowed are {', '.join(variables)}, {', '.join(FUNCTIONS)}, numbers and + - * / **"


def parse(text: str, variables: tuple[str, ...] = VARIABLES) -> ast.expr:
    """The checked syntax tree of the text."""
    allowed = _allowed(variables)
    if len(text) > _LONGEST:
        raise ValueError(f"a function has {len(text)} characters; at most {_LONGEST} are allowed")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
        if _depth(tree) > _DEEPEST:
            raise RecursionError
        _check(tree, text, variables)
    except SyntaxError as error:
        piece = (error.text or text).strip()
        raise ValueError(f"function {text!r}: {piece!r} cannot be read; {allowed}") from None
    except (RecursionError, MemoryError):
        raise ValueError(f"function {text!r} is nested too deeply") from None
    return tree


def _depth(tree: ast.AST) -> int:
    """How deeply calls and operations are nested; a long sum counts as one."""
    deepest, stack = 0, [(tree, 0)]
    while stack:
        node, level = stack.pop()
        deepest = max(deepest, level)
        for child in ast.iter_child_nodes(node):
            same = isinstance(node, ast.BinOp) and isinstance(child, ast.BinOp)
            alike = same and type(node.op) is type(child.op)  # type: ignore[attr-defined]
            stack.append((child, level if alike else level + 1))
    return deepest


def _check(node: ast.expr, text: str, variables: tuple[str, ...]) -> None:
    match node:
        case ast.Constant(value=value) if type(value) in (int, float):
            return
        case ast.Name(id=name) if name in variables:
            return
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
            _check(operand, text, variables)
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _OPERATORS):
            _check(left, text, variables)
            _check(right, text, variables)
        case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in FUNCTIONS:
            _check(argument, text, variables)
        case ast.Call(func=ast.Name(id=name)) if name not in FUNCTIONS:
            raise ValueError(f"function {text!r}: {name!r} is not known; {_allowed(variables)}")
        case _:
            piece = ast.unparse(node)
            raise ValueError(f"function {text!r}: {piece!r} is not allowed; {_allowed(variables)}")


def derivatives(text: str, length: float, highest: int) -> list[Any]:
    """SymPy expressions in x of phi, phi', ... phi^(highest) on a beam of this length."""
    import sympy

    x = sympy.Symbol("x", nonnegative=True)
    names = {"x": x, "L": sympy.Float(length), "pi": sympy.pi}
    try:
        chain = [in_symbols(parse(text), names)]
        for _ in range(highest):
            chain.append(chain[-1].diff(x))
    except (ArithmeticError, TypeError):
        raise ValueError(f"function {text!r} is not a finite real function of x") from None
    except RecursionError:
        raise ValueError(f"function {text!r} is nested too deeply") from None
    return chain


def derivative_functions(text: str, variable: str, highest: int) -> list[Callable[[float], float]]:
    """Fast functions of one variable: the formula and its derivatives up to `highest`."""
    import sympy

    v = sympy.Symbol(variable, real=True)
    tree = parse(text, (variable, *CONSTANTS))
    try:
        chain = [in_symbols(tree, {variable: v, "pi": sympy.pi, "deg": sympy.pi / 180})]
        for _ in range(highest):
            chain.append(chain[-1].diff(v))
        known = [{"Abs": abs, "Sign": _sign}, "math"]
        return [sympy.lambdify(v, expression, modules=known) for expression in chain]
    except (ArithmeticError, TypeError):
        raise ValueError(f"function {text!r} is not a finite real function") from None
    except RecursionError:
        raise ValueError(f"function {text!r} is nested too deeply") from None


def in_symbols(node: ast.expr, names: dict[str, Any]) -> Any:
    """A checked syntax tree as a SymPy expression of these names."""
    import sympy

    match node:
        case ast.Constant(value=value):
            return _number(float(value))  # type: ignore[arg-type]
        case ast.Name(id=name):
            return names[name]
        case ast.UnaryOp(op=op, operand=operand):
            inner = in_symbols(operand, names)
            return -inner if isinstance(op, ast.USub) else inner
        case ast.Call(func=ast.Name(id=name), args=[argument]):
            function = _magnitude() if name == "abs" else getattr(sympy, name)
            return function(in_symbols(argument, names))
        case ast.BinOp(left=left, op=op, right=right):
            return _operate(op, in_symbols(left, names), in_symbols(right, names))
    raise TypeError(node)


@cache
def _magnitude() -> Any:
    """abs() of a real number: |f|' = sign(f) f', and sign(f)' = 0, the jump left out.

    SymPy's own Abs differentiates an f that might be complex into parts without a value.
    """
    import sympy

    class Sign(sympy.Function):  # type: ignore[misc]
        def fdiff(self, argindex: int = 1) -> Any:
            return sympy.Integer(0)

        def _eval_evalf(self, prec: int) -> Any:
            return sympy.sign(self.args[0]).evalf(prec)

    class Abs(sympy.Function):  # type: ignore[misc]
        def fdiff(self, argindex: int = 1) -> Any:
            return Sign(self.args[0])

        def _eval_evalf(self, prec: int) -> Any:
            return sympy.Abs(self.args[0]).evalf(prec)

    return Abs


def _sign(value: float) -> float:
    return float(value > 0) - float(value < 0)


def _operate(op: ast.operator, a: Any, b: Any) -> Any:
    match op:
        case ast.Add():
            return a + b
        case ast.Sub():
            return a - b
        case ast.Mult():
            return a * b
        case ast.Div():
            return a / b
    if a.is_number and b.is_number:  # as floats: 9**9**9 must not grow a whole number
        power = float(a) ** float(b)
        if isinstance(power, complex):
            raise ArithmeticError
        return _number(power)
    return a**b


def _number(value: float) -> Any:
    import sympy

    whole = value.is_integer() and abs(value) < 1e15
    return sympy.Integer(int(value)) if whole else sympy.Float(value, 17)  # every bit is printed


def evaluate(expression: Any, x: Array) -> Any:
    """The SymPy expression at x: (n,), by NumPy."""
    if expression.is_Symbol:
        return x
    if expression.is_number:
        return float(expression)
    arguments = [evaluate(argument, x) for argument in expression.args]
    if expression.is_Add or expression.is_Mul:
        return reduce(np.add if expression.is_Add else np.multiply, arguments)
    if expression.is_Pow:
        return np.power(*arguments)
    return getattr(np, type(expression).__name__.lower())(*arguments)
