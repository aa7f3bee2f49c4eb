"""Joints that follow a law: the same motion as under their own reaction, and its price."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import supple
from supple.simulation import Motion


def arm(**words: Any) -> supple.Robot:
    beam = {"length": 1.0, "mass": 1.2, "EI": 30.0, "modes": {"bending_y": 2, "bending_z": 1}}
    return supple.build(
        {
            "gravity": [0, -9.81, 1.0],
            "links": {"a": {"beam": beam}, "b": {"beam": beam, "payload": {"mass": 0.4}}},
            "joints": [
                {"name": "one", "type": "revolute", "child": "a", "rotor_inertia": 0.2},
                {"name": "two", "type": "revolute", "parent": "a", "child": "b", "damping": 0.1},
            ],
            **words,
        }
    )


OF_TWO = Motion(("two",), (lambda t: (t, 1.0, 0.0),), 1.0)
LAW = "0.4*(1 - cos(2*t))"


def test_the_reaction_alone_makes_the_same_motion() -> None:
    """The torques found for a prescribed run, applied as torques, give its accelerations."""
    robot = arm()
    run = supple.simulate(robot, [0.0, 0.3], 0.5, prescribed={"one": LAW}, samples=11)
    t = run.time
    for i in (0, 4, 10):
        q, qd, tau = run["q"][i], run["qd"][i], run["tau"][i]
        qdd = supple.forward_dynamics(robot, q, qd, tau)
        assert abs(q[0] - 0.4 * (1 - np.cos(2 * t[i]))) < 1e-14
        assert abs(qd[0] - 0.8 * np.sin(2 * t[i])) < 1e-14
        assert abs(qdd[0] - 1.6 * np.cos(2 * t[i])) < 1e-9
        assert tau[0] == run["reaction"][i, 0]
    assert np.all(run["tau"][:, 4] == 0.3)
    assert run.energy_error < 1e-8


def test_driven_joints_are_listed_from_the_base_on() -> None:
    laws = {"two": "0.2*t", "one": LAW, "arm": "0.1*t"}
    links = {name: {"rigid": {"mass": 1.0, "inertia": 0.1, "length": 0.3}} for name in "abc"}
    joints: list[dict[str, Any]] = [{"name": "two", "type": "revolute", "child": "a"}]
    joints += [{"name": "one", "type": "revolute", "parent": "a", "child": "b"}]
    joints += [{"name": "arm", "type": "revolute", "parent": "b", "child": "c"}]
    robot = supple.build({"links": links, "joints": joints})
    run = supple.simulate(robot, None, 1.0, prescribed=laws, samples=3)
    assert list(run.data["driven"].values) == ["two", "one", "arm"]
    assert run["reaction"] == pytest.approx(run["tau"])
    assert run.inputs == "all inputs run natively"
    assert run["q"][2] == pytest.approx([0.2, 0.4 * (1 - np.cos(2.0)), 0.1])


def test_all_joints_prescribed_cost_what_inverse_dynamics_says() -> None:
    robot = arm().replace(elastic_kinematics="rigid")
    laws = {"one": LAW, "two": lambda t: (0.1 * t, 0.1, 0.0)}
    run = supple.simulate(robot, None, 1.0, prescribed=laws, samples=5)
    for t, reaction in zip(run.time, run["reaction"], strict=True):
        q, qd = [0.4 * (1 - np.cos(2 * t)), 0.1 * t], [0.8 * np.sin(2 * t), 0.1]
        tau = supple.inverse_dynamics(robot, q, qd, [1.6 * np.cos(2 * t), 0.0])
        assert np.abs(reaction - tau).max() < 1e-12 * np.abs(tau).max()


def test_a_table_and_a_motion_of_the_file_can_be_prescribed() -> None:
    robot = arm(motions={"swing": {"duration": 0.4, "joints": {"two": "t**2"}}})
    t = np.linspace(0.0, 0.5, 11)
    run = supple.simulate(robot, None, 0.3, prescribed={"two": (t, t**2)}, samples=4)
    assert np.abs(run["two"] - run.time**2).max() < 1e-12
    run = supple.simulate(robot, None, 0.3, prescribed="swing", samples=4)
    assert list(run.data.driven.values) == ["one", "two"]
    assert np.abs(run["two"] - run.time**2).max() < 1e-14


def test_a_joint_takes_its_part_of_a_motion() -> None:
    """x - sin(2 pi x)/(2 pi), x = t/T, of the joint that is named; the other moves as it likes."""
    way = supple.cycloidal(arm(), {"one": 0.2, "two": 0.3}, 0.5)
    run = supple.simulate(arm(), None, 0.5, prescribed={"two": way}, samples=6)
    x = run.time / 0.5
    assert list(run.data.driven.values) == ["two"]
    assert run["two"] == pytest.approx(0.3 * (x - np.sin(2 * np.pi * x) / (2 * np.pi)), abs=1e-12)
    whole = supple.simulate(arm(), None, 0.5, prescribed=way, samples=6)
    parts = supple.simulate(arm(), None, 0.5, prescribed={"one": way, "two": way}, samples=6)
    assert np.array_equal(whole["q"], parts["q"])


def test_saved_and_read_again(tmp_path: Any) -> None:
    run = supple.simulate(arm(), None, 0.1, prescribed={"one": LAW}, samples=3)
    again = supple.load_result(run.save(tmp_path / "run.nc"))
    assert np.array_equal(again["reaction"], run["reaction"])


@pytest.mark.parametrize(
    ("laws", "message"),
    [
        ({"oen": LAW}, "Did you mean one"),
        ({"one": "sin("}, "motion of one"),
        ({"one": lambda t: 1.0}, "three numbers"),
        ({"one": ([0, 1], [1, 2, 3])}, "as many finite positions"),
        ({"one": None}, "give a formula in t"),
        ({"one": OF_TWO}, "no joint named 'one' in the motion that one follows; there are: two"),
        (3.0, "mapping of joints to laws"),
        ("swing", "no motion named"),
    ],
)
def test_bad_laws_say_what_is_wanted(laws: Any, message: str) -> None:
    with pytest.raises(supple.SuppleError, match=message.replace("(", r"\(")):
        supple.simulate(arm(), None, 0.1, prescribed=laws)


def test_pinned_roots_cannot_be_prescribed() -> None:
    robot = arm().with_modes("a", family="pinned_pinned")
    with pytest.raises(supple.InputError, match="clamped family"):
        supple.simulate(robot, None, 0.1, prescribed={"one": LAW})
