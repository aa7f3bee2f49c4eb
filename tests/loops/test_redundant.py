"""Overconstrained loops: more closed directions than independent ones."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np

import supple
from agree import assert_near
from loops.mechanisms import closed, consistent
from loops.test_forward import with_multipliers
from supple.bodies import Station
from supple.joints import KINDS
from supple.loops import closure_jacobian, closure_residual
from supple.loops.rows import independent_rows
from supple.robot import Loop, without_shapes

near = partial(assert_near, least=1.0)
A, B, ALPHA = 0.4, 0.7, 0.6
BETA = float(np.arcsin(B * np.sin(ALPHA) / A))  # Bennett: a / sin alpha = b / sin beta


def angles(first: float) -> Any:
    """The linkage's closed configurations, by its first angle."""
    ratio = np.sin((BETA + ALPHA) / 2) / np.sin((BETA - ALPHA) / 2)
    second = 2 * np.arctan(ratio / np.tan(first / 2))
    return np.array([first, second, -first])


@cache
def bennett() -> supple.Robot:
    """Three moving links, the fourth is the ground; cut at its joint with the third."""
    links, joints = {}, []
    for k, (length, twist) in enumerate(((A, ALPHA), (B, BETA), (A, ALPHA))):
        lump = {"mass": 1.0 + k, "com": [length / 2, 0.02, 0.01], "inertia": [0.01, 0.03, 0.03]}
        links[f"l{k}"] = {"rigid": lump | {"tip": [length, 0, 0], "tip_rpy": [twist, 0, 0]}}
        joint: dict[str, Any] = {"name": f"j{k}", "type": "revolute", "child": f"l{k}"}
        joints.append(joint | ({"parent": f"l{k - 1}"} if k else {}))
    words = {"name": "bennett", "gravity": [1, 2, -9.81], "links": links, "joints": joints}
    robot = supple.build(words)
    c, s = np.cos(BETA), np.sin(BETA)
    R = np.array([[1, 0, 0], [0, c, -s], [0, s, c]]).T
    ground = Station(np.array([-B, 0.0, 0.0]), np.zeros((0, 3)), np.zeros((0, 3)), R0=R)
    ground = replace(ground, r0=R @ np.array([-B, 0.0, 0.0]))
    loop = Loop("ground", robot.station("l2"), (-1, ground), KINDS["revolute"]())
    return closed(robot, angles(1.0), loop, actuated=("j0",))


def test_a_bennett_linkage_is_closed_on_its_whole_way_and_keeps_two_rows_of_five() -> None:
    robot = bennett()
    for first in (0.4, 1.0, 2.0, 2.8):
        assert np.abs(closure_residual(robot, angles(first))).max() < 1e-12
        assert len(independent_rows(robot, angles(first))) == 2
    assert len(robot.loops[0].kept or ()) == 2


def test_a_bennett_linkage_moves_as_lagrange_says_wherever_it_is() -> None:
    robot = bennett()
    fd = supple.compile(robot, "forward_dynamics")
    for first in (0.4, 1.0, 2.0, 2.8):
        q = angles(first)
        qd, qdd = consistent(robot, q, np.random.default_rng(1))
        tau = np.array([1.0, -2.0, 0.5])
        expected, forces = with_multipliers(robot, q, qd, tau, closure_jacobian(robot, q))
        near(supple.forward_dynamics(robot, q, qd, tau), expected, 1e-9)
        near(fd(q, qd, tau), expected, 1e-9)
        near(supple.multipliers(robot, q, qd, tau), forces, 1e-8)  # the smallest
        torque = supple.inverse_dynamics(robot, q, qd, qdd)
        near(supple.forward_dynamics(robot, q, qd, torque), qdd, 1e-9)


def test_motors_move_all_joints_so_that_the_loop_stays_closed() -> None:
    robot, q, h = bennett(), angles(1.0), 1e-4
    qd, qdd = supple.complete_motion(robot, q, [0.7], [-0.3])
    before, after = (angles(1.0 + s * h * 0.7 - 0.15 * h * h) for s in (-1, 1))
    np.testing.assert_allclose(qd, (after - before) / (2 * h), atol=1e-6)
    np.testing.assert_allclose(qdd, (after - 2 * q + before) / h**2, atol=1e-5)


def test_a_planar_loop_that_bends_out_of_its_plane_holds_all_its_directions() -> None:
    plain = supple.load("four-bar-flexible")
    robot = plain.with_modes(bending_y=2, bending_z=2)
    q = robot.home()
    assert len(independent_rows(robot, q)) == 5
    stiff = without_shapes(robot)
    assert len(independent_rows(stiff, stiff.home())) == 2
    qd, _ = consistent(robot, q, np.random.default_rng(3))
    tau = np.random.default_rng(4).normal(size=robot.nv)
    expected, forces = with_multipliers(robot, q, qd, tau, closure_jacobian(robot, q))
    near(supple.forward_dynamics(robot, q, qd, tau), expected, 1e-8)
    near(supple.multipliers(robot, q, qd, tau), forces, 1e-7)
    fd = supple.compile(robot, "forward_dynamics")
    near(fd(q, qd, tau), expected, 1e-8)
