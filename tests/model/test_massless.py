"""A coordinate that moves no inertia is refused in any units; one that moves a little is not."""

from typing import Any

import numpy as np
import pytest

import supple
from supple import ModelError

POINT = {"rigid": {"mass": 1.0, "com": [0.3, 0.4, 0.5]}}
BODY = {"rigid": {"mass": 1.0, "com": [0.1, 0.2, 0.3], "inertia": 0.1}}
EMPTY: dict[str, Any] = {"rigid": {"mass": 0.0}}


def robot(*joints: tuple[str, Any], **more: Any) -> supple.Robot:
    """A chain: (joint type, link), ..."""
    links, listed, parent = {}, [], "world"
    for i, (kind, link) in enumerate(joints):
        links[f"l{i}"] = link
        listed.append({"type": kind, "child": f"l{i}", "parent": parent} | more)
        parent = f"l{i}"
    return supple.build({"links": links, "joints": listed})


def beam(length: float, *functions: str, **modes: Any) -> dict[str, Any]:
    how = {"bending_y": {"functions": list(functions)}} if functions else modes
    beam = {"length": length, "mass": 1e-3, "EI": 1.0, "modes": how}
    return {"beam": beam, "hub": {"mass": 1.0, "inertia": 1.0}}


@pytest.mark.parametrize("unit", [1e-3, 1.0, 1e3])  # of length and of mass
def test_a_pin_on_a_ship_is_a_robot(unit: float) -> None:
    ship = {"mass": 4e5 * unit, "inertia": 1e9 * unit**3, "tip": [50 * unit, 0, 0]}
    pin = {"mass": 1e-3 * unit, "com": [2e-3 * unit, 0, 0], "inertia": 1e-9 * unit**3}
    words = {
        "links": {"ship": {"rigid": ship}, "pin": {"rigid": pin}},
        "joints": [
            {"type": "floating", "child": "ship"},
            {"type": "revolute", "parent": "ship", "child": "pin"},
        ],
    }
    arm = supple.build(words)
    assert supple.mass_matrix(arm, arm.neutral())[-1, -1] == pytest.approx(5e-9 * unit**3)


@pytest.mark.parametrize("length", [1e-4, 1e-2, 1.0, 1e4])
def test_modes_of_a_short_beam_are_no_less_than_those_of_a_long_one(length: float) -> None:
    arm = robot(("revolute", beam(length, family="polynomial", bending_y=4)))
    assert arm.nv == 5


@pytest.mark.parametrize(
    ("chain", "more", "name"),
    [
        ([("revolute", EMPTY)], {}, "l0_joint"),
        ([("prismatic", EMPTY)], {}, "l0_joint"),
        ([("revolute", POINT)], {"axis": [0.3, 0.4, 0.5]}, "l0_joint"),
        ([("spherical", POINT)], {}, "l0_joint.wx"),
        ([("revolute", EMPTY), ("revolute", BODY)], {}, "l0_joint"),
        ([("revolute", EMPTY), ("revolute", BODY)], {"axis": [0.3, 0.4, 0.5]}, "l0_joint"),
        ([("prismatic", EMPTY), ("prismatic", BODY)], {"axis": [0.3, 0.4, 0.5]}, "l0_joint"),
        ([("revolute", BODY), ("revolute", EMPTY)], {}, "l1_joint"),
        ([("revolute", beam(1.0, "x**2", "x**3", "x**2+x**3"))], {}, "l0.bending_y1"),
        ([("revolute", beam(0.01, "x**2", "x**3", "0*x"))], {}, "l0.bending_y3"),
    ],
)
def test_a_coordinate_that_moves_nothing_is_named(chain: Any, more: Any, name: str) -> None:
    with pytest.raises(ModelError, match=f"coordinate '{name}' moves no inertia"):
        robot(*chain, **more)


def test_a_small_rotor_before_a_heavy_link_on_the_same_axis_is_a_robot() -> None:
    rotor = {"rigid": {"mass": 1e-9, "inertia": 1e-9}}
    heavy = {"rigid": {"mass": 1e3, "com": [1.0, 0, 0], "inertia": 1e3}}
    arm = robot(("revolute", rotor), ("revolute", heavy))
    _, D = supple.udu_factors(arm, np.zeros(2))
    assert D[0] == pytest.approx(1e-9, rel=1e-2)
