"""What the builder of assembly writes does what it says."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from supple.tracer import assemble
from supple.tracer.llvm.module import Module
from supple.tracer.llvm.values import INDEX, POINTER, REAL, vector, whole
from supple.tracer.machine import Code


def span(start: int, stop: int, step: int, known: bool) -> tuple[list[int], int]:
    """The numbers a loop ran through, and where it stopped."""
    module = Module()
    with module.function("f", {"out": POINTER, "a": INDEX, "b": INDEX}) as (b, (out, a, z)):
        place = b.room(INDEX, 1)
        b.store(whole(1), place)
        with b.for_range(start if known else a, stop if known else z, step) as loop:
            at = b.load(INDEX, place)
            b.store(loop.index, b.at(out, at, INDEX))
            b.store(b.add(at, 1), place)
        b.store(b.load(INDEX, place), b.at(out, 0, INDEX))
        b.store(loop.stopped, b.at(out, 63, INDEX))
    out = np.zeros(64, dtype=np.int64)
    code = assemble(module.text(), ["f"])
    call = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
    call(code.address("f"))(out.ctypes.data, start, stop)
    return out[1 : out[0]].tolist(), int(out[63])


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("numbers", [(0, 5, 1), (2, 11, 4), (7, -1, -1), (3, 4, 1)])
def test_for_range_is_pythons_range(numbers: tuple[int, int, int], known: bool) -> None:
    found, stopped = span(*numbers, known)
    assert found == list(range(*numbers))
    assert stopped == found[-1] + numbers[2]


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("numbers", [(0, 0, 1), (5, 2, 1), (-1, 3, -1)])
def test_an_empty_range_does_nothing(numbers: tuple[int, int, int], known: bool) -> None:
    assert span(*numbers, known) == ([], numbers[0])


def vectors(code: Code, size: int) -> np.ndarray:
    out = np.zeros(size)
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(code.address("f"))(out.ctypes.data)
    return out


def test_lanes_are_put_together_and_taken_apart() -> None:
    module = Module()
    module.table("numbers", "i64", ["3", "5"])
    with module.function("f", {"out": POINTER}) as (b, (out,)):
        b.store(b.splat(b.load(REAL, out), 2), out)
        parts = [b.load(REAL, b.at(out, 2)), b.load(REAL, b.at(out, 3))]
        both = b.together(parts)
        swapped = b.shuffle(both, both, [1, 0])
        b.store(b.fadd(swapped, swapped), b.at(out, 2))
        b.store(b.extract(swapped, 1), b.at(out, 4))
    code, given = assemble(module.text(), ["f"]), np.array([7.0, 0.0, 1.0, 2.0, 0.0])
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(code.address("f"))(given.ctypes.data)
    assert given.tolist() == [7.0, 7.0, 4.0, 2.0, 1.0]
    assert vector(REAL, 4) == "<4 x double>"
