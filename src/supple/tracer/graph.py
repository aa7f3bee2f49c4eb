"""The scalar graph: run a recursion on its expressions and it writes the equations down.

Equal subexpressions merge as they are made, zeros, ones and constants fold, signs move
outward, divisions become products with one shared reciprocal.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from ..types import Array, Scalar
from .operations import OPERATIONS, Key, Operation, operands, operation_counts

NUMBER = (float, int, np.floating, np.integer)
"""What an expression takes for a constant; anything else must know expressions itself."""


class Graph:
    """A list of operations, each made of earlier ones; no two are the same."""

    def __init__(self) -> None:
        self.keys: list[Key] = []
        self.inputs: list[str] = []
        self._number: dict[Key, int] = {}

    def node(self, key: Key) -> int:
        number = self._number.get(key)
        if number is None:
            number = len(self.keys)
            self.keys.append(key)
            self._number[key] = number
        return number

    def has(self, key: Key) -> int | None:
        return self._number.get(key)

    def constant(self, value: float) -> int:
        return self.node(("const", float(value), -1))

    def input(self, name: str) -> Expression:
        self.inputs.append(name)
        return Expression(self, self.node(("input", len(self.inputs) - 1, -1)))

    def vector(self, name: str, size: int) -> Array:
        """(size,) array of inputs name[0], name[1], ..."""
        out = np.empty(size, dtype=object)
        out[:] = [self.input(f"{name}[{i}]") for i in range(size)]
        return out

    def live(self, outputs: Sequence[Scalar]) -> list[bool]:
        """Which nodes the outputs need."""
        need = [False] * len(self.keys)
        for x in outputs:
            if isinstance(x, Expression):
                need[x.number] = True
        for n in range(len(need) - 1, -1, -1):  # operands come before what is made of them
            if need[n]:
                for k in operands(self.keys[n]):
                    need[k] = True
        return need

    def operations(self, outputs: Sequence[Scalar]) -> dict[str, int]:
        """Live operations by kind."""
        need = self.live(outputs)
        return operation_counts(k for k, used in zip(self.keys, need, strict=True) if used)


class Expression:
    """A node of a graph, with the arithmetic of a number."""

    __slots__ = ("graph", "number")

    def __init__(self, graph: Graph, number: int) -> None:
        self.graph = graph
        self.number = number

    def negated(self) -> int | None:
        """The node whose negative this is, if it is one."""
        op, a, _ = self.graph.keys[self.number]
        return a if op == "neg" else None

    def _value(self) -> float | None:
        op, a, _ = self.graph.keys[self.number]
        return float(a) if op == "const" else None

    def plain(self) -> Scalar:
        """Itself, or the number it stands for when it is a constant."""
        value = self._value()
        return self if value is None else value

    def _of(self, number: int) -> Expression:
        return Expression(self.graph, number)

    def _lift(self, other: Scalar) -> Expression | None:
        if isinstance(other, Expression):
            return other
        if not isinstance(other, NUMBER):
            return None
        return self._of(self.graph.constant(float(other)))

    def __neg__(self) -> Scalar:
        op, a, b = self.graph.keys[self.number]
        if op == "neg":
            return self._of(a)
        opposite = self.graph.has(("-", b, a)) if op == "-" else None
        if opposite is not None:
            return self._of(opposite)
        if op == "const":
            return -float(a)
        return self._of(self.graph.node(("neg", self.number, -1)))

    def __add__(self, other: Scalar) -> Scalar:
        if not isinstance(other, Expression):
            if not isinstance(other, NUMBER):
                return NotImplemented
            if other == 0.0:
                return self
            if other < 0.0:
                return self - (-other)
            other = self._lift(other)
        graph, a, b = self.graph, self.number, other.number
        if graph.keys[b][0] == "neg":
            return self - self._of(graph.keys[b][1])
        if graph.keys[a][0] == "neg":
            return other - self._of(graph.keys[a][1])
        return Expression(graph, graph.node(("+", a, b) if a <= b else ("+", b, a)))

    __radd__ = __add__

    def __sub__(self, other: Scalar) -> Scalar:
        if not isinstance(other, Expression):
            if not isinstance(other, NUMBER):
                return NotImplemented
            if other == 0.0:
                return self
            if other < 0.0:
                return self + (-other)
            other = self._lift(other)
        graph, a, b = self.graph, self.number, other.number
        if a == b:
            return 0.0
        if graph.keys[b][0] == "neg":
            return self + self._of(graph.keys[b][1])
        if graph.keys[a][0] == "neg":
            return -(self._of(graph.keys[a][1]) + other)
        opposite = graph.has(("-", b, a))
        key = ("-", a, b) if opposite is None else ("neg", opposite, -1)
        return Expression(graph, graph.node(key))

    def __rsub__(self, other: Scalar) -> Scalar:
        return -(self - other) if isinstance(other, NUMBER) else NotImplemented

    def __mul__(self, other: Scalar) -> Scalar:
        if not isinstance(other, Expression):
            if not isinstance(other, NUMBER):
                return NotImplemented
            return self._scaled(float(other))
        graph, a, b = self.graph, self.number, other.number
        if graph.keys[a][0] == "neg":
            return -(self._of(graph.keys[a][1]) * other)
        if graph.keys[b][0] == "neg":
            return -(self * self._of(graph.keys[b][1]))
        return Expression(graph, graph.node(("*", a, b) if a <= b else ("*", b, a)))

    __rmul__ = __mul__

    def _scaled(self, factor: float) -> Scalar:
        if factor == 0.0:
            return 0.0
        if factor == 1.0:
            return self
        if factor < 0.0:
            return -(self._scaled(-factor))
        graph, keys = self.graph, self.graph.keys
        op, a, b = keys[self.number]
        if op == "neg":
            return -(self._of(a)._scaled(factor))
        if op == "*":
            for first, second in ((a, b), (b, a)):
                if keys[first][0] == "const":
                    return self._of(second)._scaled(keys[first][1] * factor)
        low, high = sorted((self.number, graph.constant(factor)))
        return Expression(graph, graph.node(("*", low, high)))

    def _reciprocal(self) -> Scalar:
        op, a, _ = self.graph.keys[self.number]
        if op == "1/":
            return self._of(a)
        inner = self.negated()
        if inner is not None:
            return -self._of(inner)._reciprocal()
        return self._of(self.graph.node(("1/", self.number, -1)))

    def __truediv__(self, other: Scalar) -> Scalar:
        if isinstance(other, Expression):
            return self * other._reciprocal()
        if not isinstance(other, NUMBER):
            return NotImplemented
        return self._scaled(1.0 / float(other))

    def __rtruediv__(self, other: Scalar) -> Scalar:
        return self._reciprocal() * other if isinstance(other, NUMBER) else NotImplemented

    def __pow__(self, exponent: Scalar) -> Scalar:
        """Whole powers by multiplication, others by logarithms."""
        known = float(exponent) if isinstance(exponent, NUMBER) else 0.5 * math.pi
        if known.is_integer() and abs(known) <= 64.0:
            out: Scalar = 1.0
            for _ in range(int(abs(known))):
                out = out * self
            return out if known >= 0.0 else 1.0 / out
        if known == 0.5:
            return self.sqrt()  # type: ignore[attr-defined]
        return np.exp(exponent * self.log())  # type: ignore[attr-defined]

    def __rpow__(self, base: Scalar) -> Scalar:
        return np.exp(self * float(np.log(base))) if isinstance(base, NUMBER) else NotImplemented

    def __bool__(self) -> bool:
        raise TypeError("an expression is neither true nor false while it is traced")

    def __repr__(self) -> str:
        return f"<{self.graph.keys[self.number]} #{self.number}>"


def _method(row: Operation) -> Callable[..., Scalar]:
    """The method by which NumPy reaches a function of the table: np.sin(x) calls x.sin()."""

    def of(x: Expression, *others: Scalar) -> Scalar:
        inner = x.negated() if row.minus else None
        if inner is not None:
            same = of(Expression(x.graph, inner))
            return -same if row.minus == "comes out" else same
        second = x._lift(*others) if others else None
        return x._of(x.graph.node((row.name, x.number, -1 if second is None else second.number)))

    return of


for _row in OPERATIONS.values():
    if _row.method:
        setattr(Expression, _row.method, _method(_row))


def evaluate(graph: Graph, outputs: Sequence[Scalar], values: Sequence[float]) -> list[float]:
    """The outputs at given inputs, node by node in Python: the slow, plain check."""
    need = graph.live(outputs)
    at = [0.0] * len(graph.keys)
    for n, key in enumerate(graph.keys):
        op, a, _ = key
        if not need[n]:
            continue
        if op == "const":
            at[n] = float(a)
        elif op == "input":
            at[n] = float(values[int(a)])
        else:
            at[n] = OPERATIONS[op].value(*[at[k] for k in operands(key)])
    return [at[x.number] if isinstance(x, Expression) else float(x) for x in outputs]
