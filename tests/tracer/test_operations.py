"""Every row of the table of operations says the same in all its columns."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
import sympy

from supple.tracer import (
    Expression,
    Graph,
    StraightLine,
    Trace,
    algebra,
    cache,
    evaluate,
    make,
    substitute,
)
from supple.tracer.c_text import c_source, cuda_source
from supple.tracer.operations import COSTS, HELD, OPERATIONS

POINTS = np.array([[0.3, 1.7], [0.9, 0.2], [2.1, 2.6]])  # where every operation is defined


def trace(name: str) -> Trace:
    graph = Graph()
    x = graph.vector("x", 2)
    second = x[1].number if OPERATIONS[name].arity == 2 else -1
    y = Expression(graph, graph.node((name, x[0].number, second)))
    return Trace(graph, {"x": x}, {"y": np.array(y, dtype=object)})


def by_floats(name: str, x: np.ndarray) -> float:
    return OPERATIONS[name].value(*x[: OPERATIONS[name].arity].tolist())


@pytest.mark.parametrize("name", [name for name in OPERATIONS if name != HELD])
def test_partials_are_difference_quotients(name: str) -> None:
    slope = trace(name).jacobian("x")
    for x in POINTS:
        found = evaluate(slope.graph, slope.flat, x)
        steps = 1e-5 * np.eye(2)
        quotient = [(by_floats(name, x + h) - by_floats(name, x - h)) / 2e-5 for h in steps]
        assert found == pytest.approx(quotient, rel=1e-8, abs=1e-9)


@pytest.mark.parametrize("name", OPERATIONS)
def test_native_code_gives_the_value(name: str) -> None:
    whole = trace(name)
    native = make("f", cache.key(whole.program().digest), StraightLine(lambda: whole))
    many = native.batch(np.tile(POINTS, (7, 1))).reshape(7, -1)
    for x, column in zip(POINTS, many.T, strict=True):
        assert native(x) == pytest.approx(by_floats(name, x), rel=4e-16)
        assert column == pytest.approx(by_floats(name, x), rel=4e-16)


@pytest.mark.parametrize("name", OPERATIONS)
def test_symbols_give_the_value(name: str) -> None:
    whole = trace(name)
    expression = algebra.to_sympy(whole)["y"]
    for x in POINTS:
        value = expression.subs({"x0": x[0], "x1": x[1]})
        assert float(sympy.N(value)) == pytest.approx(by_floats(name, x), rel=1e-14)
    inputs = {v.number: float(x) for v, x in zip(whole.inputs["x"], POINTS[0], strict=True)}
    put_in = substitute(whole.graph, whole.flat, inputs)
    assert put_in == [pytest.approx(by_floats(name, POINTS[0]), rel=1e-15)]


def test_what_is_not_above_zero_is_no_number() -> None:
    whole = trace("above zero")
    native = make("f", cache.key(whole.program().digest), StraightLine(lambda: whole))
    x = np.array([[1e-300, 0.0], [0.0, 1.0], [-0.0, 1.0], [-3.0, 2.0], [np.nan, 1.0]])
    assert np.array_equal(native.batch(x), [1e-300, *4 * [np.nan]], equal_nan=True)
    assert [by_floats("above zero", row) > 0.0 for row in x] == [True, *4 * [False]]
    expression = algebra.to_sympy(whole)["y"]
    assert expression.subs({"x0": -3}) is sympy.nan


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler on this machine")
def test_c_text_gives_the_value(tmp_path: Path) -> None:
    names = {f"f{k}": name for k, name in enumerate(OPERATIONS)}
    text = [c_source(trace(name).program(), f, ["x"]) for f, name in names.items()]
    (tmp_path / "f.c").write_text("\n".join(text))
    command = ["cc", "-std=c99", "-shared", "-fPIC", "-o", "f.so", "f.c", "-lm"]
    subprocess.run(command, cwd=tmp_path, check=True)
    library = ctypes.CDLL(str(tmp_path / "f.so"))
    for f, name in names.items():
        for x in POINTS:
            out = np.empty(1)
            getattr(library, f)(ctypes.c_void_p(x.ctypes.data), ctypes.c_void_p(out.ctypes.data))
            assert out[0] == pytest.approx(by_floats(name, x), rel=1e-15), name


def test_cuda_text_is_in_the_kind_of_number_asked_for() -> None:
    for name, row in OPERATIONS.items():
        text = cuda_source(trace(name).program(), "f", ["x"], "float")
        assert "double" not in text
        for word in re.findall(r"(\w+)\{f\}\(", row.c):
            assert f"{word}f(" in text


@pytest.mark.parametrize("name", [n for n, row in OPERATIONS.items() if row.minus])
def test_a_sign_does_what_the_row_says(name: str) -> None:
    row = OPERATIONS[name]
    sign = -1.0 if row.minus == "comes out" else 1.0
    assert row.value(-0.7) == pytest.approx(sign * row.value(0.7), rel=1e-15)
    graph = Graph()
    x = graph.input("x")
    same, turned = getattr(x, row.method)(), getattr(-x, row.method)()
    assert turned.number == (-same if sign < 0 else same).number


def test_costs_are_those_the_papers_count() -> None:
    assert {row.cost for row in OPERATIONS.values()} <= {*COSTS, ""}
    graph = Graph()
    x, y = graph.input("x"), graph.input("y")
    out = [np.sin(x) * np.cos(x) - np.cos(y) / (x + y), np.tanh(-x)]
    count = {"multiplications": 2, "additions": 2, "divisions": 1, "sincos": 2, "other": 1}
    assert graph.operations(out) == count
