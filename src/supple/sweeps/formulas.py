"""Outcomes as formulas: `max(distance(link3.tip, wanted.link3.tip))`, `last(joint1) - 0.75`.

Histories have a number for every instant; `max`, `rms`, `last`, ... make one number of them. A
name is written as it is (`link1.bending_y1`), or in quotes where it holds other signs than letters,
digits, `_` and dots. Parsed and checked, never handed to eval.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from ..errors import InputError, brief, did_you_mean
from ..types import Floats

LONGEST = 1000
Lookup = Callable[[str], Floats]
"""A variable of all points: (points,), (points, instants), or (points, instants, 3) of a place."""


def _after(t0: Floats, x: Floats, time: Floats) -> Floats:
    begin = np.unique(t0)
    if len(begin) != 1:
        raise InputError("after takes one instant for all points, e.g. after(2, x)")
    out = x[:, _instants(x, time) >= float(begin[0]) - 1e-12]
    if not out.shape[1]:
        raise InputError(f"after {begin[0]:g} s there is nothing: the last instant is {time[-1]:g}")
    return out


def _instants(x: Floats, time: Floats) -> Floats:
    """Those of a history, which may have lost its beginning by `after`."""
    return time[len(time) - x.shape[1] :]


def _settled(x: Floats, band: Floats, time: Floats) -> Floats:
    """The instant from which on x stays within the band about its last value; a band for all
    points, or one for each."""
    if band.ndim > 1:
        raise InputError("settled takes a band that is one number, e.g. settled(x, 0.01)")
    outside = np.abs(x - x[:, -1:]) > band.reshape(-1, 1)
    late = np.where(outside.any(axis=1), x.shape[1] - np.argmax(outside[:, ::-1], axis=1), 0)
    when = _instants(x, time)
    return np.asarray(when[np.minimum(late, len(when) - 1)])


def _distance(a: Floats, b: Floats) -> Floats:
    if any(x.ndim != 3 or x.shape[-1] != 3 for x in (a, b)):
        raise InputError("distance is of two places, e.g. distance(link3.tip, wanted.link3.tip)")
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
OPERATORS: dict[type[ast.operator], Callable[[Floats, Floats], Floats]] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.divide,
    ast.Pow: np.power,
}
CONSTANTS = {"pi": np.pi, "deg": np.pi / 180.0}
FUNCTIONS = (*REDUCTIONS, *ELEMENTWISE, *PAIRS, "distance", "after", "settled")


@lru_cache(maxsize=1000)
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


def value(tree: ast.expr, text: str, look_up: Lookup, time: Floats) -> Floats:
    """One number for each point: (points,)."""
    with np.errstate(all="ignore"):
        out = _value(tree, text, look_up, time)
    if out.ndim == 2 and len(time) == 1 and out.shape[1] == 1:
        return np.asarray(out[:, 0])  # of a robot at rest there is one instant
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
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            if not abs(number) < 1e300:
                raise InputError(f"{brief(text)}: a number in it is too large")
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


def _value(node: ast.expr, text: str, look_up: Lookup, time: Floats) -> Floats:
    match node:
        case ast.Constant(value=number) if not isinstance(number, str):
            return np.asarray(float(number))  # type: ignore[arg-type]
        case ast.UnaryOp(op=op, operand=inner):
            x = _value(inner, text, look_up, time)
            return -x if isinstance(op, ast.USub) else x
        case ast.BinOp(left=left, op=op, right=right):
            a, b = (_value(x, text, look_up, time) for x in (left, right))
            return _told(text, _fitting, OPERATORS[type(op)], a, b)
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
    if name in ("after", "settled"):
        return _told(text, _after if name == "after" else _settled, *given, time)
    return _told(text, _fitting, _distance if name == "distance" else PAIRS[name], *given)


def _told(text: str, f: Callable[..., Floats], *given: object) -> Floats:
    """f of what is given; what is wrong is said with the formula."""
    try:
        return f(*given)
    except InputError as error:
        raise InputError(f"{text!r}: {error}") from None


def _fitting(f: Callable[[Floats, Floats], Floats], a: Floats, b: Floats) -> Floats:
    """f(a, b); one number for each point fits every instant of its history, and a number for each
    instant all of a place."""
    least, most = sorted((a.ndim, b.ndim))
    if a.shape[:least] != b.shape[:least]:
        raise InputError("its parts have different numbers of instants")
    if least:
        a, b = (x.reshape(x.shape + (1,) * (most - x.ndim)) for x in (a, b))
    return np.asarray(f(a, b))
