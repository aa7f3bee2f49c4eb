"""Dual numbers a + e b with e^2 = 0: run any function of the recursion on them and the
dual part is its derivative; on `Elastic` ones, and it is linearised in the elastic states."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass, replace
from typing import ClassVar, Self, TypeVar

import numpy as np

from ...types import Array, Scalar

T = TypeVar("T")


@dataclass(frozen=True)
class Dual:
    """a + e b."""

    a: Scalar
    b: Scalar

    level: ClassVar[int] = 0  # a number of a higher level is one over these

    def __add__(self, other: Scalar) -> Self:
        o = self._like(other)
        return NotImplemented if o is None else type(self)(self.a + o.a, self.b + o.b)

    __radd__ = __add__

    def __neg__(self) -> Self:
        return type(self)(-self.a, -self.b)

    def __sub__(self, other: Scalar) -> Self:
        o = self._like(other)
        return NotImplemented if o is None else type(self)(self.a - o.a, self.b - o.b)

    def __rsub__(self, other: Scalar) -> Self:
        o = self._like(other)
        return NotImplemented if o is None else type(self)(o.a - self.a, o.b - self.b)

    def __mul__(self, other: Scalar) -> Self:
        o = self._like(other)
        if o is None:
            return NotImplemented
        return type(self)(self.a * o.a, self.a * o.b + self.b * o.a)

    __rmul__ = __mul__

    def __truediv__(self, other: Scalar) -> Self:
        o = self._like(other)
        if o is None:
            return NotImplemented
        x = self.a / o.a
        return type(self)(x, (self.b - x * o.b) / o.a)

    def __rtruediv__(self, other: Scalar) -> Self:
        o = self._like(other)
        return NotImplemented if o is None else o / self

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

    def _like(self, x: Scalar) -> Self | None:
        """x as such a number; None where x must know what to do with this one."""
        if type(x) is type(self):
            return x
        above = isinstance(x, np.ndarray) or (isinstance(x, Dual) and x.level > self.level)
        return None if above else type(self)(x, 0.0)


class Elastic(Dual):
    """a + e b, with b of first order in the elastic states and a without them.

    A kind of its own, so that what is linearised can be differentiated too: its parts may be
    dual numbers.
    """

    level: ClassVar[int] = 1


def first_order(x: Array) -> Array:
    """The array e x: quantities of first order."""
    return paired(np.zeros(len(x)), x)


def paired(a: Array, b: Array) -> Array:
    """The array a + e b, of quantities to first order."""
    out = np.empty(len(a), dtype=object)
    out[:] = [Elastic(x, y) for x, y in zip(a, b, strict=True)]
    return out


def parts(x: Array) -> tuple[Array, Array]:
    """(a, b) of an array of quantities to first order."""
    pairs = [(v.a, v.b) if isinstance(v, Elastic) else (v, 0.0) for v in np.ravel(x)]
    a, b = (np.array([pair[k] for pair in pairs]).reshape(np.shape(x)) for k in (0, 1))
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
        return np.array([_total(v) for v in x.ravel()]).reshape(x.shape)
    if isinstance(x, tuple | list):
        return type(x)(_total(v) for v in x)
    if is_dataclass(x) and not isinstance(x, type | Dual):
        return replace(x, **{f.name: _total(getattr(x, f.name)) for f in fields(x)})
    return x


def seed(x: Array, direction: Array) -> Array:
    """The array x + e direction."""
    out = np.empty(len(x), dtype=object)
    out[:] = [Dual(a, b) for a, b in zip(x, direction, strict=True)]
    return out


def dual_part(x: Array) -> Array:
    """The derivative carried by an array; plain numbers in it carry none."""
    flat = [v.b if isinstance(v, Dual) else 0.0 for v in np.ravel(x)]
    return np.array(flat).reshape(np.shape(x))
