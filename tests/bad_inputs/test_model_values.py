"""Every number of a model, at the ends of what a number can be: finite results, or one fault."""

from __future__ import annotations

import copy
import warnings
from typing import Any

import numpy as np
import pytest

import supple
from supple import ModelError
from supple.model import plausibility
from supple.model.parameters import _leaves

EXTREME = (1e308, -1e308, 1e160, 5e-324)
TUBE = {"shape": "tube", "diameter": [0.05, 0.04], "wall": 0.002}
BOX = {"shape": "box", "width": 0.05, "height": 0.04, "wall": [0.003, 0.002]}
BENDS, TWISTS = {"bending_y": 1}, {"torsion": 1, "axial": 1}


def beam(**words: Any) -> dict[str, Any]:
    return {"length": 1.0, "density": 2700.0, "E": 7e10, "nu": 0.3, **words}


ROBOT: dict[str, Any] = {
    "gravity": [0.0, 0.0, -9.81],
    "links": {
        "a": {
            "rigid": {"mass": 2.0, "com": [0.1, 0.0, 0.0], "inertia": 0.1, "tip": [0.3, 0.0, 0.1]}
        },
        "b": {
            "hub": {"mass": 0.2, "com": [0.0, 0.01, 0.0], "inertia": [1e-3, 1e-3, 1e-3]},
            "beam": beam(
                modes=BENDS, section=TUBE, start=[0.0, 0.0, 0.1], damping={"rayleigh": [0.1, 1e-4]}
            ),
            "payload": {"mass": 0.3, "com": [0.0, 0.0, 0.1], "inertia": 1e-3},
            "stations": {"eye": {"x": 0.5, "offset": [0.0, 0.0, 0.1], "rpy": [0.1, 0.0, 0.0]}},
        },
        "c": {
            "beam": beam(
                modes=TWISTS, section=BOX, added_mass_per_length=[0.1, 0.2], damping={"ratio": 0.01}
            )
        },
    },
    "joints": [
        {"name": "j", "type": "revolute", "child": "a", "axis": [0.0, 1.0, 1.0], "rest": 0.1},
        {"name": "k", "type": "prismatic", "parent": "a", "child": "b", "stiffness": 5.0},
        {
            "name": "l",
            "type": "revolute",
            "parent": "b",
            "child": "c",
            "origin": {"xyz": [0.1, 0.0, 0.0], "rpy": [0.1, 0.2, 0.3]},
            "damping": 0.1,
            "friction": {"coulomb": 0.1, "viscous": 0.1, "smoothing": 1e-3},
            "rotor_inertia": 0.01,
        },
    ],
}
PLACES = list(_leaves(copy.deepcopy(ROBOT)))


@pytest.mark.parametrize("place", PLACES)
def test_an_extreme_number_gives_finite_results_or_one_fault(place: str) -> None:
    for value in EXTREME:
        words = copy.deepcopy(ROBOT)
        holder, key = _leaves(words)[place]
        holder[key] = value
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert outcome(words) in (1, None), value


def outcome(words: dict[str, Any]) -> int | None:
    """The number of faults; None for a robot of finite numbers."""
    try:
        robot = supple.build(words)
    except ModelError as error:
        return len(error.faults)
    q, zero = robot.neutral(), np.zeros(robot.nv)
    assert np.isfinite(supple.mass_matrix(robot, q)).all()
    assert np.isfinite(supple.inverse_dynamics(robot, q, zero, zero)).all()
    plausibility(robot)
    return None


def test_the_robot_is_right_with_its_own_numbers() -> None:
    robot = supple.build(ROBOT)
    assert plausibility(robot) == []
    assert len(PLACES) > 60
