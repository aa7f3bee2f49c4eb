"""Centre of mass and momentum of trees of every kind, by ways that share no code with them."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import supple
from agree import assert_near
from supple.recursion import configuration_rate, link_poses
from trees import BODIES, JOINTS, random_state, states, tree

KINDS = ("second_order", "first_order", "linearized")


def quotient(robot: Any, q: Any, qd: Any, of: Any, h: float = 1e-6) -> Any:
    """d/dt of a function of the configuration, by a central difference."""
    step = h * configuration_rate(robot, q, qd)
    ahead, behind = (robot.normalized(q + s * step) for s in (1, -1))
    return (of(ahead) - of(behind)) / (2 * h)


def drives(robot: Any) -> Any:
    """The words of the elastic gears, in the order of the links."""
    words = {joint["child"]: joint.get("drive") for joint in robot.spec["joints"]}
    return [words[robot.links[gear.link].name] for gear in robot.gears]


@settings(max_examples=25)
@given(states(bodies=("rigid",)))
def test_rigid_links_sum_to_the_whole(case: Any) -> None:
    robot, q, qd, _ = case
    spec, mass, moment, h = robot.spec, 0.0, np.zeros(3), np.zeros(6)
    for name, link in spec["links"].items():
        body, where = link["rigid"], f"{name}.origin"

        def place(x: Any, w: str = where, c: Any = body["com"]) -> Any:
            at = supple.pose(robot, x, w)
            return at.p + at.R @ c

        R, c = supple.pose(robot, q, where).R, place(q)
        W = quotient(robot, q, qd, lambda x, w=where: supple.pose(robot, x, w).R) @ R.T
        w = np.array([W[2, 1], W[0, 2], W[1, 0]])
        p = body["mass"] * quotient(robot, q, qd, place)
        spin = R @ np.array(body["inertia"]) @ R.T @ w
        mass, moment = mass + body["mass"], moment + body["mass"] * c
        h += np.concatenate([spin + np.cross(c, p), p])
    for gear, drive in zip(robot.gears, drives(robot), strict=True):
        rotor = f"{robot.links[gear.motor].name}.origin"
        z = supple.pose(robot, q, rotor).R[:, 2]
        w = supple.twist(robot, q, qd, rotor)[:3]
        h[:3] += drive["rotor_inertia"] * (z @ w) * z
    assert_near(supple.centre_of_mass(robot, q), moment / mass, 1e-12)
    assert np.abs(supple.momentum(robot, q, qd) - h).max() < 1e-7 * (1 + np.abs(h).max())


@pytest.mark.parametrize("kinematics", KINDS)
@settings(max_examples=8)
@given(case=states())
def test_linear_momentum_is_mass_times_the_velocity_of_its_centre(kinematics, case) -> None:
    robot = case[0].replace(elastic_kinematics=kinematics)
    p = robot.mass * quotient(robot, *case[1:3], lambda x: supple.centre_of_mass(robot, x))
    ours = supple.momentum(robot, *case[1:3])[3:]
    if kinematics == "linearized":  # the quotient's own products are of second order
        p = linear_part(robot, *case[1:3])
    assert np.abs(ours - p).max() < 1e-7 * (1 + np.abs(p).max())


@pytest.mark.parametrize("kinematics", KINDS[:2])
@settings(max_examples=6)
@given(case=states())
def test_the_motion_of_the_centre_of_mass_is_its_rates(kinematics, case) -> None:
    """Velocity and acceleration against quotients of the position and of the momentum."""
    robot, q, qd, qdd = case[0].replace(elastic_kinematics=kinematics), *case[1:]
    c, cd, cdd = supple.centre_of_mass_motion(robot, q, qd, qdd)
    assert_near(c, supple.centre_of_mass(robot, q), 1e-14)
    velocity = quotient(robot, q, qd, lambda x: supple.centre_of_mass(robot, x))
    assert np.abs(cd - velocity).max() < 1e-7 * (1 + np.abs(velocity).max())
    rate = quotient(robot, q, qd, lambda x: supple.momentum(robot, x, qd)[3:])
    rate = (rate + supple.momentum(robot, q, qdd)[3:]) / robot.mass  # linear in the rates
    assert np.abs(cdd - rate).max() < 1e-7 * (1 + np.abs(rate).max())


def linear_part(robot: Any, q: Any, qd: Any) -> Any:
    """The same to first order in shapes and their rates together, by a difference in both."""
    small_q, small_v, e = q.copy(), qd.copy(), 1e-4

    def at(scale: float) -> Any:
        for link in robot.links:
            small_q[link.d], small_v[link.e] = scale * q[link.d], scale * qd[link.e]
        full = robot.replace(elastic_kinematics="first_order")
        return supple.momentum(full, small_q, small_v)[3:]

    return at(0.0) + (at(e) - at(-e)) / (2 * e)


@pytest.mark.parametrize("index", [3, 45, 68, 103, 106, 110, 140, 150, 174, 180])
@pytest.mark.parametrize("kinematics", KINDS[:2])
def test_on_a_floating_base_it_is_what_the_mass_matrix_says(index, kinematics) -> None:
    robot = tree(index, JOINTS, BODIES, kinematics)
    assert [link.joint.kind for link in robot.links if link.parent < 0] == ["floating"]
    q, qd, _ = random_state(robot, np.random.default_rng(index))
    own = (supple.mass_matrix(robot, q) @ qd)[:6]  # about the base's O, in its axes
    at = link_poses(robot, q)[0]
    R = at.R @ robot.links[0].frame.T
    f = R @ own[3:]
    h = np.concatenate([R @ own[:3] + np.cross(at.p, f), f])
    assert_near(supple.momentum(robot, q, qd), h, 1e-11)


def test_a_free_flexible_robot_keeps_its_momentum_while_it_bends() -> None:
    robot = supple.load("space-robot")
    rng = np.random.default_rng(3)
    qd0 = 0.2 * rng.normal(size=robot.nv)
    qd0[robot.mode_indices] *= 0.1
    push = lambda t: 5.0 * np.sin(3 * t + np.arange(12)) * (np.arange(12) > 5)  # noqa: E731
    run = supple.simulate(robot, push, 1.0, qd0=qd0, samples=6)
    h = np.array([supple.momentum(robot, q, v) for q, v in zip(run["q"], run["qd"], strict=True)])
    assert np.ptp(run["qd"], axis=0).max() > 0.1
    assert np.abs(h - h[0]).max() < 1e-6 * np.abs(h).max()


def test_a_robot_without_mass_has_no_centre(monkeypatch) -> None:
    robot = supple.load("puma")
    monkeypatch.setattr(type(robot), "mass", 0.0)
    with pytest.raises(supple.InputError, match="no centre of mass"):
        supple.centre_of_mass(robot, robot.neutral())
