"""Where to cut: the paper's four-bar and scraper."""

from __future__ import annotations

import pytest

import supple
from loops.mechanisms import five_bar, four_bar


def test_the_four_bar_is_best_cut_beside_its_crank() -> None:
    robot, _ = four_bar()
    first, *others = supple.cut_choices(robot)
    assert (first.cuts, first.sizes) == (("coupler_joint",), (2, 1))  # Fig. 17a
    assert {choice.sizes for choice in others} == {(3,)}  # Fig. 17b
    assert {choice.cuts for choice in others} == {("rocker_joint",), ("ground",)}


def test_the_scraper_has_no_better_cuts_than_the_papers() -> None:
    robot = supple.load("carpet-scraper")
    choices = supple.cut_choices(robot)
    own = tuple(loop.name for loop in robot.loops)
    sizes = {choice.cuts: choice.sizes for choice in choices}
    assert sizes[own] == (4, 2, 1)
    assert choices[0].cuts == own


def test_every_choice_leaves_as_many_equations_as_the_robot_has_unknowns() -> None:
    robot, _ = five_bar()
    for choice in supple.cut_choices(robot):
        assert sum(choice.sizes) == 4
        assert not set(choice.cuts) & set(robot.actuated)


def test_only_closed_chains_can_be_cut() -> None:
    with pytest.raises(supple.InputError, match="has no loops"):
        supple.cut_choices(supple.load("canadarm"))
