"""The words that functions to be translated use beside Python's own; here they run in Python."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")

Reals = Any
"""An array of floats (with lanes: of vectors); x[i:] is the same memory from i on."""

Pointers = Any
"""The arrays that a kernel is given, one after the other."""

Arguments = Any
"""The Pointers of several kernels, one after the other."""

Kernels = Any
"""Compiled functions: kernels[k](given, out) writes the results of the k-th to out."""


LANES = 1
"""How many runs go side by side; known while translating."""


def where(so: Any, yes: Any, no: Any) -> Any:
    """yes or no, in each lane for itself."""
    if isinstance(so, np.ndarray):
        return np.where(so, yes, no)
    return yes if so else no


def any_of(so: Any) -> bool:
    """Whether it is so in any lane."""
    return bool(np.any(so))


def all_of(so: Any) -> bool:
    """Whether it is so in every lane."""
    return bool(np.all(so))


def power(x: Any, exponent: float) -> Any:
    """x ** exponent of floats that are not negative."""
    return x**exponent


def unrolled(places: Iterable[T]) -> Iterable[T]:
    """`for i in unrolled(...)`: written out, with i known in each round."""
    return places


def least(x: Any) -> int:
    """The whole number below the smallest of all lanes (of floats that are not negative)."""
    return int(np.min(x))


def greatest(x: Any) -> int:
    """The whole number below the largest of all lanes (of floats that are not negative)."""
    return int(np.max(x))
