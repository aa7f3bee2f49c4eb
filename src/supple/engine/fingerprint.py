"""Bytes that differ when anything in a robot differs that its equations can read.

Every field of a class counts that `==` compares: nothing is listed by hand. What has no bytes
of its own (an open file, another package's function) is refused, not passed over.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from operator import attrgetter
from types import FunctionType
from typing import Any

import numpy as np

from ..bodies import Body
from ..joints import Joint
from ..robot import Robot
from ..types import Array

_PLAIN = (str, bytes, int, float, np.number, np.bool_, slice, type(None))

Without = tuple[tuple[type, tuple[str, ...]], ...]
"""(class, fields of it that are passed over)."""

_ANY_NAME: Without = ((Robot, ("name",)),)
_ONE_STATION: Without = (*_ANY_NAME, (Body, ("stations",)))


def fingerprint(value: object, without: Without = _ANY_NAME) -> bytes:
    """Of a robot, an array, a number, a text, or a collection of them."""
    writer = _Writer(without)
    writer.add(value)
    return hashlib.sha256(b"".join(writer.pieces)).digest()


def motion_fingerprint(robot: Robot, station: str | None) -> bytes:
    """Of all that moves a robot and of one station; other stations may differ."""
    one = None if station is None else robot.station(station)
    return fingerprint((one, robot), _ONE_STATION)


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


class _Writer:
    """Collects the bytes of values. Each kind says where it ends: no two values have the same."""

    def __init__(self, without: Without) -> None:
        self.pieces: list[bytes] = []
        self.without = without
        self.readers: dict[type, Reader] = {}

    def add(self, value: object) -> None:
        if type(value) in self.readers:
            self.object(value)
        elif isinstance(value, np.ndarray):
            self.arrays([value])
        elif isinstance(value, _PLAIN):
            word = repr(value).encode()
            self.pieces.append(b"%s %d:%s" % (type(value).__name__.encode(), len(word), word))
        elif is_dataclass(value):
            self.object(value)
        elif isinstance(value, Joint):  # mostly its class is all there is to it
            self.each(type(value).__qualname__, [*vars(value).items()])
        elif isinstance(value, dict):
            self.each("dict", [*value.items()])
        elif isinstance(value, tuple | list):
            self.each("list", value)
        elif isinstance(value, set | frozenset):
            self.each("set", sorted(fingerprint(x, self.without) for x in value))
        else:
            raise TypeError(
                f"compiled code cannot be named by a {type(value).__name__}; trace without `known`"
            )

    def each(self, word: str, values: Sequence[object]) -> None:
        self.pieces.append(b"%s %d;" % (word.encode(), len(values)))
        for x in values:
            self.add(x)

    def arrays(self, arrays: Sequence[Array]) -> None:
        kinds = "".join([x.dtype.char for x in arrays])
        self.pieces.append(_head(kinds, tuple([x.shape for x in arrays])))
        self.pieces += [x.tobytes() for x in arrays]

    def object(self, value: object) -> None:
        """All its fields; arrays and plain values at once, since long robots have many."""
        kind: type = type(value)
        if kind not in self.readers:
            self.readers[kind] = _reader(kind, dict(self.without).get(kind, ()))
        values = self.readers[kind](value)
        layout = _layout(kind, tuple(map(type, values)))
        words = repr([values[k] for k in layout.plain]).encode()
        self.pieces += (layout.word, b"%d " % len(words), words)
        self.arrays([values[k] for k in layout.arrays])
        for k in layout.others:
            self.add(values[k])


@cache
def _head(kinds: str, shapes: tuple[tuple[int, ...], ...]) -> bytes:
    """What the bytes of arrays mean."""
    if not set(kinds) <= set("?bhilqBHILQefdg"):
        raise TypeError("compiled code can be named by arrays of numbers alone")
    return f"{kinds} {shapes}:".encode()


Reader = Callable[[object], Sequence[Any]]


def _reader(kind: type, without: tuple[str, ...]) -> Reader:
    """Reads all fields of a dataclass that `==` compares."""
    names = [f.name for f in fields(kind) if f.compare and f.name not in without]
    return attrgetter(*names) if len(names) > 1 else lambda x: [getattr(x, n) for n in names]


@dataclass(frozen=True)
class _Layout:
    """Which fields of an object are arrays, which plain values, which neither."""

    word: bytes
    arrays: tuple[int, ...]
    plain: tuple[int, ...]
    others: tuple[int, ...]


@cache
def _layout(kind: type, types: tuple[type, ...]) -> _Layout:
    arrays = tuple(k for k, t in enumerate(types) if t is np.ndarray)
    plain = tuple(k for k, t in enumerate(types) if issubclass(t, _PLAIN))
    others = tuple(k for k in range(len(types)) if k not in arrays + plain)
    word = f"{kind.__qualname__} {[t.__name__ for t in types]};".encode()
    return _Layout(word, arrays, plain, others)
