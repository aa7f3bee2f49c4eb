"""The words that functions to be translated use beside Python's own; here they run in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from ...types import Floats

T = TypeVar("T")
Number = TypeVar("Number", int, float)
Real = TypeVar("Real", float, Floats)
Truths = NDArray[np.bool_]

Reals = Floats
"""An array of floats (with lanes: of vectors); x[i:] is the same memory from i on."""

Pointers = list[Reals]
"""The arrays that a kernel is given, one after the other."""

Arguments = list[Pointers]
"""The Pointers of several kernels, one after the other."""

Kernels = Sequence[Callable[[Pointers, Reals], None]]
"""Compiled functions: kernels[k](given, out) writes the results of the k-th to out."""


LANES = 1
"""How many runs go side by side; known while translating."""


@overload
def where(so: bool, yes: Number, no: Number) -> Number: ...
@overload
def where(so: Truths, yes: float | Floats, no: float | Floats) -> Floats: ...
def where(so: bool | Truths, yes: float | Floats, no: float | Floats) -> float | Floats:
    """yes or no, in each lane for itself."""
    if isinstance(so, np.ndarray):
        return np.where(so, yes, no)
    return yes if so else no


def any_of(so: bool | Truths) -> bool:
    """Whether it is so in any lane."""
    return bool(np.any(so))


def all_of(so: bool | Truths) -> bool:
    """Whether it is so in every lane."""
    return bool(np.all(so))


def power(x: Real, exponent: float) -> Real:
    """x ** exponent of floats that are not negative."""
    raised: Real = x**exponent
    return raised


def unrolled(places: Iterable[T]) -> Iterable[T]:
    """`for i in unrolled(...)`: written out, with i known in each round."""
    return places


def least(x: float | Floats) -> int:
    """The whole number below the smallest of all lanes (of floats that are not negative)."""
    return int(np.min(x))


def greatest(x: float | Floats) -> int:
    """The whole number below the largest of all lanes (of floats that are not negative)."""
    return int(np.max(x))
