"""Reports: effects, fronts and worst cases against closed forms."""

import numpy as np
import pytest

from supple.sweeps.report import (
    distribution,
    main_effect,
    main_effects,
    pareto_front,
    rank_correlation,
)

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


def grid(*rows):
    return [x.ravel() for x in np.meshgrid(*rows, indexing="ij")]


def by_hand(y, axis):
    """Analysis of variance of a table of outcomes (values of a, values of b, ...)."""
    others = tuple(k for k in range(y.ndim) if k != axis)
    return float(np.var(y.mean(axis=others)) / np.var(y))


def test_main_effects_of_a_full_grid_are_the_shares_of_its_analysis_of_variance():
    a, b = grid([1.0, 2.0, 3.0], [1.0, 2.0, 3.0])
    assert main_effects({"a": a, "b": b}, a**2) == pytest.approx({"a": 1.0, "b": 0.0}, abs=1e-12)
    table = RNG.normal(size=(4, 3, 5))
    numbers = dict(zip("abc", grid(*(RNG.normal(size=n) for n in table.shape)), strict=True))
    found = main_effects(numbers, table.ravel())
    assert list(found.values()) == pytest.approx([by_hand(table, k) for k in range(3)])


def test_main_effects_of_a_sum_and_of_an_interaction_on_a_grid_are_the_closed_ones():
    a, b = grid([-1.0, 1.0], [-1.0, 1.0])  # fewer points than an estimate needs
    assert main_effects({"a": a, "b": b}, 3 * a + 4 * b) == pytest.approx({"a": 0.36, "b": 0.64})
    assert main_effects({"a": a, "b": b}, a * b) == pytest.approx({"a": 0.0, "b": 0.0})
    assert main_effects({"a": a, "b": b}, a + a * b)["a"] == pytest.approx(0.5)
    x = np.linspace(0.0, 1.0, 9)
    assert main_effects({"x": x}, x**2) == pytest.approx({"x": 1.0})


def test_values_that_come_twice_weigh_twice_and_the_order_of_points_does_not_matter():
    a, b = grid([0.0, 1.0, 1.0], [0.0, 1.0, 2.0])
    y = (a * (1 + b)).reshape(3, 3)
    order = RNG.permutation(9)
    found = main_effects({"a": a[order], "b": b[order]}, y.ravel()[order])
    weighted = np.var([0.0, 2.0, 2.0]) / np.var(y)
    assert found == pytest.approx({"a": weighted, "b": by_hand(y, 1)})


def test_a_grid_that_lacks_points_is_estimated_by_its_values():
    a, b = grid([1.0, 2.0, 3.0], [1.0, 2.0, 3.0])
    y = np.where(np.arange(9) == 4, np.nan, a**2)  # one point failed
    assert main_effects({"a": a, "b": b}, y) == pytest.approx({"a": 1.0, "b": 0.0})
    assert main_effects({"a": a[:8], "b": b[:8]}, a[:8] ** 2)["a"] == pytest.approx(1.0)
    x = RNG.random((2, 64))
    assert main_effects({"x": x[0], "y": x[1]}, x[0]) == {
        "x": main_effect(x[0], x[0]),
        "y": main_effect(x[1], x[0]),
    }


def test_the_report_and_the_figure_show_the_effects_of_the_grid(tmp_path):
    from supple.sweeps import sweep
    from supple.sweeps.report import facts

    study = {"robot": "lin-lewis-rr", "vary": {"a": [1, 2, 3], "b": [1, 2, 3]}}
    found = sweep(study, experiment=lambda r, p: p["a"] ** 2, out=tmp_path / "s", workers=1)
    shares = {x["number"]: x["main_effect"] for x in facts(found)["effects"]}
    assert shares == pytest.approx({"a": 1.0, "b": 0.0}, abs=1e-12)
    assert "1 (1)" in found.report()
    titles = [axes.get_title(loc="left") for axes in found.plot().axes]
    assert titles[1:] == ["main effect 1", "main effect 0"]
