"""Dual numbers a + e b with e^2 = 0: run any function of the recursion on them and the
dual part is its derivative; on `Elastic` ones, and it is linearised in the elastic states."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import ClassVar, Self, TypeVar

import numpy as np

from ...types import Array, Scalar
from ..kinks import above_zero, larger, step

T = TypeVar("T")


@dataclass(unsafe_hash=True, slots=True)
class Dual:
    """a + e b; never changed, yet not frozen, which would cost a third of every operation."""

    a: Scalar
    b: Scalar

    level: ClassVar[int] = 0  # a number of a higher level is one over these

    def __add__(self, other: Scalar) -> Self:
        if type(other) is type(self):
            return type(self)(self.a + other.a, self.b + other.b)
        if type(other) is not float and self._below(other):
            return NotImplemented
        return type(self)(self.a + other, self.b)

    __radd__ = __add__

    def __neg__(self) -> Self:
        return type(self)(-self.a, -self.b)

    def __sub__(self, other: Scalar) -> Self:
        if type(other) is type(self):
            return type(self)(self.a - other.a, self.b - other.b)
        if type(other) is not float and self._below(other):
            return NotImplemented
        return type(self)(self.a - other, self.b)

    def __rsub__(self, other: Scalar) -> Self:
        return NotImplemented if self._below(other) else type(self)(other - self.a, -self.b)

    def __mul__(self, other: Scalar) -> Self:
        if type(other) is type(self):
            return type(self)(self.a * other.a, self.a * other.b + self.b * other.a)
        if type(other) is not float and self._below(other):
            return NotImplemented
        return type(self)(self.a * other, self.b * other)

    __rmul__ = __mul__

    def __truediv__(self, other: Scalar) -> Self:
        if type(other) is type(self):
            x = self.a / other.a
            return type(self)(x, (self.b - x * other.b) / other.a)
        if self._below(other):
            return NotImplemented
        return type(self)(self.a / other, self.b / other)

    def __rtruediv__(self, other: Scalar) -> Self:
        if self._below(other):
            return NotImplemented
        x = other / self.a
        return type(self)(x, -(x * self.b) / self.a)

    def sin(self) -> Self:
        return type(self)(np.sin(self.a), np.cos(self.a) * self.b)

    def cos(self) -> Self:
        return type(self)(np.cos(self.a), -(np.sin(self.a) * self.b))

    def sqrt(self) -> Self:
        x = np.sqrt(self.a)
        return type(self)(x, self.b / (2.0 * x))

    def tanh(self) -> Self:
        x = np.tanh(self.a)
        return type(self)(x, (1.0 - x * x) * self.b)

    def larger(self, other: Scalar) -> Self:
        if self._below(other):
            return other.larger(self)  # type: ignore[no-any-return]
        o = other if type(other) is type(self) else type(self)(other, 0.0)
        here = step(self.a - o.a)
        return type(self)(larger(self.a, o.a), here * self.b + (1.0 - here) * o.b)

    def step(self) -> Self:
        return type(self)(step(self.a), 0.0 * self.b)

    def above_zero(self) -> Self:
        return type(self)(above_zero(self.a), self.b)

    def _below(self, x: Scalar) -> bool:
        """Whether x, not of this kind, must know what to do with this number; else it is a
        constant, x + e 0."""
        return isinstance(x, np.ndarray) or (isinstance(x, Dual) and x.level > self.level)


class Elastic(Dual):
    """a + e b, with b of first order in the elastic states and a without them.

    A kind of its own, so that what is linearised can be differentiated too: its parts may be
    dual numbers.
    """

    __slots__ = ()
    level: ClassVar[int] = 1


def first_order(x: Array) -> Array:
    """The array e x: quantities of first order."""
    return paired(np.zeros(len(x)), x)


def paired(a: Array, b: Array) -> Array:
    """The array a + e b, of quantities to first order."""
    out = np.empty(len(a), dtype=object)
    out[:] = [Elastic(x, y) for x, y in zip(_scalars(a), _scalars(b), strict=True)]
    return out


def _scalars(x: Array) -> Sequence[Scalar]:
    """The entries of an array; numbers as those of Python, which are faster than NumPy's."""
    entries: Sequence[Scalar] = x.tolist() if x.ndim == 1 else list(x)
    return entries


def parts(x: Array) -> tuple[Array, Array]:
    """(a, b) of an array of quantities to first order."""
    if x.dtype != object:
        return x, np.zeros(x.shape)
    pairs = [(v.a, v.b) if isinstance(v, Elastic) else (v, 0.0) for v in x.ravel().tolist()]
    a, b = (np.array([pair[k] for pair in pairs]).reshape(x.shape) for k in (0, 1))
    return a, b


def total(x: T) -> T:
    """a + b, the first-order approximation itself (e = 1), of a number or of an array, or of
    all in a tuple, a list or a dataclass."""
    found: T = _total(x)
    return found


def _total(x: object) -> Scalar:
    if isinstance(x, Elastic):
        return x.a + x.b
    if isinstance(x, np.ndarray):
        if x.dtype != object:
            return x
        return np.array([_total(v) for v in x.ravel().tolist()]).reshape(x.shape)
    if isinstance(x, tuple | list):
        return type(x)(_total(v) for v in x)
    if is_dataclass(x) and not isinstance(x, type | Dual):
        return replace(x, **{f.name: _total(getattr(x, f.name)) for f in fields(x)})
    return x


def seed(x: Array, direction: Array) -> Array:
    """The array x + e direction."""
    out = np.empty(len(x), dtype=object)
    pairs = zip(_scalars(np.asarray(x)), _scalars(np.asarray(direction)), strict=True)
    out[:] = [Dual(a, b) for a, b in pairs]
    return out


def dual_part(x: Array) -> Array:
    """The derivative carried by an array; plain numbers in it carry none."""
    flat = [v.b if isinstance(v, Dual) else 0.0 for v in np.ravel(x)]
    return np.array(flat).reshape(np.shape(x))


def slopes(f: Callable[[Array], Array], x: Array, ways: Sequence[Array]) -> Array:
    """The derivatives of a vector f(x) along each of the ways, a column for each, all in one
    run: the dual part of each x_i is a vector."""
    found = f(seed(x, np.transpose(ways))) if len(ways) else f(x)
    none = np.zeros(len(ways))
    rows = [v.b + none if isinstance(v, Dual) else none for v in found]
    return np.array(rows).reshape(len(found), len(ways))
