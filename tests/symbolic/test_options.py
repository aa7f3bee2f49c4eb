"""Whatever is asked wrongly gets one clear message."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import supple
from sequences import of


class Silent:
    """Cannot even be shown."""

    def __repr__(self) -> str:
        raise RuntimeError


WRONG: list[Any] = [b"x", [1], np.array([1.0, 2.0]), np.array([["m1"]]), 1j, object(), Silent()]
WRONG += [float("nan"), -1, "x", {1: 2}, int]
RR = supple.load("lin-lewis-rr")
PLACES: dict[str, Callable[[Any], Any]] = {
    "robot": supple.equations,
    "parameters": lambda x: supple.equations(RR, x),
    "tip_angle": lambda x: supple.equations(RR, tip_angle=x),
    "elastic_angle": lambda x: supple.equations(RR, elastic_angle=x),
    "simplify": lambda x: supple.equations(RR, simplify=x),
    "drop": lambda x: supple.equations(RR, drop=x),
    "limit": lambda x: supple.equations(RR, limit=x),
    "progress": lambda x: supple.equations(RR, progress=2 if callable(x) else x),
    "latex": lambda x: of("lin-lewis-rr").latex(x),
    "pretty": lambda x: of("lin-lewis-rr").pretty(x),
    "abbreviate": lambda x: of("lin-lewis-rr").latex(abbreviate=x),
    "language": lambda x: of("lin-lewis-rr").code(x),
    "name": lambda x: of("lin-lewis-rr").code("c", 1 if isinstance(x, str) else x),
    "q": lambda x: of("lin-lewis-rr").at([x, x, x]),
    "changes": lambda x: of("lin-lewis-rr").at([0, 0], changes=x),
    "qdd": lambda x: of("lin-lewis-rr").inverse_dynamics([0, 0], [0, 0], [x, x, x]),
    "level": lambda x: of("lin-lewis-rr").simplified(x),
    "tolerance": lambda x: of("lin-lewis-rr").without(x),
}


@pytest.mark.parametrize("place", PLACES)
def test_wrong_values_are_told_in_one_message(place: str) -> None:
    for wrong in WRONG:
        with pytest.raises(supple.InputError) as told:
            PLACES[place](wrong)
        assert len(str(told.value)) < 400


def test_a_list_of_names_may_be_an_array() -> None:
    names = np.array(["m1", "m2"])
    assert {p.name for p in supple.equations(RR, names).parameters} == {"m1", "m2"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"parameters": "some"}, "allowed are 'symbolic', 'numeric' or a list"),
        ({"parameters": ["mass"]}, "no parameter named 'mass'"),
        ({"tip_angle": "cord"}, "Did you mean chord"),
        ({"elastic_angle": "small"}, "no elastic_angle named 'small'"),
        ({"simplify": 7}, "levels are 0, 1, 2 and 3"),
        ({"drop": 2.0}, "0 <= drop < 1"),
    ],
)
def test_wrong_options_are_told(options: Any, message: str) -> None:
    with pytest.raises(supple.InputError, match=message):
        supple.equations(supple.load("lin-lewis-rfr"), **options)


def test_kinematics_without_energies_are_told() -> None:
    robot = replace(supple.load("lin-lewis-rfr"), elastic_kinematics="linearized")
    with pytest.raises(supple.InputError, match=r"'linearized'; energies are known for second_o"):
        supple.equations(robot)


def test_unknown_languages_and_parameters_are_told() -> None:
    eq = of("lin-lewis-rr")
    with pytest.raises(supple.InputError, match="there are: python, c, julia"):
        eq.code("fortran")
    with pytest.raises(supple.InputError, match="no parameter named 'M1'"):
        eq.at([0, 0], changes={"M1": 2.0})
