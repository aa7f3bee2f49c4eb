"""Zeros of functions to the last digit, against closed forms and SciPy."""

from __future__ import annotations

from collections.abc import Callable
from math import atan, cos, cosh, exp, pi

import pytest
from scipy.optimize import brentq

from supple.modes.euler_bernoulli import enclosed_root


@pytest.mark.parametrize(
    ("f", "low", "high", "root"),
    [
        (lambda x: x * x - 2.0, 0.0, 2.0, 2.0**0.5),
        (lambda x: cos(x), 1.0, 2.0, 0.5 * pi),
        (lambda x: atan(1e6 * (x - 0.3)), 0.0, 1.0, 0.3),  # steep
        (lambda x: (x - 0.7) ** 9, 0.0, 1.0, 0.7),  # flat
        (lambda x: x - 1.0, 1.0, 2.0, 1.0),  # at an end
        (lambda x: exp(x) - 1.0, -3.0, 5.0, 0.0),
    ],
)
def test_it_finds_what_is_known(
    f: Callable[[float], float], low: float, high: float, root: float
) -> None:
    flat = abs(f(root + 1e-3)) < 1e-20
    assert enclosed_root(f, low, high) == pytest.approx(
        root, rel=1e-15, abs=0.02 if flat else 1e-15
    )


def test_it_needs_about_as_many_looks_as_brents_method() -> None:
    looks: list[float] = []

    def f(b: float) -> float:
        looks.append(b)
        return cos(b) * cosh(b) + 1.0

    assert enclosed_root(f, 1.0, 3.0) == pytest.approx(1.8751040687119611, rel=2e-16)
    mine, looks[:] = len(looks), []
    assert brentq(f, 1.0, 3.0, xtol=1e-300, rtol=1e-15) == pytest.approx(1.8751040687119611)
    assert mine <= len(looks) + 4
