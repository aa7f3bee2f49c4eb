"""Which form of code `compile` takes for robots of every length."""

from __future__ import annotations

from typing import Any

import pytest

import supple
from supple.engine import QUANTITIES, Request
from supple.engine.choose import LONG, choose_recipe
from supple.engine.scan import Scan


def chain(n: int, link: dict[str, Any], kinematics: str = "first_order") -> supple.Robot:
    turn = {"rpy": ["pi/2", 0, 0]}
    joints = [
        {"type": "revolute", "child": f"l{i}"}
        | ({"parent": f"l{i - 1}", "origin": turn} if i else {})
        for i in range(n)
    ]
    words = {"name": "chain", "elastic_kinematics": kinematics}
    return supple.build({**words, "links": {f"l{i}": link for i in range(n)}, "joints": joints})


ROD = {"rigid": {"mass": 1.0, "com": [0.1, 0, 0], "inertia": [1e-3, 8e-3, 8e-3], "length": 0.3}}
SHAPES = {"bending_y": 2, "bending_z": 2}
BEAM = {"beam": {"length": 1.0, "mass": 2.0, "EI": 1e3, "modes": SHAPES}}


def scans(robot: supple.Robot, what: str) -> bool:
    return isinstance(choose_recipe(Request(robot, what), None), Scan)


@pytest.mark.parametrize(
    ("link", "what", "straight", "scanned"),
    [
        (ROD, "forward_dynamics", 50, 60),
        (ROD, "inverse_dynamics", 90, 110),
        (BEAM, "forward_dynamics", 12, 13),
        (BEAM, "inverse_dynamics", 6, 7),
        (BEAM, "mass_matrix", 8, 9),
    ],
)
def test_short_robots_are_straight_lines_and_long_ones_scans(
    link: dict[str, Any], what: str, straight: int, scanned: int
) -> None:
    assert not scans(chain(straight, link), what)
    assert scans(chain(scanned, link), what)


@pytest.mark.parametrize("kinematics", ["second_order", "linearized"])
def test_more_operations_a_link_make_a_scan_of_fewer_links(kinematics: str) -> None:
    assert not scans(chain(12, BEAM), "forward_dynamics")
    assert scans(chain(12, BEAM, kinematics), "forward_dynamics")
    assert not scans(chain(6, BEAM, kinematics), "forward_dynamics")


def test_limits_are_of_quantities_that_have_scans() -> None:
    assert all(QUANTITIES[what].scans for what in LONG)
