"""Plain Python functions as native code: what they do in Python they do there, in every lane."""

from __future__ import annotations

import ctypes
from importlib.util import module_from_spec, spec_from_file_location
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from supple.tracer import assemble
from supple.tracer.python import (
    LANES,
    Arguments,
    Kernels,
    Reals,
    TranslationError,
    all_of,
    any_of,
    greatest,
    least,
    power,
    translated,
    unrolled,
    where,
)

TABLE = (1.0, 2.0, 3.0)
ROWS = ((0.5,), (0.0, 2.0), (1.0, 0.0, -3.0))


def harmonic(x: float, n: int) -> float:
    out = 0.0
    for i in range(n):
        if i == 2:
            continue
        if i > 5:
            break
        out += x / (i + 1)
    return out


def everything(a: Reals, n: int) -> None:
    for i in range(n):
        total = 0.0
        for j in unrolled(range(3)):
            if ROWS[2][j] != 0.0:
                total += ROWS[2][j] * a[i]
        a[i] = where(total > -2.0, harmonic(total, 9), -total) + TABLE[i]
    k = 0
    while k < 2:
        if k == 1 and not k > 1:
            a[k] = sqrt(abs(a[k])) + power(2.0, 0.5) - min(a[0], 0.25) ** 3
        k += 1
    for i in range(n - 1, -1, -1):
        rest = a[i:]
        rest[0] = max(rest[0], a[0]) * (1 if LANES > 9 else 2)
    a[n], a[n + 1] = 1.0 * least(abs(a[0])), 1.0 * greatest(abs(a[0]) + n // 2 + n % 2)


def compared(a: Reals, n: int) -> None:
    for i in range(-1, 2):
        a[i + 1] += 1.0 * (1 if i < 0 else 0) + 2.0 * (1 if i <= 0 else 0)
        a[i + 1] += 4.0 * (1 if i > 0 else 0) + 8.0 * (1 if i >= 0 else 0)
        a[i + 1] += 16.0 * (1 if i == 0 else 0) + 32.0 * (1 if i != 0 else 0)
        x = 1.0 * i
        a[i + 4] += where(x < 0.0, 1.0, 0.0) + where(x <= 0.0, 2.0, 0.0)
        a[i + 4] += where(x > 0.0, 4.0, 0.0) + where(x >= 0.0, 8.0, 0.0)
        a[i + 4] += where(x == 0.0, 16.0, 0.0) + where(x != 0.0, 32.0, 0.0)


class Pair(NamedTuple):
    array: Reals
    first: float
    count: int


def second(one: Pair, other: Pair, x: float) -> float:
    return one.first - 10.0 * other.first + x * one.count


def grouped(a: Reals, n: int) -> None:
    for i in range(n):
        pair = Pair(a, a[i], n + i)
        other = Pair(a[1:], 2.0, i)
        pair.array[i] = second(pair, other, a[0]) + second(other, pair, other.array[i])


def quarrel(a: Reals, n: int) -> None:
    if a[0] > 0.0:
        a[0] = 1.0


def agreeing(a: Reals, n: int) -> None:
    if any_of(a[0] > 0.5) and not all_of(a[0] > 0.5):
        a[0] = 7.0


def native(function: Any, lanes: int = 1) -> Any:
    code = assemble(translated({"entry": function}, lanes), ["entry"], optimise=True)
    call = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)(code.address("entry"))
    call.code = code  # type: ignore[attr-defined]
    return call


def test_a_translated_function_does_what_it_does_in_python() -> None:
    there, here = np.array([0.1, 0.7, 0.9, 0.0, 0.0]), np.array([0.1, 0.7, 0.9, 0.0, 0.0])
    native(everything)(there.ctypes.data, 3)
    everything(here, 3)
    assert np.allclose(there, here, rtol=1e-15)


def test_numbers_are_compared_as_in_python() -> None:
    there, here = np.zeros(6), np.zeros(6)
    native(compared)(there.ctypes.data, 0)
    compared(here, 0)
    assert there.tolist() == here.tolist() == [35.0, 26.0, 44.0] * 2


def test_fields_of_tuples_go_where_their_tuple_goes() -> None:
    there = np.array([0.1, 0.7, 0.9, 0.4])
    here = there.copy()
    native(grouped)(there.ctypes.data, 3)
    grouped(here, 3)
    assert np.allclose(there, here, rtol=1e-15)


def test_a_source_that_was_changed_meanwhile_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "changing.py"
    head = "from __future__ import annotations\n\ndef f(x: float) -> float:\n    "
    file.write_text(f"{head}return 2.0 * x\n")
    words = spec_from_file_location("changing", file)
    assert words is not None
    assert words.loader is not None
    module = module_from_spec(words)
    words.loader.exec_module(module)
    assert "fmul" in translated({"f": module.f})
    for text in ("return 3.0 * x", "return x - 2.0", "retur", "if x:\n"):
        file.write_text(f"{head}{text}\n")
        with pytest.raises(TranslationError, match="start Python again"):
            translated({"f": module.f})


def test_every_lane_does_what_one_alone_does() -> None:
    def whole(function: Any, lanes: int) -> Any:
        a = np.vstack([np.random.default_rng(1).normal(size=(3, 4)), np.zeros((2, 4))])
        native(function, lanes)(a.ctypes.data, 3)
        return a

    together = whole(everything, 4)
    for k in range(4):
        alone = np.vstack([np.random.default_rng(1).normal(size=(3, 4)), np.zeros((2, 4))])[:, k]
        alone = np.ascontiguousarray(alone)
        everything(alone, 3)
        assert np.allclose(together[:3, k], alone[:3], rtol=1e-15)
    assert np.all(together[3] == np.floor(np.abs(together[0])).min())


def test_lanes_decide_together_or_not_at_all() -> None:
    a = np.array([0.1, 0.9, 0.2, 0.3])
    native(agreeing, 4)(a.ctypes.data, 1)
    assert np.all(a == 7.0)
    with pytest.raises(TranslationError, match="use where"):
        translated({"entry": quarrel}, 4)


def calling(kernels: Kernels, given: Arguments, n: int) -> None:
    first = given[0]
    x = first[1]
    for i in range(n):
        kernels[i](first, x[i:])


def test_kernels_are_called_with_the_arrays_they_are_given() -> None:
    kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)

    def plus(amount: float) -> Any:
        def kernel(given: int, out: int) -> None:
            first = (ctypes.c_void_p * 2).from_address(given)[0]
            value = ctypes.c_double.from_address(first or 0).value
            ctypes.c_double.from_address(out).value = value + amount

        return kind(kernel)

    functions = [plus(1.0), plus(2.0)]
    a, x = np.array([5.0]), np.zeros(2)
    inner = (ctypes.c_void_p * 2)(a.ctypes.data, x.ctypes.data)
    outer = (ctypes.c_void_p * 1)(ctypes.addressof(inner))
    table = (ctypes.c_void_p * 2)(*(ctypes.cast(f, ctypes.c_void_p).value for f in functions))
    code = assemble(translated({"entry": calling}), ["entry"], optimise=True)
    entry = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)
    entry(code.address("entry"))(ctypes.addressof(table), ctypes.addressof(outer), 2)
    assert np.all(x == [6.0, 7.0])


def listed(a: Reals, n: int) -> None:
    a[0] = sum([1.0 for _ in range(n)])


def renamed(a: Reals, n: int) -> None:
    n = a[0]  # noqa: F841


@pytest.mark.parametrize("function", [listed, renamed])
def test_what_the_small_language_has_not_is_refused(function: Any) -> None:
    with pytest.raises(TranslationError, match=function.__name__):
        translated({"entry": function})
