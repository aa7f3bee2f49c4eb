"""Dual numbers a + e b with e^2 = 0: run any function of the recursion on them and the
dual part is its derivative."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...types import Array, Scalar


@dataclass(frozen=True)
class Dual:
    """a + e b."""

    a: Scalar
    b: Scalar

    def __add__(self, other: Scalar) -> Dual:
        o = _dual(other)
        return NotImplemented if o is None else Dual(self.a + o.a, self.b + o.b)

    __radd__ = __add__

    def __neg__(self) -> Dual:
        return Dual(-self.a, -self.b)

    def __sub__(self, other: Scalar) -> Dual:
        o = _dual(other)
        return NotImplemented if o is None else Dual(self.a - o.a, self.b - o.b)

    def __rsub__(self, other: Scalar) -> Dual:
        o = _dual(other)
        return NotImplemented if o is None else Dual(o.a - self.a, o.b - self.b)

    def __mul__(self, other: Scalar) -> Dual:
        o = _dual(other)
        if o is None:
            return NotImplemented
        return Dual(self.a * o.a, self.a * o.b + self.b * o.a)

    __rmul__ = __mul__

    def __truediv__(self, other: Scalar) -> Dual:
        o = _dual(other)
        if o is None:
            return NotImplemented
        x = self.a / o.a
        return Dual(x, (self.b - x * o.b) / o.a)

    def __rtruediv__(self, other: Scalar) -> Dual:
        o = _dual(other)
        return NotImplemented if o is None else o / self

    def sin(self) -> Dual:
        return Dual(np.sin(self.a), np.cos(self.a) * self.b)

    def cos(self) -> Dual:
        return Dual(np.cos(self.a), -(np.sin(self.a) * self.b))

    def sqrt(self) -> Dual:
        x = np.sqrt(self.a)
        return Dual(x, self.b / (2.0 * x))

    def tanh(self) -> Dual:
        x = np.tanh(self.a)
        return Dual(x, (1.0 - x * x) * self.b)


def _dual(x: Scalar) -> Dual | None:
    if isinstance(x, Dual):
        return x
    return None if isinstance(x, np.ndarray) else Dual(x, 0.0)


def seed(x: Array, direction: Array) -> Array:
    """The array x + e direction."""
    out = np.empty(len(x), dtype=object)
    out[:] = [Dual(a, b) for a, b in zip(x, direction, strict=True)]
    return out


def dual_part(x: Array) -> Array:
    """The derivative carried by an array; plain numbers in it carry none."""
    flat = [v.b if isinstance(v, Dual) else 0.0 for v in np.ravel(x)]
    return np.array(flat).reshape(np.shape(x))
