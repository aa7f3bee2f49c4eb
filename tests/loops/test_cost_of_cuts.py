"""What a choice of cuts costs."""

from __future__ import annotations

import pytest

import supple


def test_the_cost_of_a_cut_is_a_third_of_the_cubes_of_its_solves() -> None:
    for choice in supple.cut_choices(supple.load("five-bar")):
        assert choice.cost == pytest.approx(sum(n**3 for n in choice.sizes) / 3)
