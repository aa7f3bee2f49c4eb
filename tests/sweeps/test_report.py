"""Reports: effects, fronts and worst cases against closed forms."""

import numpy as np
import pytest

from supple.sweeps.report import distribution, main_effect, pareto_front, rank_correlation

RNG = np.random.default_rng(4)


def test_main_effects_of_ishigamis_function_are_the_known_ones():
    x = RNG.uniform(-np.pi, np.pi, (20000, 3))
    y = np.sin(x[:, 0]) + 7 * np.sin(x[:, 1]) ** 2 + 0.1 * x[:, 2] ** 4 * np.sin(x[:, 0])
    found = [main_effect(x[:, k], y) for k in range(3)]
    np.testing.assert_allclose(found, [0.3139, 0.4424, 0.0], atol=0.02)


def test_a_number_without_effect_shows_none_even_with_few_points():
    shares = [main_effect(RNG.random(40), RNG.random(40)) for _ in range(200)]
    assert np.mean(shares) < 0.05


def test_rank_correlation_sees_any_rise():
    x = RNG.random(50)
    assert rank_correlation(x, np.exp(9 * x)) == pytest.approx(1.0)
    assert rank_correlation(x, -(x**3)) == pytest.approx(-1.0)


def test_no_point_is_less_in_both_than_one_of_the_front():
    a, b = RNG.random((2, 300))
    front = pareto_front(a, b)
    for k in range(300):
        beaten = any(a[f] <= a[k] and b[f] <= b[k] and (a[f] < a[k] or b[f] < b[k]) for f in front)
        assert beaten != (k in front)


def test_quantiles_of_even_numbers():
    d = distribution("x", np.linspace(0.0, 1.0, 101))
    assert d.quantiles == pytest.approx((0.05, 0.5, 0.95))
    assert (d.least, d.mean, d.largest) == pytest.approx((0.0, 0.5, 1.0))
