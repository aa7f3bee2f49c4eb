"""The order in which a tree is walked. Every algorithm is a step for one body: taken alone
(each), swept outward (base to tips) or inward (tips to base)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from ..types import Array

T = TypeVar("T")


def each(parents: Sequence[int], step: Callable[[int], T]) -> list[T]:
    """result[i] = step(i): no body needs another's result."""
    return [step(i) for i in range(len(parents))]


def outward(parents: Sequence[int], step: Callable[[int, T], T], base: T) -> list[T]:
    """result[i] = step(i, result of i's parent); `base` stands for the world's."""
    out: list[T] = []
    for i, p in enumerate(parents):
        out.append(step(i, out[p] if p >= 0 else base))
    return out


def inward(parents: Sequence[int], step: Callable[[int, list[tuple[int, T]]], T]) -> list[T]:
    """result[i] = step(i, [(child, result of child), ...])."""
    results: dict[int, T] = {}
    held: list[list[tuple[int, T]]] = [[] for _ in parents]
    for i in range(len(parents) - 1, -1, -1):
        results[i] = step(i, held[i][::-1])
        if parents[i] >= 0:
            held[parents[i]].append((i, results[i]))
    return [results[i] for i in range(len(parents))]


def ancestry(parents: Sequence[int], i: int) -> list[int]:
    """i, its parent, its parent's parent, ... up to the first link."""
    out = []
    while i >= 0:
        out.append(i)
        i = parents[i]
    return out


def gather(parts: Sequence[tuple[Array, Array]]) -> Array:
    """One vector in coordinate order from each body's (joint part, shape part)."""
    flat = [x for pair in parts for x in pair]
    return np.concatenate(flat) if flat else np.zeros(0)
