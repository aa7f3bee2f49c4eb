"""Numbers of a body that agree to rounding are made equal; all others stay as they are."""

import numpy as np
import pytest

import supple
from supple.bodies import Station, agreeing
from supple.bodies.agreement import ROUNDING, made_equal


def test_the_first_stands_for_all_that_agree_with_it():
    first, second = np.array([3.0, -0.1, 0.0]), np.array([[0.1 + 2e-16, -3.0 - 4e-16, 0.2]])
    assert second[0, 0] != 0.1
    assert second[0, 1] != -3.0
    a, b = made_equal([first, second])
    assert a.tolist() == [3.0, -0.1, 0.0]
    assert b.tolist() == [[0.1, -3.0, 0.2]]


def test_what_is_further_apart_than_rounding_stays_apart():
    near = 1.0 + ROUNDING * np.array([0.0, 1.5, 3.0])
    (same,) = made_equal([near])
    assert same.tolist() == near.tolist()


def test_no_number_moves_further_than_rounding_in_a_long_run_of_neighbours():
    run = 1.0 + np.spacing(1.0) * np.arange(400.0)
    (out,) = made_equal([run])
    assert np.abs(out / run - 1.0).max() <= 1.01 * ROUNDING
    assert len(np.unique(out)) > 10


def test_what_is_no_number_passes():
    (out,) = made_equal([np.array([np.nan, np.inf, -np.inf, -0.0, 5e-324, 1e-323])])
    assert np.array_equal(out, [np.nan, np.inf, -np.inf, 0.0, 5e-324, 1e-323], equal_nan=True)
    assert np.signbit(out[3])
    assert [x.shape for x in made_equal([np.zeros((0, 3)), np.zeros(())])] == [(0, 3), ()]


@pytest.mark.parametrize("name", ["cibicik-arm", "piedboeuf-arm", "space-robot"])
def test_a_robots_bodies_agree_and_stay(name):
    """Twice is once; and the links' moments follow from one another as they did before."""
    for link in supple.load(name).links:
        body, again = link.body, agreeing(link.body)
        for key in ("mass", "c0", "c1", "W0", "N0", "P", "Q", "Mdd", "K", "D", "E", "s", "z"):
            assert np.array_equal(getattr(again, key), getattr(body, key)), key
        for at, station in body.stations.items():
            for key in Station.VECTORS:
                assert np.array_equal(getattr(again.stations[at], key), getattr(station, key)), key
        derived = body.changed()
        for key in ("e", "x", "s", "z", "remainder_c1", "remainder_N0", "remainder_Q"):
            ours, theirs = getattr(body, key), getattr(derived, key)
            size = np.abs(theirs).max(initial=0.0)
            assert np.abs(ours - theirs).max(initial=0.0) <= 1e-13 * size, key
