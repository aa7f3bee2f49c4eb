"""Targets near a rest: the robot moves as its Jacobian says, and stays in its posture."""

from __future__ import annotations

import json
import warnings
from typing import Any

import numpy as np
import pytest

import supple

FAR = [1e-9, 1e-5, 1e-3]


def arm(gravity: float) -> supple.Robot:
    """Two links that bend, in a vertical plane."""
    beam = {"length": 1.0, "mass": 1.0, "EI": 100.0, "modes": {"bending_y": 2}}
    joints = [
        {"name": "first", "type": "revolute", "child": "a"},
        {"name": "second", "type": "revolute", "parent": "a", "child": "b"},
    ]
    links = {"a": {"beam": beam}, "b": {"beam": beam}}
    return supple.build({"gravity": [0, -gravity, 0], "links": links, "joints": joints})


def three_rrr(**drive: Any) -> supple.Robot:
    """A 3-RRR with rods that bend, or with elastic gears."""
    words = json.loads(json.dumps(dict(supple.load("three-rrr").spec), default=dict))
    beam = {"length": 0.3, "mass": 0.6, "EI": 5.0, "modes": {"bending_y": 2}}
    for joint in words["joints"]:
        if drive and joint["name"].startswith("motor"):
            joint.pop("rotor_inertia", None)
            joint["drive"] = drive
    for k in () if drive else (1, 2, 3):
        words["links"][f"distal{k}"] = {"beam": beam}
    return supple.build(words | {"gravity": [0, 0, 0] if drive else [0, -9.81, 0]})


def slope_of(robot: supple.Robot, motors: list[str], station: str, at: dict[str, float]) -> Any:
    """How the station moves with the motors, by statics alone: central differences."""
    columns = []
    for name in motors:
        ends = [supple.statics(robot, at | {name: at[name] + h}) for h in (1e-4, -1e-4)]
        columns.append((ends[0].position(station) - ends[1].position(station))[:2] / 2e-4)
    return np.array(columns).T


@pytest.mark.parametrize("far", FAR)
@pytest.mark.parametrize("gravity", [0.0, 9.81])
def test_a_short_move_from_rest_is_the_one_that_the_jacobian_gives(gravity, far):
    robot, motors = arm(gravity), ["first", "second"]
    rest = supple.statics(robot, [0.5, -1.0])
    to = rest.position("b.tip") + np.array([far, 0, 0])
    found = supple.reach(robot, {"b.tip": (to[0], to[1], None)}, start=rest.q)
    J = slope_of(robot, motors, "b.tip", rest.joints)
    moved = np.array([found.joints[n] - rest.joints[n] for n in motors])
    assert moved == pytest.approx(np.linalg.solve(J, [far, 0.0]), rel=0.02, abs=1e-10)
    assert found.warnings == ()


@pytest.mark.parametrize("far", FAR)
@pytest.mark.parametrize("drive", [{}, {"gear_ratio": 20, "stiffness": 300, "rotor_inertia": 1e-3}])
def test_a_short_move_of_a_closed_chain_from_rest_is_short(drive, far):
    robot = three_rrr(**drive)
    motors = [robot.velocity_names[k] for k in robot.motor_indices]
    rest = supple.statics(robot)
    to = rest.position("platform") + np.array([far, far, 0])
    found = supple.reach(robot, {"platform": (to[0], to[1], None)}, start=rest.q)
    still = np.array([rest.joints[n] for n in motors])
    moved = np.array([found.joints[n] for n in motors]) - still
    ratio = drive.get("gear_ratio", 1.0)
    assert np.abs(moved).max() < 10.0 * ratio * far  # links of 0.3 m: some rad a metre
    assert found.position("platform") == pytest.approx(to, abs=1e-10)


def test_the_rest_itself_is_reached_without_a_step():
    robot = arm(9.81)
    rest = supple.statics(robot, [0.5, -1.0])
    found = supple.reach(robot, {"b.tip": (*rest.position("b.tip")[:2], None)}, start=rest.q)
    assert found.q == pytest.approx(rest.q, abs=1e-12)


def test_another_start_than_the_given_one_is_told():
    """Stretched out the arm cannot come nearer to its root: only other postures can."""
    robot = arm(0.0)
    with pytest.warns(supple.SuppleWarning, match="was found from another start"):
        found = supple.reach(robot, {"b.tip": (1.2, 0.0, None)}, start=[0.0, 0.0])
    assert any("from another start" in words for words in found.warnings)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        supple.reach(robot, {"b.tip": (1.2, 0.0, None)})


@pytest.mark.parametrize("weight", [1e-12, 1e-8])
def test_a_gear_that_hardly_winds_up_has_its_rest(weight):
    """The load winds it up by less than the rounding of ratio times angle."""
    robot = supple.load("flexible-joint-arm").replace(gravity=[0, -weight, 0])
    for angle in np.random.default_rng(0).uniform(-2.0, 2.0, 20):
        found = supple.statics(robot, {"shoulder": angle, "elbow": 0.3})
        assert found.joints["shoulder"] == pytest.approx(angle, abs=1e-9)
