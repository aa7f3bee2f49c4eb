"""Dual vectors and matrices x = r + e d with e^2 = 0.

The real part r is of order zero, the dual part d of order one: a product keeps exactly the
terms of order zero and one, so whatever is computed this way is linearised at every step.
Both parts are arrays of any scalar: floats, SymPy symbols, nodes of a traced graph.
Reference: [CibicikEgeland], section II-A and eqs. (13), (37)-(38).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ...types import Array, Scalar
from ..algebra import skew
from .number import Dual

Index: TypeAlias = int | slice | tuple[int | slice | None, ...]


@dataclass(frozen=True, eq=False)
class DualArray:
    """r + e d, two arrays of one shape."""

    r: Array
    d: Array

    __array_ufunc__ = None  # NumPy leaves `array @ dual` and `array * dual` to us

    @classmethod
    def of(cls, x: DualLike) -> DualArray:
        """x itself, or a plain array with no dual part."""
        if isinstance(x, DualArray):
            return x
        r = np.asarray(x)
        return cls(r, np.zeros(r.shape))

    @classmethod
    def first_order(cls, d: Array) -> DualArray:
        """e d: a quantity of order one."""
        return cls(np.zeros(np.shape(d)), np.asarray(d))

    @property
    def shape(self) -> tuple[int, ...]:
        return np.shape(self.r)

    @property
    def T(self) -> DualArray:
        return DualArray(self.r.T, self.d.T)

    def __getitem__(self, key: Index) -> DualArray:
        return DualArray(np.asarray(self.r[key]), np.asarray(self.d[key]))

    def __add__(self, other: DualLike) -> DualArray:
        o = DualArray.of(other)
        return DualArray(self.r + o.r, self.d + o.d)

    __radd__ = __add__

    def __neg__(self) -> DualArray:
        return DualArray(-self.r, -self.d)

    def __sub__(self, other: DualLike) -> DualArray:
        return self + (-DualArray.of(other))

    def __rsub__(self, other: DualLike) -> DualArray:
        return DualArray.of(other) - self

    def __mul__(self, other: DualLike) -> DualArray:
        """Element by element, or by a scalar."""
        o = DualArray.of(other)
        return DualArray(self.r * o.r, self.r * o.d + self.d * o.r)

    __rmul__ = __mul__

    def __matmul__(self, other: DualLike) -> DualArray:
        o = DualArray.of(other)
        return DualArray(self.r @ o.r, self.r @ o.d + self.d @ o.r)

    def __rmatmul__(self, other: DualLike) -> DualArray:
        return DualArray.of(other) @ self

    def swapped(self) -> DualArray:
        """Real and dual parts interchanged: the matrix N of eq. (70); twice is nothing."""
        return DualArray(self.d, self.r)

    def total(self) -> Array:
        """r + d: the first-order approximation itself (e = 1)."""
        return self.r + self.d

    def matrix(self) -> Array:
        """As real numbers: [r; d] of a vector, [[r, 0], [d, r]] of a matrix.

        The matrix of a product is the product of the matrices. Reference: eqs. (31), (37).
        """
        if self.r.ndim == 1:
            return np.concatenate([self.r, self.d])
        return np.block([[self.r, np.zeros(self.shape)], [self.d, self.r]])

    def numbers(self) -> Array:
        """The same as an array of dual numbers."""
        out = np.empty(self.shape, dtype=object)
        pairs = zip(self.r.flat, self.d.flat, strict=True)
        out.reshape(-1)[:] = [Dual(a, b) for a, b in pairs]
        return out


DualLike: TypeAlias = DualArray | ArrayLike
"""A dual array, or a plain one (with no dual part)."""


def vector(m: Array) -> DualArray:
    """The dual vector [r; d] of eq. (37)."""
    half = len(m) // 2
    return DualArray(np.asarray(m[:half]), np.asarray(m[half:]))


def hstack(parts: Sequence[DualArray]) -> DualArray:
    """Columns side by side."""
    return DualArray(np.hstack([p.r for p in parts]), np.hstack([p.d for p in parts]))


def vstack(parts: Sequence[DualArray]) -> DualArray:
    """Rows (or vectors, end to end) one below the other."""
    join = np.concatenate
    return DualArray(join([p.r for p in parts]), join([p.d for p in parts]))


def wedge(a: DualLike) -> DualArray:
    """[a]^ = a~: its product with b is a x b.

    Reference: [CibicikEgeland], eqs. (13), (38).
    """
    a = DualArray.of(a)
    return DualArray(skew(a.r), skew(a.d))


def dot(a: DualLike, b: DualLike) -> Scalar:
    """The dual number a . b."""
    product = DualArray.of(a) @ DualArray.of(b)
    return Dual(product.r, product.d)
