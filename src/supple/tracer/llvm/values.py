"""Values of LLVM assembly: a name, and the type that goes with it."""

from __future__ import annotations

import math
import struct
from functools import cache
from typing import NamedTuple

from ...errors import InputError

REAL, SINGLE, INDEX, POINTER, TRUTH = "double", "float", "i64", "ptr", "i1"


class Value(NamedTuple):
    """What an instruction made, or a constant: its name in the assembly, and its type."""

    name: str
    type: str

    @property
    def lanes(self) -> int:
        return lanes_of(self.type)


Number = Value | int | float


@cache
def vector(element: str, lanes: int) -> str:
    """The type of so many elements side by side."""
    return element if lanes == 1 else f"<{lanes} x {element}>"


@cache
def lanes_of(kind: str) -> int:
    return int(kind[1:].split(" ", 1)[0]) if kind[0] == "<" else 1


@cache
def element_of(kind: str) -> str:
    """The type in each lane."""
    return kind.split(" x ")[1][:-1] if kind[0] == "<" else kind


@cache
def bytes_of(kind: str) -> int:
    """Of one element: what its place in memory is a multiple of."""
    return 4 if element_of(kind) in (SINGLE, "i32") else 8


@cache
def suffix(kind: str) -> str:
    """How an intrinsic's name ends for doubles, floats, or vectors of them."""
    bits = f"f{8 * bytes_of(kind)}"
    return bits if kind[0] != "<" else f"v{lanes_of(kind)}{bits}"


def literal(value: float) -> str:
    """A double as LLVM writes it, to the last bit."""
    if not math.isfinite(value):
        raise ValueError(f"a constant of the equations is {value}")
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


def constant(value: float, kind: str = REAL) -> Value:
    """A number, in every lane; a float is written as the double it is equal to."""
    return _filled(literal(_rounded(value) if element_of(kind) == SINGLE else value), kind)


def _rounded(value: float) -> float:
    try:
        return float(struct.unpack("<f", struct.pack("<f", value))[0])
    except OverflowError:
        raise InputError(
            f"a constant of the equations is {value:.6g}, too large for float32; use float64"
        ) from None


def whole(value: int, kind: str = INDEX) -> Value:
    """A whole number, in every lane."""
    return _filled(str(value), kind)


def not_a_number(kind: str) -> Value:
    return _filled("0x7FF8000000000000", kind)


def _filled(one: str, kind: str) -> Value:
    if kind[0] != "<":
        return Value(one, kind)
    return Value("<" + ", ".join([f"{element_of(kind)} {one}"] * lanes_of(kind)) + ">", kind)


def undefined(kind: str) -> Value:
    return Value("undef", kind)


def address(number: int) -> Value:
    """A pointer whose number is known when the code is written."""
    return Value(f"inttoptr (i64 {number} to ptr)", POINTER)


def name_of(x: Number, kind: str) -> str:
    """Of a value, or of a number of Python as one of this type."""
    if isinstance(x, Value):
        return x.name
    return whole(x, kind).name if isinstance(x, int) else constant(x, kind).name


NULL = Value("null", POINTER)
