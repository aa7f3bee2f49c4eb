"""Differences from the print."""

from __future__ import annotations


def test_the_difference_of_two_numbers_is_in_per_cent_of_the_printed_one() -> None:
    from supple.reproduce.report import compare

    assert compare("p. 1", "mass", 2.0, 3.0, "agrees").difference == "+50 %"
    assert compare("p. 1", "force", -2.0, -3.0, "agrees").difference == "-50 %"
