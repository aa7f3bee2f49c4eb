"""`supple check` doubts the motors of closed chains, too many or too few, and singular starts."""

from __future__ import annotations

from typing import Any

import pytest

import supple
from linkages import four_bar
from shipped_robots import CLOSED
from supple.model import plausibility

DOUBTS: list[tuple[dict[str, Any], str, str]] = [
    ({"actuated": ["a", "b"]}, "actuated", "2 motors for 1 degree of freedom: torques are not"),
    ({"actuated": None}, "loops", "3 motors (without `actuated`, every joint of the tree has one)"),
]


@pytest.mark.parametrize(("change", "key", "words"), DOUBTS)
def test_motors_to_spare_are_doubted(change: dict[str, Any], key: str, words: str) -> None:
    given = {k: v for k, v in (four_bar() | change).items() if v is not None}
    (fault,) = plausibility(supple.build(given))
    assert fault.key == key
    assert words in fault.message


def test_motors_too_few_are_doubted_but_none_at_all_are_not() -> None:
    words = dict(supple.load("five-bar").spec or {})
    (fault,) = plausibility(supple.build(words | {"actuated": ["motor1"]}))
    assert "1 motor for 2 degrees of freedom: 1 degree of freedom without" in fault.message
    assert plausibility(supple.build(words | {"actuated": []})) == []


def test_a_singular_start_is_doubted() -> None:
    words = four_bar(coupler=0.9, guess={})
    words["links"]["rocker"]["rigid"]["length"] = 0.3
    (fault,) = plausibility(supple.build(words))
    assert "the loops close at a singular place" in fault.message


@pytest.mark.parametrize("name", CLOSED)
def test_shipped_closed_robots_are_not_doubted(name: str) -> None:
    assert plausibility(supple.load(name)) == []
