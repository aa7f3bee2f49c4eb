"""Formulas as text: exact derivatives of every function, abs() included."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from supple.expressions import derivative_functions, derivatives, evaluate

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
        other = [evaluate(e, np.array([t])) * np.ones(1) for e in by_numpy]
        assert np.allclose(np.ravel(other), values, rtol=1e-14)


def test_a_joint_may_follow_a_formula_with_abs() -> None:
    words = dict(supple.load("lin-lewis-rr").spec or {})
    name = words["joints"][0]["name"]
    words["motions"] = {"vee": {"duration": 2, "joints": {name: "abs(t-1)"}}}
    run = supple.simulate(supple.build(words), motion="vee", samples=21)
    assert np.allclose(run["desired"][:, 0], np.abs(run.time - 1.0))


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
