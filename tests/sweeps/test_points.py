"""Designs: values, distributions, grids, files of points."""

import numpy as np
import pytest
from scipy import stats

from supple.errors import FileError, InputError
from supple.sweeps.points import csv_points, points
from supple.sweeps.spec import DesignSpec, WaySpec

LAWS = {
    "uniform": ([2.0, 5.0], stats.uniform(2.0, 3.0)),
    "normal": ([2.0, 0.3], stats.norm(2.0, 0.3)),
    "lognormal": ([2.0, 0.3], stats.lognorm(0.3, scale=2.0)),
    "loguniform": ([2.0, 50.0], stats.loguniform(2.0, 50.0)),
    "triangular": ([1.0, 2.0, 5.0], stats.triang(0.25, 1.0, 4.0)),
}


@pytest.mark.parametrize("kind", ["random", "latin_hypercube", "sobol"])
@pytest.mark.parametrize("name", LAWS)
def test_numbers_follow_their_distribution(kind, name):
    numbers, law = LAWS[name]
    made = points({"x": WaySpec(**{name: numbers})}, DesignSpec(kind=kind, points=4096, seed=3), {})
    assert stats.kstest(made.values[:, 0], law.cdf).statistic < 0.03


def test_a_grid_has_all_combinations_and_the_last_name_varies_fastest():
    ways = {"a": WaySpec(values=[1, 2]), "b": WaySpec(linspace=[0, 1, 3])}
    made = points(ways, DesignSpec(), {})
    assert made.values.tolist() == [[1, 0], [1, 0.5], [1, 1], [2, 0], [2, 0.5], [2, 1]]


def test_a_list_goes_through_all_numbers_at_once_and_relative_ones_are_multiples():
    ways = {"a": WaySpec(values=[1, 2], relative=True), "b": WaySpec(logspace=[1, 100, 2])}
    made = points(ways, DesignSpec(kind="list"), {"a": 10.0})
    np.testing.assert_allclose(made.values, [[10, 1], [20, 100]])


def test_the_same_seed_gives_the_same_points_and_another_one_others():
    way = {"x": WaySpec(uniform=[0, 1])}
    first, same, other = (
        points(way, DesignSpec(kind="sobol", points=8, seed=k), {}).values for k in (1, 1, 2)
    )
    assert (first == same).all()
    assert (first != other).any()


@pytest.mark.parametrize(
    ("way", "words"),
    [
        ({"uniform": [2, 1]}, "not below"),
        ({"normal": [1, 0]}, "not positive"),
        ({"loguniform": [0, 1]}, "not above 0"),
        ({"linspace": [0, 1, 1]}, "no count"),
        ({"logspace": [-1, 1, 3]}, "not positive"),
        ({"triangular": [1, 3, 2]}, "do not rise"),
        ({"uniform": [1, 2], "normal": [0, 1]}, "uniform and normal"),
        ({}, "there is none"),
    ],
)
def test_wrong_numbers_of_a_way_are_told(way, words):
    with pytest.raises(ValueError, match=words):
        WaySpec(**way)


def test_points_that_are_too_many_or_of_no_grid_are_refused():
    with pytest.raises(InputError, match="too large"):
        points({k: WaySpec(linspace=[0, 1, 100000]) for k in "ab"}, DesignSpec(), {})
    with pytest.raises(InputError, match="random, latin_hypercube or sobol"):
        points({"a": WaySpec(normal=[0, 1])}, DesignSpec(), {})


@pytest.mark.parametrize(
    ("text", "words"),
    [("", "no points"), ("a,a\n1,2", "its own name"), ("a,b\n1", "row 2"), ("a\nnan", "finite")],
)
def test_a_file_of_points_says_what_is_wrong_with_it(tmp_path, text, words):
    (tmp_path / "p.csv").write_text(text)
    with pytest.raises(FileError, match=words):
        csv_points(tmp_path / "p.csv")


def test_a_file_of_points_is_read(tmp_path):
    (tmp_path / "p.csv").write_text("a, b\n1,2\n3,4\n")
    made = csv_points(tmp_path / "p.csv")
    assert made.names == ("a", "b")
    assert made.at(1) == {"a": 3.0, "b": 4.0}


def test_values_are_drawn_each_as_often_as_the_others():
    drawn = points({"x": WaySpec(values=[1, 2, 5])}, DesignSpec(kind="sobol", points=4096), {})
    found, counts = np.unique(drawn.values, return_counts=True)
    assert found.tolist() == [1, 2, 5]
    np.testing.assert_allclose(counts, 4096 / 3, rtol=0.01)
