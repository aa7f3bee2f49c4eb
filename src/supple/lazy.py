"""Values made when they are first asked for, in programs with threads and forks."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Generic, Self, TypeVar, overload

T = TypeVar("T")

making = threading.RLock()


class cached_property(Generic[T]):  # noqa: N801  (as in functools)
    """functools.cached_property without its lock, which Python 3.11 shares among all instances: a
    fork copies it as it is, held by a thread that the child does not have. Threads that compute a
    value at the same time all get the one that was ready first."""

    def __init__(self, compute: Callable[..., T]) -> None:
        self.compute, self.__doc__ = compute, compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, it: None, owner: type) -> Self: ...
    @overload
    def __get__(self, it: object, owner: type) -> T: ...
    def __get__(self, it: object, owner: type) -> Self | T:
        if it is None:
            return self
        value: T = it.__dict__.setdefault(self.name, self.compute(it))
        return value


def once(compute: Callable[..., T]) -> Callable[..., T]:
    """functools.cache for values of which there may be only one: threads that ask for the same
    value at the same time wait for the first, where functools.cache computes it in each."""
    made: dict[Hashable, T] = {}

    def get(*given: Hashable) -> T:
        if given not in made:
            with making:
                if given not in made:
                    made[given] = compute(*given)
        return made[given]

    get.__doc__ = compute.__doc__
    return get
