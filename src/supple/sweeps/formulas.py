"""Outcomes as formulas: `max(distance(link3.tip, wanted.link3.tip))`, `last(joint1) - 0.75`.

Histories have a number for every instant; `max`, `rms`, `last`, ... make one number of them. A
name is written as it is (`link1.bending_y1`), or in quotes where it holds other signs than letters,
digits, `_` and dots. Parsed and checked, never handed to eval.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import InputError, did_you_mean
from ..types import Floats

LONGEST = 1000
Lookup = Callable[[str], Floats]
"""A variable of all points: (points,), (points, instants), or (points, instants, 3) of a place."""


def _after(t0: Floats, x: Floats, time: Floats) -> Floats:
    return x[:, time >= float(np.max(t0)) - 1e-12]


def _settled(x: Floats, band: Floats, time: Floats) -> Floats:
    """The instant from which on x stays within the band about its last value."""
    outside = np.abs(x - x[:, -1:]) > np.max(band)
    late = np.where(outside.any(axis=1), x.shape[1] - np.argmax(outside[:, ::-1], axis=1), 0)
    return np.asarray(time[np.minimum(late, len(time) - 1)])


def _distance(a: Floats, b: Floats) -> Floats:
    return np.asarray(np.linalg.norm(a - b, axis=-1))


REDUCTIONS: dict[str, Callable[[Floats], Floats]] = {
    "max": lambda x: x.max(axis=1),
    "min": lambda x: x.min(axis=1),
    "mean": lambda x: x.mean(axis=1),
    "rms": lambda x: np.sqrt((x * x).mean(axis=1)),
    "first": lambda x: x[:, 0],
    "last": lambda x: x[:, -1],
    "range": lambda x: np.ptp(x, axis=1),
}
"""One number out of a history (points, instants)."""

ELEMENTWISE: dict[str, Callable[[Floats], Floats]] = {
    name: getattr(np, name) for name in ("sin", "cos", "tan", "exp", "sqrt", "log", "abs")
}
PAIRS: dict[str, Callable[[Floats, Floats], Floats]] = {"hypot": np.hypot}
OPERATORS: dict[type, Any] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.divide,
    ast.Pow: np.power,
}
CONSTANTS = {"pi": np.pi, "deg": np.pi / 180.0}
FUNCTIONS = (*REDUCTIONS, *ELEMENTWISE, *PAIRS, "distance", "after", "settled")


def parse(text: str) -> ast.expr:
    """The syntax tree of a formula, with nothing in it but what is known."""
    if len(text) > LONGEST:
        raise InputError(f"a formula of {len(text)} letters is too long; at most {LONGEST}")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
        _check(tree, text)
    except InputError:
        raise
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InputError(f"{text!r} cannot be read; {_allowed()}") from None
    return tree


def names(tree: ast.expr) -> list[str]:
    """The variables of a formula, each once."""
    found = dict.fromkeys(_walk_names(tree))
    return [name for name in found if name not in CONSTANTS]


def value(tree: ast.expr, text: str, look_up: Lookup, time: Floats) -> Floats:
    """One number for each point: (points,)."""
    with np.errstate(all="ignore"):
        out = _value(tree, text, look_up, time)
    if out.ndim == 2:
        raise InputError(
            f"{text!r} gives a whole history; make one number of it, e.g. max({text}), "
            f"last({text}) or rms({text})"
        )
    if out.ndim > 2:
        raise InputError(f"{text!r} gives places; take their distance, or one of .x, .y, .z")
    return out


def _allowed() -> str:
    return f"allowed are names, numbers, + - * / **, and {', '.join(FUNCTIONS)}"


def _dotted(node: ast.expr) -> str | None:
    """A name with its dots, or in quotes; None: no name."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (inner := _dotted(node.value)) is not None:
        return f"{inner}.{node.attr}"
    return None


def _check(node: ast.expr, text: str) -> None:
    match node:
        case ast.Constant(value=value) if type(value) in (int, float):
            return
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=inner):
            _check(inner, text)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            _check(left, text)
            _check(right, text)
        case ast.Call(func=ast.Name(id=name), args=inner, keywords=[]):
            _check_call(name, len(inner), text)
            for part in inner:
                _check(part, text)
        case _ if _dotted(node) is not None:
            return
        case _:
            raise InputError(f"{text!r}: {ast.unparse(node)!r} is not allowed; {_allowed()}")


def _check_call(name: str, count: int, text: str) -> None:
    if name not in FUNCTIONS:
        hint = did_you_mean(name, FUNCTIONS)
        raise InputError(f"{text!r}: {name!r} is not known; {hint or _allowed()}")
    needed = 1 if name in REDUCTIONS or name in ELEMENTWISE else 2
    if count != needed:
        raise InputError(f"{text!r}: {name} takes {needed} value{'s'[: needed - 1]}, not {count}")


def _walk_names(node: ast.expr) -> list[str]:
    found = _dotted(node)
    if found is not None:
        return [found]
    inner = node.args if isinstance(node, ast.Call) else list(ast.iter_child_nodes(node))
    return [name for part in inner if isinstance(part, ast.expr) for name in _walk_names(part)]


def _value(node: ast.expr, text: str, look_up: Lookup, time: Floats) -> Floats:
    match node:
        case ast.Constant(value=number) if not isinstance(number, str):
            return np.asarray(float(number))  # type: ignore[arg-type]
        case ast.UnaryOp(op=op, operand=inner):
            x = _value(inner, text, look_up, time)
            return -x if isinstance(op, ast.USub) else x
        case ast.BinOp(left=left, op=op, right=right):
            a, b = (_value(x, text, look_up, time) for x in (left, right))
            return _fitting(OPERATORS[type(op)], a, b, text)
        case ast.Call(func=ast.Name(id=name), args=inner):
            return _called(name, [_value(x, text, look_up, time) for x in inner], text, time)
    name = str(_dotted(node))
    return np.asarray(CONSTANTS[name]) if name in CONSTANTS else look_up(name)


def _called(name: str, given: list[Floats], text: str, time: Floats) -> Floats:
    history = 1 if name == "after" else 0
    if name in (*REDUCTIONS, "after", "settled") and given[history].ndim != 2:
        raise InputError(f"{text!r}: {name} takes a history, and this is none")
    if name in REDUCTIONS:
        return REDUCTIONS[name](given[0])
    if name in ELEMENTWISE:
        return ELEMENTWISE[name](given[0])
    if name == "after":
        return _after(given[0], given[1], time)
    if name == "settled":
        return _settled(given[0], given[1], time)
    a, b = given
    return _fitting(_distance if name == "distance" else PAIRS[name], a, b, text)


def _fitting(f: Any, a: Floats, b: Floats, text: str) -> Floats:
    """f(a, b); one number for each point fits every instant of its history."""
    a, b = (x[:, None] if x.ndim == 1 and y.ndim == 2 else x for x, y in ((a, b), (b, a)))
    try:
        return np.asarray(f(a, b))
    except ValueError:
        raise InputError(f"{text!r}: its parts have different numbers of instants") from None
