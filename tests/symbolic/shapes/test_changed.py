"""Equations with other numbers, against those of a robot that is built with them."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pytest

import supple
from agree import assert_near

STATE = np.array([0.3, 0.02, 0.01])


def arm(family: str, scale: str, **numbers: float) -> supple.Equations:
    given = {"L": 1.0, "m": 2.0, "mp": 0.5} | numbers
    modes = {"family": family, "scale": scale, "bending_y": 2}
    beam = {"length": given["L"], "mass": given["m"], "EI": 100.0, "modes": modes}
    links = {"arm": {"beam": beam, "payload": {"mass": given["mp"]}}}
    words = {"name": "arm", "gravity": [0, -9.81, 0], "elastic_kinematics": "first_order"}
    joints = [{"type": "revolute", "child": "arm"}]
    return supple.equations(supple.build({**words, "links": links, "joints": joints}))


CASES = [
    ("polynomial", "raw", "L", 1.3, "v1_1 / 1.69, v1_2 / 2.197"),
    ("clamped_free", "mass", "m", 8.0, "v1_1 / 0.5, v1_2 / 0.5"),
    ("clamped_free", "mass", "L", 1.3, ""),
    ("clamped_free", "raw", "L", 1.3, ""),
    ("clamped_mass", "raw", "L", 1.3, ""),
    ("polynomial", "raw", "mp", 1.0, ""),
]


@pytest.mark.parametrize(("family", "scale", "letter", "value", "told"), CASES)
def test_coordinates_are_those_that_the_note_says(
    family: str, scale: str, letter: str, value: float, told: str
) -> None:
    """d_new = d / c in the same motion, so M_new = C M C with C = diag(1, c)."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        here = arm(family, scale).at(STATE, changes={f"{letter}1": value})
    notes = " ".join(str(w.message) for w in seen)
    assert notes.endswith(told)
    assert bool(notes) == bool(told)
    c = np.array([1.0, *map(float, re.findall(r"/ ([\d.]+)", told))]) if told else np.ones(3)
    other = arm(family, scale, **{letter: value}).at(STATE / c)
    for name in ("M", "U"):
        assert_near(c[:, None] * here[name] * c, other[name], 1e-11)
    assert_near(c * here["G"], other["G"], 1e-11)


def test_shapes_of_another_form_are_told() -> None:
    eq = arm("clamped_mass", "raw")
    with pytest.warns(supple.SuppleWarning, match=r"arm: v1_1, v1_2 stay .* another form"):
        here = eq.at(STATE, changes={"mp1": 1.0})
    assert np.abs(here["M"] - arm("clamped_mass", "raw", mp=1.0).at(STATE)["M"]).max() > 0.1
