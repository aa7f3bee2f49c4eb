"""Where a run starts: by all coordinates, by the joints alone, by name, on a motion, at rest."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import supple
from agree import assert_near
from supple import InputError


def started(robot: supple.Robot, **given: Any) -> tuple[Any, Any]:
    run = supple.simulate(robot, None, 1e-3, samples=2, **given)
    return run["q"][0], run["qd"][0]


def test_joints_alone_names_and_all_coordinates_start_alike() -> None:
    robot = supple.load("canadarm")
    q, qd = np.zeros(9), np.zeros(9)
    q[robot.joint_indices] = [0.1, -0.2, 0.3]
    qd[robot.joint_indices] = [0.3, 0.2, 0.1]
    ways = (
        {"q0": q, "qd0": qd},
        {"q0": [0.1, -0.2, 0.3], "qd0": [0.3, 0.2, 0.1]},
        {
            "q0": {"joint1": 0.1, "joint2": -0.2, "joint3": 0.3},
            "qd0": {"joint3": 0.1, "joint2": 0.2, "joint1": 0.3},
        },
    )
    for way in ways:
        a, b = started(robot, **way)
        assert a == pytest.approx(q)
        assert b == pytest.approx(qd)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"q0": {"joint9": 1.0}}, "no coordinate named 'joint9'"),
        ({"q0": {"joint1": "x"}}, "q0 of joint1 is 'x'"),
        ({"qd0": {"joint1": np.inf}}, "qd0 of joint1 is inf"),
        ({"qd0": [1.0]}, r"shape \(1,\)"),
        ({"at_rest": "yes"}, "at_rest is 'yes'"),
        ({"external": [1]}, "external is"),
        ({"external": {"link9": [0, 0, 1]}}, "no link named"),
        ({"external": {"link3": [0, 0]}}, "external load at link3"),
        ({"external": {"link3": lambda t: [0, 0]}}, "external load at link3"),
        ({"external": {"link3": lambda t: 1 / 0}}, "external load at link3 failed"),
    ],
)
def test_a_wrong_start_or_load_is_one_message(given: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        started(supple.load("canadarm"), **given)


def moving(formula: str) -> supple.Robot:
    words = {"links": {"a": {"rigid": {"mass": 1.0, "inertia": 2.0}}}}
    joint = {"name": "j1", "type": "revolute", "child": "a"}
    motions = {"go": {"duration": 2, "joints": {"j1": formula}}}
    return supple.build(words | {"joints": [joint], "motions": motions})


def test_a_motion_that_starts_with_a_rate_starts_with_it() -> None:
    run = supple.simulate(moving("t"), motion="go", samples=3)
    assert run["q"][:, 0] == pytest.approx(run.time)
    run = supple.simulate(moving("0.3 + sin(t)"), motion="go", samples=3)
    assert run["q"][:, 0] == pytest.approx(0.3 + np.sin(run.time), abs=1e-6)


@pytest.mark.parametrize("formula", ["abs(t - 1)", "abs(t-1)/(t-1)", "sqrt(t)", "tan(t)"])
def test_a_motion_with_a_jump_a_kink_or_a_pole_is_refused(formula: str) -> None:
    with pytest.raises(InputError, match=r"j1"):
        supple.simulate(moving(formula), motion="go", samples=3)


def test_a_robot_started_at_rest_does_not_ring() -> None:
    """Held by its torques of statics it stays; started straight it swings by twice the sag."""
    beam = {"length": 2.0, "mass": 3.0, "EI": 4e3, "modes": {"bending_y": 3}}
    words = {"gravity": [0, -9.81, 0], "links": {"a": {"beam": beam}}}
    robot = supple.build(words | {"joints": [{"name": "j", "type": "revolute", "child": "a"}]})
    hold, load = {"j": "0.4"}, {"a.tip": [0.0, -5.0, 0.0]}
    sag = supple.statics(robot, [0.4], load).q[1:]
    still = supple.simulate(robot, None, 1.0, prescribed=hold, external=load, at_rest=True)
    assert np.abs(still["q"][:, 1:] - sag).max() < 1e-6 * np.abs(sag).max()
    rings = supple.simulate(robot, None, 1.0, prescribed=hold, external=load)
    assert np.abs(rings["q"][:, 1]).max() > 1.8 * abs(sag[0])


def test_a_constant_load_does_the_work_of_its_path() -> None:
    robot, push = supple.load("canadarm"), np.array([0.3, -0.4, 0.0])
    run = supple.simulate(robot, None, 2.0, external={"link3.tip": push}, samples=21)
    path = run["tip"][:, -1] - run["tip"][0, -1]
    assert run["work"] == pytest.approx(path @ push, abs=1e-9)
    assert run.energy_error < 1e-8


def test_rates_by_name_leave_shapes_and_other_motors_at_rest() -> None:
    """A closed chain that bends begins as the rigid one moves, wherever it is cut."""
    bent, five, stewart = (supple.load(n) for n in ("four-bar-flexible", "five-bar", "stewart"))
    qd = started(bent, qd0={"crank_joint": 5.0})[1]
    assert_near(qd, supple.complete_motion(bent, bent.home(), [5.0])[0])
    qd = started(five, qd0={"motor1": 0.5})[1]
    assert_near(qd, supple.complete_motion(five, five.home(), [0.5, 0.0])[0])
    qd = started(stewart, qd0={stewart.actuated[2]: 0.5})[1]
    assert_near(qd[stewart.motor_indices], 0.5 * np.eye(6)[2])


def test_a_rate_that_no_motor_has_moves_the_motors() -> None:
    robot = supple.load("five-bar")
    q, qd = started(robot, qd0={"elbow1": 0.3})
    assert qd[1] == 0.3
    assert np.abs(supple.closure_jacobian(robot, q) @ qd).max() < 1e-12
    assert np.abs(qd[robot.motor_indices]).min() > 0.01  # both, as little as will do


def test_places_by_name_leave_other_motors_where_they_are() -> None:
    robot = supple.load("five-bar")
    q = started(robot, q0={"motor1": 0.9})[0]
    assert_near(q, supple.assemble(robot, {"motor1": 0.9}).nearest({"motor1": 0.9}))
    assert q[robot.coordinate_names.index("motor2")] == robot.home()[2]


def geared_link(body: dict[str, Any], gravity: float, **drive: float) -> supple.Robot:
    drive = {"gear_ratio": 40.0, "rotor_inertia": 2e-4} | drive
    joint = {"name": "s", "type": "revolute", "child": "a", "drive": drive}
    return supple.build({"gravity": [0, gravity, 0], "links": {"a": body}, "joints": [joint]})


@pytest.mark.parametrize("named", [{"s": 1.0}, {"s.motor": 40.0}, {"s": 1.0, "s.motor": 40.0}])
def test_a_joint_and_its_motor_start_together(named: dict[str, float]) -> None:
    """Free, they turn on without a change: nothing winds up the gear."""
    robot = geared_link({"rigid": {"mass": 2.0, "inertia": 0.3}}, 0.0, stiffness=900, damping=0.5)
    run = supple.simulate(robot, None, 0.5, q0={"s": 0.3}, qd0=named, samples=6)
    assert_near(run["s"], 0.3 + run.time, 1e-7)
    assert_near(run["s.motor"], 40.0 * run["s"], 1e-7)


@pytest.mark.parametrize("stiffness", [20.0, 800.0])
def test_a_prescribed_joint_behind_an_elastic_gear_starts_at_rest(stiffness: float) -> None:
    beam = {"length": 1.0, "mass": 1.0, "EI": 60.0, "modes": {"bending_y": 2}}
    body = {"beam": beam, "hub": {"inertia": 0.05}}
    robot = geared_link(body, -9.81, stiffness=stiffness)
    run = supple.simulate(robot, None, 0.3, prescribed={"s": "0.3"}, at_rest=True, samples=7)
    rigid = geared_link(body, -9.81)
    assert_near(run["q"][0, 2:], supple.statics(rigid, [0.3]).q[1:], 1e-8)
    assert np.ptp(run["q"], axis=0).max() < 1e-9


def test_a_bending_loop_on_a_motion_with_a_rate_starts_at_rest_in_its_shapes() -> None:
    """Its rates belong to the place where the shapes have settled, and keep the loop closed."""
    robot = supple.load("four-bar-flexible")
    law = {"crank_joint": f"{robot.home()[0]} + 5*t"}
    run = supple.simulate(robot, None, 0.01, prescribed=law, at_rest=True, samples=2)
    assert np.abs(run["qd"][0, robot.mode_indices]).max() == 0.0
    J = supple.closure_jacobian(robot, run["q"][0])
    assert np.abs(J @ run["qd"][0]).max() < 1e-9


def test_a_joint_stands_where_its_prescribed_motor_puts_it() -> None:
    robot = geared_link({"rigid": {"mass": 2.0, "inertia": 0.3}}, 0.0, stiffness=900, damping=0.5)
    run = supple.simulate(robot, None, 0.5, prescribed={"s.motor": "30 + 4*t"}, samples=6)
    assert_near(run["s"], (30.0 + 4.0 * run.time) / 40.0, 1e-7)


def test_rates_however_small_keep_the_loops_closed() -> None:
    robot = supple.load("five-bar")
    small, large = (started(robot, qd0={"elbow1": x})[1] for x in (5e-9, 5.0))
    assert_near(1e9 * small, large, 1e-6)
