"""Derivatives by complex steps, exact to rounding.

f(x + i h e_k) = f(x) + i h df/dx_k + O(h^2): with h = 1e-30 nothing is lost. The steps along all
numbers are taken in one run of the recursion, whose scalars are rows of complex numbers.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

STEP = 1e-30


class Row:
    """One number, stepped along each of many directions."""

    __slots__ = ("x",)

    def __init__(self, x: Any) -> None:
        self.x = x

    def __add__(self, other: Any) -> Any:
        return _with(other, lambda y: Row(self.x + y))

    def __sub__(self, other: Any) -> Any:
        return _with(other, lambda y: Row(self.x - y))

    def __rsub__(self, other: Any) -> Any:
        return _with(other, lambda y: Row(y - self.x))

    def __mul__(self, other: Any) -> Any:
        return _with(other, lambda y: Row(self.x * y))

    def __truediv__(self, other: Any) -> Any:
        return _with(other, lambda y: Row(self.x / y))

    def __rtruediv__(self, other: Any) -> Any:
        return _with(other, lambda y: Row(y / self.x))

    def __pow__(self, power: float) -> Row:
        return Row(self.x**power)

    def __neg__(self) -> Row:
        return Row(-self.x)

    __radd__, __rmul__ = __add__, __mul__

    def sin(self) -> Row:
        return Row(np.sin(self.x))

    def cos(self) -> Row:
        return Row(np.cos(self.x))

    def sqrt(self) -> Row:
        return Row(np.sqrt(self.x))

    def tanh(self) -> Row:
        return Row(np.tanh(self.x))

    def larger(self, other: Any) -> Row:
        y = other.x if isinstance(other, Row) else other
        return Row(np.where(np.real(y) > self.x.real, y, self.x))

    def step(self) -> Row:
        return Row((self.x.real > 0.0).astype(complex))

    def above_zero(self) -> Row:
        return Row(np.where(self.x.real > 0.0, self.x, math.nan))


def _with(other: Any, f: Any) -> Any:
    """Of a row or a number; arrays and dual numbers know by themselves what to do with rows."""
    if isinstance(other, Row):
        return f(other.x)
    return f(other) if isinstance(other, int | float | complex | np.number) else NotImplemented


def by_complex_steps(run: Any, given: list[Any], *wrt: int) -> Any:
    """d run / d(given[k] for k in wrt), a column for each of their numbers."""
    sizes = [len(x) if k in wrt else 0 for k, x in enumerate(given)]
    columns, at = sum(sizes), 0
    stepped = []
    for x, size in zip(given, sizes, strict=True):
        rows = np.tile(np.asarray(x, dtype=complex)[:, None], (1, columns))
        rows[range(size), range(at, at + size)] += STEP * 1j
        stepped.append(np.array([*map(Row, rows), None], dtype=object)[:-1])
        at += size
    out = [x.x if isinstance(x, Row) else np.full(columns, x) for x in run(*stepped)]
    return np.array(out).imag / STEP
