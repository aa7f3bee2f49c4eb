"""The order in which a tree is walked. Every algorithm is a step for one body: taken alone
(each), swept outward (base to tips) or inward (tips to base).

`parents` is normally the tuple of parent indices. It may be a `Walker` instead, which takes
the same steps in its own way: so the engine turns them into scans.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import reduce
from operator import add
from typing import Any, TypeVar

import numpy as np

from ..types import Array

T = TypeVar("T")
R = TypeVar("R")


class Walker(ABC, tuple[int, ...]):
    """Parent indices with their own way of walking."""

    @abstractmethod
    def each(self, step: Callable[[int], T]) -> list[T]: ...

    @abstractmethod
    def outward(self, step: Callable[[int, T], T], base: T) -> list[T]: ...

    @abstractmethod
    def inward(
        self,
        own: Callable[[int], T],
        carry: Callable[[int, R], T],
        close: Callable[[int, T], R],
    ) -> list[R]: ...

    @abstractmethod
    def gather(self, step: Callable[[int], tuple[Array, Array]]) -> Array: ...

    @abstractmethod
    def total(self, step: Callable[[int], T]) -> T: ...


Parents = Sequence[int]


def each(parents: Parents, step: Callable[[int], T]) -> list[T]:
    """result[i] = step(i): no body needs another's result."""
    if isinstance(parents, Walker):
        return parents.each(step)
    return [step(i) for i in range(len(parents))]


def outward(parents: Parents, step: Callable[[int, T], T], base: T) -> list[T]:
    """result[i] = step(i, result of i's parent); `base` stands for the world's."""
    if isinstance(parents, Walker):
        return parents.outward(step, base)
    out: list[T] = []
    for i, p in enumerate(parents):
        out.append(step(i, out[p] if p >= 0 else base))
    return out


def inward(
    parents: Parents,
    own: Callable[[int], T],
    carry: Callable[[int, R], T],
    close: Callable[[int, T], R],
) -> list[R]:
    """result[i] = close(i, own(i) + sum of carry(c, result of c) over i's children c).

    `carry` brings a link's result to its parent: it may look at the link, not at the parent.
    """
    if isinstance(parents, Walker):
        return parents.inward(own, carry, close)
    results: dict[int, R] = {}
    held: list[list[T]] = [[] for _ in parents]
    for i in range(len(parents) - 1, -1, -1):
        total: T = reduce(add, reversed(held[i]), own(i))
        results[i] = close(i, total)
        if parents[i] >= 0:
            held[parents[i]].append(carry(i, results[i]))
    return [results[i] for i in range(len(parents))]


def gather(parents: Parents, step: Callable[[int], tuple[Array, Array]]) -> Array:
    """One vector in coordinate order from each body's (joint part, shape part)."""
    if isinstance(parents, Walker):
        return parents.gather(step)
    flat = [x for i in range(len(parents)) for x in step(i)]
    return np.concatenate(flat) if flat else np.zeros(0)


def total(parents: Parents, step: Callable[[int], T]) -> T:
    """The sum of step(i), a scalar or an array, over all bodies."""
    if isinstance(parents, Walker):
        return parents.total(step)
    out: Any = 0.0
    for i in range(len(parents)):
        out = out + step(i)
    return out  # type: ignore[no-any-return]


def ancestry(parents: Sequence[int], i: int) -> list[int]:
    """i, its parent, its parent's parent, ... up to the first link."""
    out = []
    while i >= 0:
        out.append(i)
        i = parents[i]
    return out
