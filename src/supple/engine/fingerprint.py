"""Bytes that differ when anything in a robot differs that its equations can read.

Every field of a class counts that `==` compares: nothing is listed by hand. What has no bytes
of its own (an open file, another package's function) is refused, not passed over.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from itertools import chain
from operator import attrgetter
from types import FunctionType
from typing import Any

import numpy as np

from ..bodies import Body
from ..robot import Robot, remembered
from ..types import Array

_PLAIN = (str, bytes, int, float, np.number, np.bool_, slice, type(None))

Without = tuple[tuple[type, tuple[str, ...]], ...]
"""(class, fields of it that are passed over)."""

_ANY_NAME: Without = ((Robot, ("name",)),)
_SOME_STATIONS: Without = (*_ANY_NAME, (Body, ("stations",)))


def fingerprint(value: object, without: Without = _ANY_NAME) -> bytes:
    """Of a robot, an array, a number, a text, or a collection of them."""
    writer = _Writer(without)
    writer.add((value,))
    return writer.hash.digest()


def motion_fingerprint(
    robot: Robot, stations: Sequence[str] = (), names: Sequence[str] = ()
) -> bytes:
    """Of all that moves a robot, of some stations and names; other stations may differ."""
    some = tuple(robot.station(station) for station in stations)
    return fingerprint((some, tuple(names), robot), _SOME_STATIONS)


def function_fingerprint(function: Callable[..., object]) -> bytes | None:
    """Of a function of this package and of all it took in where it was defined: its meaning,
    as long as the package's sources stay the same. None for any other function."""
    if not isinstance(function, FunctionType):
        return None
    if str(function.__module__).partition(".")[0] != __name__.partition(".")[0]:
        return None
    where = (function.__module__, function.__qualname__, function.__code__.co_firstlineno)
    taken = [cell.cell_contents for cell in function.__closure__ or ()]
    return fingerprint((where, taken, function.__defaults__, function.__kwdefaults__))


@remembered
def _known(robot: Robot) -> dict[Without, bytes]:
    return {}


def _of_robot(robot: Robot, without: Without) -> bytes:
    """Found once for a robot: it is frozen, and so are its arrays."""
    known = _known(robot)
    if without not in known:
        writer = _Writer(without)
        writer.robot(robot)
        known[without] = writer.hash.digest()
    return known[without]


class _Writer:
    """Hashes the bytes of values. Each kind says where it ends: no two values have the same.

    Values of one kind are taken together, field by field: a long robot has a hundred links and
    thousands of arrays, but few fields.
    """

    def __init__(self, without: Without) -> None:
        self.hash = hashlib.sha256()
        self.without = without
        self.readers: dict[type, Reader] = {}

    def add(self, values: Sequence[object]) -> None:
        """One value or more; how many they are, their reader knows."""
        kinds = set(map(type, values))
        if all(issubclass(kind, _PLAIN) for kind in kinds):
            names = [kind.__name__ for kind in (kinds if len(kinds) == 1 else map(type, values))]
            words = repr(tuple(values))
            self.head(",".join(names), len(values), len(words))
            self.hash.update(words.encode())
        elif len(kinds) == 1:
            self.alike(kinds.pop(), values)
        else:
            for x in values:
                self.add((x,))

    def head(self, word: str, *numbers: int) -> None:
        self.hash.update(f"{word} {numbers};".encode())

    def alike(self, kind: type, values: Sequence[Any]) -> None:
        """Values of one kind that have parts."""
        if issubclass(kind, np.ndarray):
            self.arrays(values)
        elif issubclass(kind, Robot):
            self.head(kind.__qualname__, len(values))
            for x in values:
                self.hash.update(_of_robot(x, self.without))
        elif is_dataclass(kind):
            self.head(kind.__qualname__, len(values))
            for field in self.fields(kind, values):
                self.add(field)
        elif issubclass(kind, dict):
            self.head("dict", *map(len, values))
            self.add([*chain.from_iterable(values)])
            self.add([*chain.from_iterable(x.values() for x in values)])
        elif issubclass(kind, tuple | list):
            self.head("list", *map(len, values))
            self.add([*chain.from_iterable(values)])
        elif issubclass(kind, set | frozenset):
            self.head("set", *map(len, values))
            self.add([sorted(fingerprint(part, self.without) for part in x) for x in values])
        else:
            raise TypeError(
                f"compiled code cannot be named by a {kind.__name__}; trace without `known`"
            )

    def robot(self, robot: Robot) -> None:
        """Field by field."""
        for field in self.fields(Robot, [robot]):
            self.add(field)

    def fields(self, kind: type, values: Sequence[object]) -> Iterable[Sequence[object]]:
        """Each field of a dataclass that `==` compares, of all values."""
        if kind not in self.readers:
            self.readers[kind] = _reader(kind, dict(self.without).get(kind, ()))
        return zip(*map(self.readers[kind], values), strict=True)

    def arrays(self, arrays: Sequence[Array]) -> None:
        dtypes = [x.dtype for x in arrays]
        shapes = [x.shape for x in arrays]
        if dtypes.count(dtypes[0]) == shapes.count(shapes[0]) == len(arrays):
            dtypes, shapes = dtypes[:1], shapes[:1]
        self.hash.update(_array_head(len(arrays), tuple(dtypes), tuple(shapes)))
        self.hash.update(b"".join([x.tobytes() for x in arrays]))


@cache
def _array_head(
    count: int, dtypes: tuple[np.dtype[np.generic], ...], shapes: tuple[tuple[int, ...], ...]
) -> bytes:
    """What the bytes of arrays mean."""
    if not all(x.kind in "biuf" for x in dtypes):
        raise TypeError("compiled code can be named by arrays of numbers alone")
    return f"arrays {count} {[x.str for x in dtypes]} {shapes};".encode()


Reader = Callable[[object], Sequence[object]]


def _reader(kind: type, without: tuple[str, ...]) -> Reader:
    """Reads all fields of a dataclass that `==` compares."""
    names = [f.name for f in fields(kind) if f.compare and f.name not in without]
    return attrgetter(*names) if len(names) > 1 else lambda x: [getattr(x, n) for n in names]
