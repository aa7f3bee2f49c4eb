"""Data that never changes, equal by its numbers; and pickles of what holds functions."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Hashable
from copy import deepcopy
from dataclasses import fields
from functools import partial
from typing import Any, ClassVar, NoReturn, TypeVar, cast

import numpy as np

from .errors import InputError
from .lazy import cached_property

Value = TypeVar("Value")


class _ReadOnly:
    plain: ClassVar[type]  # what it is but for that

    def _refused(self, *_: object, **__: object) -> NoReturn:
        raise TypeError(
            "this is read-only. robot.replace(...) and robot.with_parameters(...) make a changed "
            "robot; copy.deepcopy(robot.spec) can be changed and given to supple.build"
        )

    __setitem__ = __delitem__ = __ior__ = __iadd__ = __imul__ = append = clear = _refused
    extend = insert = pop = popitem = remove = reverse = setdefault = sort = update = _refused

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.plain(self),)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return deepcopy(self.plain(self), memo)


class FrozenDict(_ReadOnly, dict[Any, Any]):
    """A dict that cannot be changed; its deep copy is an ordinary one."""

    plain = dict


class FrozenList(_ReadOnly, list[Any]):
    """A list that cannot be changed; its deep copy is an ordinary one."""

    plain = list


def frozen(value: Value, own: bool = False) -> Value:
    """The same, read-only all the way down. An array that its maker may still write to is copied;
    `own`: nobody else has it."""
    out: Any = value
    if isinstance(out, np.ndarray):
        owner = out if out.base is None else out.base
        if out.flags.writeable or not isinstance(owner, np.ndarray) or owner.flags.writeable:
            out = out if own else out.copy(order="K")
            out.flags.writeable = False
    elif isinstance(out, dict) and not isinstance(out, FrozenDict):
        out = FrozenDict((key, frozen(item)) for key, item in out.items())
    elif isinstance(out, list) and not isinstance(out, FrozenList):
        out = FrozenList(map(frozen, out))
    elif type(out) is tuple:
        out = tuple(frozen(item, own) for item in out)
    elif isinstance(out, partial):
        out = partial(out.func, *map(frozen, out.args), **out.keywords)
    return cast(Value, out)


def _key(value: Any) -> Hashable:
    """Hashable, and equal for equal values; arrays are compared bit by bit."""
    if isinstance(value, np.ndarray):
        same = value + 0.0 if value.dtype.kind == "f" else value  # zeros have no sign
        numbers = same.tobytes() if value.dtype != object else tuple(value.flat)
        return value.shape, value.dtype.str, numbers
    if isinstance(value, dict):
        return frozenset((key, _key(item)) for key, item in value.items())
    if isinstance(value, list | tuple):
        return tuple(map(_key, value))
    if isinstance(value, slice):
        return value.start, value.stop, value.step
    if isinstance(value, partial):
        return value.func, _key(value.args), _key(value.keywords)
    return "nan" if isinstance(value, float) and value != value else value


class Frozen:
    """Base of dataclasses (frozen, eq=False) that are equal where all that they hold is equal.
    It is read-only; a pickle holds the fields, and nothing that was computed of them."""

    def __post_init__(self) -> None:
        for field in fields(self):  # type: ignore[arg-type]
            object.__setattr__(self, field.name, frozen(getattr(self, field.name)))

    @cached_property
    def _key(self) -> Hashable:
        return type(self), _key(_values(self))

    @cached_property
    def _hash(self) -> int:
        return hash(self._key)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, Frozen) and hash(self) == hash(other)
        return self is other or (same and self._key == other._key)  # type: ignore[attr-defined]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), _values(self)


class Portable:
    """Base of dataclasses that hold functions. A pickle holds by value those that no module knows
    by name: a user's lambda, or what a law of this package is made of."""

    def __reduce__(self) -> tuple[Any, ...]:
        return packed(f"a {type(self).__name__}", type(self), _values(self))

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return type(self)(*deepcopy(_values(self), memo))


def _values(data: Any) -> tuple[Any, ...]:
    return tuple(getattr(data, field.name) for field in fields(data))


def packed(what: str, make: Callable[..., Any], given: tuple[Any, ...]) -> tuple[Any, ...]:
    """For `__reduce__`: make(*given) makes it again."""
    import cloudpickle

    try:
        return _unpacked, (cloudpickle.dumps((make, given)),)
    except Exception as error:
        raise InputError(
            f"{what} cannot be pickled: {error}. Give it functions and plain data alone; let a "
            f"function open what it needs (a file, a lock, a connection) when it is called"
        ) from error


def _unpacked(data: bytes) -> Any:
    make, given = pickle.loads(data)
    return make(*given)
