"""Outcomes as formulas: each function against NumPy written out, wrong ones in words."""

import numpy as np
import pytest

from supple.errors import InputError
from supple.sweeps.formulas import parse, value

TIME = np.linspace(0.0, 2.0, 21)
X = np.array([[np.sin(3.0 * t), np.exp(-t)] for t in TIME]).T  # (2 points, 21 instants)
P = np.stack([X, X**2, 0.0 * X], axis=-1)
KNOWN = {"x": X, "n": np.array([1.0, 2.0]), "a.tip": P, "b.tip": 2.0 * P, "odd-name.x": -X}


def at(text):
    return value(parse(text), text, KNOWN.__getitem__, TIME)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("max(x)", X.max(1)),
        ("min(abs(x))", abs(X).min(1)),
        ("mean(x) + range(x)", X.mean(1) + X.max(1) - X.min(1)),
        ("rms(x)", np.sqrt((X**2).sum(1) / 21)),
        ("last(x) - first(x)", X[:, -1] - X[:, 0]),
        ("max(n*x**2)", np.array([1, 2]) * (X**2).max(1)),
        ("max(after(1, x))", X[:, TIME >= 1.0].max(1)),
        ("max(distance(a.tip, b.tip))", np.sqrt(X**2 + X**4).max(1)),
        ("last(hypot(x, n))", np.hypot(X[:, -1], [1, 2])),
        ("-max('odd-name.x')/pi", X.min(1) / np.pi),
        ("2*n", [2.0, 4.0]),
    ],
)
def test_a_formula_is_what_numpy_gives(text, expected):
    np.testing.assert_allclose(at(text), expected, rtol=1e-14)


def test_settled_is_the_instant_from_which_on_the_band_is_kept():
    found = at("settled(x, 0.1)")
    for k, x in enumerate(X):
        late = [t for t, v in zip(TIME, x, strict=True) if abs(v - x[-1]) > 0.1]
        assert found[k] == TIME[np.searchsorted(TIME, late[-1]) + 1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x", "whole history"),
        ("a.tip", "gives places"),
        ("max(n)", "takes a history"),
        ("maxx(x)", "did you mean max"),
        ("max(x, x)", "takes 1 value, not 2"),
        ("x if 1 else 2", "not allowed"),
        ("__import__('os')", "not known"),
        ("(lambda: 1)()", "not allowed"),
        ("x[0]", "not allowed"),
        ("max(x", "cannot be read"),
        ("max(after(1, x) - x)", "different numbers of instants"),
        ("+" * 3000 + "1", "too long"),
    ],
)
def test_a_wrong_formula_is_one_message(text, words):
    with pytest.raises(InputError, match=words):
        at(text)
