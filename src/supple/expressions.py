"""Formulas written as text: a small language, parsed, checked, and never handed to eval.

Mode shapes are formulas in x and L, desired motions formulas in t.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, Self, TypeVar

import numpy as np

from .jets import derivative
from .types import Floats as Array, Scalar

if TYPE_CHECKING:
    import sympy

VARIABLES = ("x", "L", "pi")
CONSTANTS = ("pi", "deg")  # of formulas in one variable: motions and laws of joints
FUNCTIONS = ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "sqrt", "log", "abs")
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)
_LONGEST = 1000
_DEEPEST = 40  # nested operations: more is a slip


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
    """How deeply calls and operations are nested; a long sum or product counts as one, a tower
    of powers does not."""
    deepest, stack = 0, [(tree, 0)]
    while stack:
        node, level = stack.pop()
        deepest = max(deepest, level)
        for child in ast.iter_child_nodes(node):
            same = isinstance(node, ast.BinOp) and isinstance(child, ast.BinOp)
            alike = same and type(node.op) is type(child.op)  # type: ignore[attr-defined]
            alike = alike and not isinstance(node.op, ast.Pow)  # type: ignore[attr-defined]
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


def derivatives(text: str, length: float, highest: int) -> list[Callable[[Array], Array]]:
    """phi, phi', ... phi^(highest) on a beam of this length, as functions of x: (n,)."""
    constants = {"L": length, "pi": math.pi}
    return [_on_arrays(f) for f in _chain(text, VARIABLES, "x", constants, highest, _NUMPY)]


def derivative_functions(text: str, variable: str, highest: int) -> list[Callable[[float], float]]:
    """Fast functions of one variable: the formula and its derivatives up to `highest`."""
    constants = {"pi": math.pi, "deg": math.pi / 180.0}
    return _chain(text, (variable, *CONSTANTS), variable, constants, highest, _MATH)


def array_functions(text: str, variable: str, highest: int) -> list[Callable[[Array], Array]]:
    """The same functions of many values at once; NaN where there is none."""
    constants = {"pi": math.pi, "deg": math.pi / 180.0}
    names = (variable, *CONSTANTS)
    return [_on_arrays(f) for f in _chain(text, names, variable, constants, highest, _NUMPY)]


def symbol_functions(
    text: str, variable: str, highest: int
) -> list[Callable[[Scalar], Scalar]] | None:
    """The same functions for symbols that know sin, cos, tanh, exp, log and sqrt; None where the
    formula has corners."""
    tree = parse(text, (variable, *CONSTANTS))
    if any(isinstance(n, ast.Name) and n.id == "abs" for n in ast.walk(tree)):
        return None
    constants = {"pi": math.pi, "deg": math.pi / 180.0}
    return _chain(text, (variable, *CONSTANTS), variable, constants, highest, _SYMBOLS)


def _chain(
    text: str,
    allowed: tuple[str, ...],
    variable: str,
    constants: dict[str, float],
    highest: int,
    known: Mapping[str, Callable[[Value], Value]],
) -> list[Callable[[Value], Value]]:
    tree = parse(text, allowed)
    try:
        return [derivative(tree, variable, constants, k, known) for k in range(highest + 1)]
    except (ArithmeticError, ValueError):
        raise ValueError(f"function {text!r} is not a finite real function") from None
    except RecursionError:
        raise ValueError(f"function {text!r} is nested too deeply") from None


def _on_arrays(f: Callable[[Array], Array]) -> Callable[[Array], Array]:
    def function(x: Array) -> Array:
        with np.errstate(all="ignore"):
            return np.asarray(f(x) * np.ones_like(x), dtype=float)

    return function


def _sign(value: float) -> float:
    return float(value > 0) - float(value < 0)


_MATH = {name: getattr(math, name, abs) for name in FUNCTIONS} | {"sign": _sign}
_SYMBOLS: dict[str, Callable[[Scalar], Scalar]] = {
    name: getattr(np, name) for name in ("sin", "cos", "tanh")
} | {
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "tan": lambda x: np.sin(x) / np.cos(x),
    "sinh": lambda x: 0.5 * (np.exp(x) - np.exp(-x)),
    "cosh": lambda x: 0.5 * (np.exp(x) + np.exp(-x)),
}
_ARITHMETIC: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: math.pow,
}
_NUMPY = {name: getattr(np, name) for name in (*FUNCTIONS, "sign")}


class Negatable(Protocol):
    """What has an opposite: a float, a scalar, a symbol."""

    def __neg__(self) -> Self: ...


Value = TypeVar("Value", bound=Negatable)


@dataclass(frozen=True)
class Calculus(Generic[Value]):
    """What a formula is computed in: what its numbers, functions and operations become."""

    number: Callable[[float], Value]
    functions: Mapping[str, Callable[[Value], Value]]
    operations: Mapping[type[ast.operator], Callable[[Value, Value], Value]]


def _computed(node: ast.expr, names: Mapping[str, Value], within: Calculus[Value]) -> Value:
    """The value of a checked tree, from the leaves up."""
    match node:
        case ast.Constant(value=value):
            return within.number(float(value))  # type: ignore[arg-type]
        case ast.Name(id=name):
            return names[name]
        case ast.UnaryOp(op=op, operand=operand):
            inner = _computed(operand, names, within)
            return -inner if isinstance(op, ast.USub) else inner
        case ast.Call(func=ast.Name(id=name), args=[argument]):
            return within.functions[name](_computed(argument, names, within))
        case ast.BinOp(left=left, op=op, right=right):
            a, b = _computed(left, names, within), _computed(right, names, within)
            return within.operations[type(op)](a, b)
    raise TypeError(node)


def evaluated(node: ast.expr, names: dict[str, float]) -> float:
    """The number that a checked tree stands for."""
    return _computed(node, names, _FLOATS)


def with_scalars(node: ast.expr, names: dict[str, Scalar]) -> Scalar:
    """The checked tree for scalars that know arithmetic and NumPy's functions, but for corners."""
    return _computed(node, names, _SCALARS)


def in_symbols(node: ast.expr, names: dict[str, sympy.Expr]) -> sympy.Expr:
    """The checked tree in SymPy."""
    import sympy

    functions = {name: getattr(sympy, name.replace("abs", "Abs")) for name in FUNCTIONS}
    within = Calculus(_number, functions, _ARITHMETIC | {ast.Pow: _sympy_power})
    return _computed(node, names, within)


def _to_float(operation: Callable[[float, float], float]) -> Callable[[float, float], float]:
    """The operation with a plain float as its value, of NumPy's floats too."""
    return lambda a, b: float(operation(a, b))


_FLOATS: Calculus[float] = Calculus(
    float, _MATH | {"abs": math.fabs}, {op: _to_float(f) for op, f in _ARITHMETIC.items()}
)
_SCALARS: Calculus[Scalar] = Calculus(float, _SYMBOLS, _ARITHMETIC | {ast.Pow: operator.pow})


def _sympy_power(a: sympy.Expr, b: sympy.Expr) -> sympy.Expr:
    if a.is_number and b.is_number:  # as floats: 9**9**9 must not grow a whole number
        power = float(a) ** float(b)
        if isinstance(power, complex):
            raise ArithmeticError
        return _number(power)
    return a**b


def _number(value: float) -> sympy.Expr:
    import sympy

    whole = value.is_integer() and abs(value) < 1e15
    return sympy.Integer(int(value)) if whole else sympy.Float(value, 17)  # every bit is printed
