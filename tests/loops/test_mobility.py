"""Degrees of freedom and redundant rows of closed chains, against counting by hand."""

from __future__ import annotations

import pytest

import supple
from linkages import bennett, four_bar

# robot: degrees of freedom, of the stiff robot, redundant rows
KNOWN = {
    "five-bar": (2, 2, 3),
    "carpet-scraper": (1, 1, 9),
    "four-bar-flexible": (5, 1, 3),
    "slider-crank-flexible": (5, 1, 3),
    "three-rrr": (3, 3, 6),
    "delta": (3, 3, 0),
    "stewart": (6, 6, 0),
}


@pytest.mark.parametrize("name", KNOWN)
def test_shipped_robots_move_as_freely_as_is_known(name: str) -> None:
    found = supple.mobility(supple.load(name))
    assert (found.degrees_of_freedom, found.rigid, found.redundant) == KNOWN[name]
    assert (found.spare_motors, found.undriven, found.singular) == (0, 0, False)


def test_bennetts_linkage_moves_with_three_rows_to_spare() -> None:
    found = supple.mobility(supple.build(bennett()))
    assert (found.rows, found.rank, found.degrees_of_freedom) == (5, 2, 1)


def test_motors_too_many_and_too_few_are_counted() -> None:
    many = supple.mobility(supple.build(four_bar(actuated=["a", "c"])))
    assert (many.motors, many.spare_motors, many.undriven) == (2, 1, 0)
    none = supple.mobility(supple.build(four_bar(actuated=[])))
    assert (none.motors, none.spare_motors, none.undriven) == (0, 0, 1)
    every = supple.mobility(supple.build({**four_bar(), "actuated": None} | {"guess": {"a": 1.0}}))
    assert every.spare_motors == 2


def test_a_stretched_parallelogram_is_singular_where_it_stands() -> None:
    words = four_bar(coupler=0.9, guess={})
    words["links"]["rocker"]["rigid"]["length"] = 0.3
    found = supple.mobility(supple.build(words), [0.0, 0.0, 0.0])
    assert found.singular
    assert (found.degrees_of_freedom, found.rank_here) == (1, 1)
    assert "singular here" in str(found)


def test_mobility_of_an_open_place_is_refused() -> None:
    with pytest.raises(supple.InputError, match="its loops are open by"):
        supple.mobility(supple.build(four_bar()), [0.0, 0.0, 0.0])


def test_a_loop_on_a_floating_base_leaves_the_base_free() -> None:
    words = four_bar(guess={"a": 1.0, "b": -0.4, "c": 1.4})
    words["links"]["ship"] = {"rigid": {"mass": 9.0, "inertia": 2.0}}
    for joint in words["joints"]:
        if "parent" not in joint:
            joint["parent"] = "ship"
    words["joints"].append({"name": "base", "type": "floating", "child": "ship"})
    found = supple.mobility(supple.build(words))
    assert (found.degrees_of_freedom, found.rank, found.driven, found.undriven) == (7, 2, 1, 6)
