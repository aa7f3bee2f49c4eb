"""What the page's plots are told of a run: each curve against what it is called."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from agree import assert_near
from led_runs import wandering
from supple.view.page.record import groups, record


class Kept:
    """Takes arrays, and gives them back."""

    def put(self, array, single=False):
        return np.array(array)


@pytest.fixture(scope="module")
def robot():
    """A cart that carries two arms, of which the second bends."""
    beam = {"length": 0.8, "mass": 0.5, "EI": 20.0, "modes": {"bending_y": 1, "bending_z": 1}}
    rigid = {"mass": 1.0, "inertia": 0.1, "length": 0.5}
    joints = [
        {"name": "way", "type": "prismatic", "axis": [1, 0, 0], "child": "cart"},
        {"name": "one", "type": "revolute", "parent": "cart", "child": "near"},
        {"name": "two", "type": "universal", "parent": "near", "child": "far"},
    ]
    links = {
        "cart": {"rigid": rigid},
        "near": {"rigid": rigid},
        "far": {"beam": beam, "hub": {"inertia": 0.1}},
    }
    return supple.build({"links": links, "joints": joints})


def test_curves_are_what_they_are_called(robot):
    run = wandering(robot, frames=5)
    found = {x["name"]: x for x in groups(robot, run, np.array([1, 3]), Kept())}
    curves = {n: dict(zip(x["names"], x["data"], strict=True)) for n, x in found.items()}
    assert list(curves["Joint slides"]) == ["way"]
    assert {"one"} <= set(curves["Joint angles"])
    assert "way" not in curves["Joint angles"]
    assert list(curves["Forces"]) == ["way"]
    assert "way" not in curves["Torques"]
    assert list(curves["Deflection of tips"]) == ["far"]
    for k, t in enumerate((1, 3)):
        q = run["q"][t]
        tip = supple.pose(robot, q, "far.tip").p
        assert_near([curves["Place of tips"][f"far.{c}"][k] for c in "xyz"], tip, 1e-12)
        unbent = q.copy()
        unbent[robot.links[-1].d] = 0.0
        away = np.linalg.norm(tip - supple.pose(robot, unbent, "far.tip").p)
        assert curves["Deflection of tips"]["far"][k] == pytest.approx(away)
        assert curves["Joint slides"]["way"][k] == run["way"][t]
    assert len(curves["Place of tips"]) == 3  # the others carry it, by a helper too


def test_the_ghost_of_a_closed_chain_is_told():
    robot = supple.load("four-bar-flexible")
    shapes = [k for link in robot.links for k in range(link.d.start, link.d.stop)]
    run = wandering(robot, frames=3, size=1e-3)
    told = record(robot, run, "", Kept())
    assert np.abs(told["q"][shapes]).max() > 0.0
    assert_near(told["rigid"][shapes], np.zeros((len(shapes), 3)), 0.0)
