"""Formulas as text: exact derivatives of every function, abs() included."""

from __future__ import annotations

import numpy as np
import pytest
import sympy

import supple
from supple.expressions import (
    FUNCTIONS,
    derivative_functions,
    derivatives,
    evaluated,
    in_symbols,
    parse,
    symbol_functions,
    with_scalars,
)

TEXTS = ["abs(t-1)", "t*abs(t-1)", "abs(log(t+1)-0.5)", "2*abs(sin(3*t))", "abs(t)**1.5"]
TEXTS += ["abs(-2)*t", "abs(2-3*pi)*t**2", "abs(abs(t-1)-1)", "sqrt(abs(t)+1)", "abs(t-2)*abs(t-1)"]


@pytest.mark.parametrize("text", TEXTS)
def test_abs_has_derivatives_away_from_its_corner(text: str) -> None:
    h = 1e-5
    by_math = derivative_functions(text, "t", 2)
    by_numpy = derivatives(text.replace("t", "x").replace("sqrx", "sqrt"), 1.0, 2)
    for t in (0.2, 0.7, 1.3, 1.9):
        values = [f(t) for f in by_math]
        for k in (0, 1):
            quotient = (by_math[k](t + h) - by_math[k](t - h)) / (2 * h)
            assert values[k + 1] == pytest.approx(quotient, abs=1e-8)
        other = [f(np.array([t])) for f in by_numpy]
        assert np.allclose(np.ravel(other), values, rtol=1e-14)


SMOOTH = ["x**2", "x**3 - 2*x + 1", "2**x", "x**x", "x**-2", "x**0.5", "sqrt(x)", "1/(1 + x)"]
SMOOTH += [f"{f}(1 + x/3)" for f in FUNCTIONS] + ["-x", "+x", "3", "x - x", "L*x/pi", "x/3/x"]
SMOOTH += [
    "exp(-x)*sin(3*x)/(1 + x**2)",
    "sin(cos(tan(x/2)))**3",
    "log(1 + x)**x",
    "(1 + x)**(2*x)",
]
SMOOTH += ["cosh(x) - cos(x) - 0.73*(sinh(x) - sin(x))", "tanh(5*x)*sqrt(1 + x)", "x**2.5 - x**7"]
SMOOTH += ["(x/L)**2*(3 - x/L)/2", "abs(x)*x**2", "0*x", "1/x/x", "x/(1 + x/(1 + x/(1 + x)))"]


@pytest.mark.parametrize("text", SMOOTH)
def test_derivatives_are_those_of_sympy(text: str) -> None:
    x, length = sympy.Symbol("x", positive=True), 1.3
    formula = in_symbols(parse(text), {"x": x, "L": sympy.Float(length), "pi": sympy.pi})
    at = np.array([0.2, 0.7, 1.1])
    for k, f in enumerate(derivatives(text, length, 3)):
        exact = [float(formula.diff(x, k).subs(x, value)) for value in at]
        assert f(at) == pytest.approx(exact, rel=1e-11, abs=1e-13)


@pytest.mark.parametrize("text", SMOOTH)
def test_every_calculus_gives_the_number_of_sympy(text: str) -> None:
    tree, names, x = parse(text), {"x": 0.7, "L": 1.3, "pi": np.pi}, sympy.Symbol("x")
    exact = in_symbols(tree, {"x": x, "L": sympy.Float(1.3), "pi": sympy.pi}).subs(x, 0.7)
    assert evaluated(tree, names) == pytest.approx(float(exact), rel=1e-14)
    if "abs" not in text:
        assert with_scalars(tree, names) == pytest.approx(float(exact), rel=1e-14)


@pytest.mark.parametrize("text", [text for text in SMOOTH if "L" not in text])
def test_functions_for_symbols_are_those_for_numbers(text: str) -> None:
    symbols = symbol_functions(text, "x", 2)
    assert (symbols is None) == ("abs" in text)
    for f, g in zip(symbols or (), derivative_functions(text, "x", 2), strict=False):
        assert float(f(0.7)) == pytest.approx(g(0.7), rel=1e-13)


def test_at_its_corner_abs_has_the_middle_slope() -> None:
    assert derivative_functions("abs(t)", "t", 1)[1](0.0) == 0.0


def test_long_sums_are_read_and_towers_of_powers_are_not() -> None:
    parse("+".join(["x"] * 100))
    with pytest.raises(ValueError, match="nested too deeply"):
        parse("**".join(["x"] * 42))


def test_powers_are_right_at_zero() -> None:
    zero = np.zeros(1)
    for power, want in ((1, [0, 1, 0, 0]), (2, [0, 0, 2, 0]), (3, [0, 0, 0, 6])):
        assert [float(f(zero)[0]) for f in derivatives(f"x**{power}", 1.0, 3)] == want
    value, slope, bend, _ = (float(f(zero)[0]) for f in derivatives("x**1.5", 1.0, 3))
    assert (value, slope) == (0.0, 0.0)
    assert np.isinf(bend)
    assert float(derivatives("tanh(1000*x)", 1.0, 3)[1](np.ones(1))[0]) == 0.0


def test_long_formulas_take_no_time_of_their_own() -> None:
    product = "*".join(f"(1+{k}*t)" for k in range(1, 100))
    _, rate, _ = derivative_functions(product, "t", 2)
    assert rate(0.0) == pytest.approx(sum(range(1, 100)))
    nested, slope = "sin(" * 39 + "t" + ")" * 39, derivative_functions
    assert slope(nested, "t", 2)[1](0.0) == 1.0


def test_a_joint_may_follow_a_formula_with_abs() -> None:
    words = dict(supple.load("lin-lewis-rr").spec or {})
    name = words["joints"][0]["name"]
    words["motions"] = {"vee": {"duration": 2, "joints": {name: "abs(t-1)*(t-1)"}}}
    run = supple.simulate(supple.build(words), motion="vee", samples=21)
    assert np.allclose(run["desired"][:, 0], np.abs(run.time - 1.0) * (run.time - 1.0))


def test_numbers_keep_every_bit() -> None:
    for value in (0.1, 1 / 3, 0.12345678901234568, 2**0.5):
        position, rate = derivative_functions(f"{value!r}*t", "t", 1)
        assert (position(1.0), rate(0.0)) == (value, value)


def test_a_motion_may_be_in_degrees() -> None:
    words = dict(supple.load("lin-lewis-rr").spec or {})
    name = words["joints"][0]["name"]
    words["motions"] = {"turn": {"duration": 1, "joints": {name: "90*deg*sin(180*deg*t)"}}}
    run = supple.simulate(supple.build(words), motion="turn", samples=5)
    assert np.allclose(run["desired"][:, 0], np.pi / 2 * np.sin(np.pi * run.time))
    with pytest.raises(ValueError, match="allowed are x, L, pi"):
        derivatives("x*deg", 1.0, 1)


@pytest.mark.parametrize("text", ["x*(0/0)", "x+0/0", "x**2+0*2/0", "x**2*(1e308+1e308)"])
def test_numbers_that_are_none_are_told_when_the_formula_is_read(text: str) -> None:
    with pytest.raises(ValueError, match="is not a finite real function"):
        derivative_functions(text, "x", 2)


def test_nothing_over_nothing_is_no_number() -> None:
    value, *_ = derivative_functions("x + 0/(x - x)", "x", 2)
    with pytest.raises(ZeroDivisionError):
        value(0.5)
    value, slope, bend = derivative_functions("x + 0/(1 + x)", "x", 2)
    assert (value(0.5), slope(0.5), bend(0.5)) == (0.5, 1.0, 0.0)
