"""Names that a model may use, though Supple uses them too."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import supple
from supple import ModelError
from supple.model.tree import RESULT_NAMES

BODY = {"rigid": {"mass": 1.0, "com": [0.1, 0.2, 0.3], "inertia": 0.1, "length": 1.0}}


def test_links_may_be_named_like_the_helpers_of_a_zyx_joint() -> None:
    joint = {"type": "spherical", "coordinates": "zyx", "child": "b"}
    names = ["b", "b_y", "b_z", "b_z_"]
    more = [{"type": "revolute", "parent": a, "child": b} for a, b in pairwise(names)]
    robot = supple.build({"links": dict.fromkeys(names, BODY), "joints": [joint, *more]})
    assert len({link.name for link in robot.links}) == len(robot.links) == 6
    q = np.zeros(robot.nq)
    places = [supple.pose(robot, q, name).p[0] for name in names]
    assert np.allclose(places, [1.0, 2.0, 3.0, 4.0])


def test_every_variable_of_a_result_is_no_name_of_a_joint() -> None:
    seen = set()
    for name, prescribed in (("five-bar", None), ("canadarm", {"joint1": 0})):
        robot = supple.load(name)
        law = {"motion": "paper"} if prescribed is None else {"prescribed": prescribed}
        seen |= set(
            map(str, supple.simulate(robot, duration=0.01, samples=2, **law).data.variables)
        )
    assert seen == set(RESULT_NAMES)


@pytest.mark.parametrize("name", RESULT_NAMES)
@pytest.mark.parametrize("kind", ["revolute", "prismatic"])
def test_a_joint_named_like_a_variable_is_refused(name: str, kind: str) -> None:
    words = {"links": {"a": BODY}, "joints": [{"type": kind, "child": "a", "name": name}]}
    with pytest.raises(ModelError, match=f"cannot be named '{name}'") as error:
        supple.build(words)
    assert (error.value.faults[0].key, len(error.value.faults)) == ("joints.0.name", 1)


def test_links_and_joints_without_a_history_of_that_name_are_free() -> None:
    words = {
        "links": {"q": BODY, "tip": BODY, "time": BODY},
        "joints": [
            {"type": "floating", "child": "q", "name": "q"},
            {"type": "fixed", "child": "tip", "parent": "q", "name": "tip"},
            {"type": "revolute", "child": "time", "parent": "tip"},
        ],
    }
    run = supple.simulate(supple.build(words), None, 0.01, samples=2)
    assert run["q"].shape == (2, 8)
    assert run["q.qw"] == pytest.approx([1.0, 1.0])
    assert run["time_joint"].shape == (2,)


def test_a_robot_prints_as_a_short_table():
    robot = supple.load("space-robot")
    lines = str(robot).splitlines()
    assert lines[0].startswith("space-robot: 32 degrees of freedom, 20 of them shapes")
    assert [line.split()[0] for line in lines[3:]] == [link.name for link in robot.links]
    assert "2 bending_y, 2 bending_z, 1 torsion" in lines[5]
    assert repr(robot) == "<Robot space-robot: 9 links, 32 degrees of freedom>"
    assert {robot, supple.load("space-robot")} == {robot}


def test_indices_pick_from_an_array():
    robot = supple.load("canadarm")
    qd = np.arange(robot.nv)
    assert qd[robot.joint_indices].tolist() == [0, 3, 6]
    assert qd[robot.mode_indices].tolist() == [1, 2, 4, 5, 7, 8]
    assert qd[robot.replace(elastic_kinematics="rigid").mode_indices].shape == (0,)
