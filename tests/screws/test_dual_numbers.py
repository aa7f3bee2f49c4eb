"""Dual numbers carry derivatives through arithmetic, along one way or many at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from supple.screws.dual import Dual, Elastic, dual_part, seed, slopes


def rational(x: Any) -> Any:
    """Every operation, with constants on either side."""
    a, b, c = x
    return np.array(
        [
            2.0 - a * 3.0 + b / 4.0 - 1.0,
            5.0 / (a + 3.0) + (1.0 + b) / c - b * c,
            np.sin(a) * np.cos(b) - np.sqrt(c) / 2.0 + np.tanh(-a),
            b - c,
        ]
    )


def quotient(f: Any, x: Any, way: Any, step: float = 1e-6) -> Any:
    return (f(x + step * way) - f(x - step * way)) / (2.0 * step)


def test_the_dual_part_is_the_difference_quotient() -> None:
    x, way = np.array([0.3, -0.7, 1.4]), np.array([0.5, 1.1, -0.8])
    assert np.allclose(dual_part(rational(seed(x, way))), quotient(rational, x, way), atol=1e-9)


def test_slopes_along_many_ways_are_those_along_each() -> None:
    """Also of what depends on nothing, and along no way at all."""
    x, ways = np.array([0.3, -0.7, 1.4]), np.random.default_rng(0).normal(size=(5, 3))
    columns = [quotient(rational, x, way) for way in ways]
    assert np.allclose(slopes(rational, x, ways), np.transpose(columns), atol=1e-9)
    assert np.array_equal(slopes(lambda x: np.ones(2), x, ways), np.zeros((2, 5)))
    assert slopes(rational, x, []).shape == (4, 0)


@pytest.mark.parametrize("swap", [False, True])
def test_a_number_of_a_higher_level_is_one_over_those_below(swap: bool) -> None:
    """(1 + e 2)(3 + d 5), either way round: a dual number takes part as a constant of it."""
    pair = (Dual(1.0, 2.0), Elastic(3.0, 5.0))
    x, y = reversed(pair) if swap else pair
    for got, b in ((x * y, Dual(5.0, 10.0)), (x + y, 5.0)):
        assert type(got) is Elastic
        assert got.b == b
    assert (x * y).a == Dual(3.0, 6.0)
