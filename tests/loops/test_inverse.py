"""Inverse dynamics of closed chains, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import supple
from loops.mechanisms import consistent, five_bar, four_bar, random_closed
from supple import recursion
from supple.loops import closure_jacobian
from supple.loops.actuation import closed_forces, cut_forces, motor_places


def smallest_torques(robot: Any, need: Any, J: Any, motors: list[int]) -> Any:
    """Torques at the motors alone, by the null space of the passive joints' equations."""
    passive = [k for k in robot.joint_indices if k not in motors]
    _, sizes, V = np.linalg.svd(J[:, passive].T)
    Z = V[int((sizes > 1e-9).sum()) :].T
    first = np.linalg.pinv(J[:, passive].T, rcond=1e-10) @ need[passive]
    left = need[motors] - J[:, motors].T @ first
    return left - (J[:, motors].T @ Z) @ np.linalg.lstsq(J[:, motors].T @ Z, left, rcond=1e-10)[0]


@pytest.mark.parametrize("motors", [("a1_joint", "b1_joint"), ("a1_joint", "a2_joint", "b1_joint")])
def test_torques_are_the_smallest_that_do(motors: tuple[str, ...]) -> None:
    robot, q = five_bar()
    robot = replace(robot, actuated=motors)
    qd, qdd = consistent(robot, q, np.random.default_rng(2))
    tau = supple.inverse_dynamics(robot, q, qd, qdd)
    need = recursion.inverse_dynamics(robot, q, qd, qdd)
    places = motor_places(robot)
    best = smallest_torques(robot, need, closure_jacobian(robot, q)[[2, 3]], places)
    np.testing.assert_allclose(tau[places], best, atol=1e-10)
    np.testing.assert_allclose(supple.forward_dynamics(robot, q, qd, tau), qdd, atol=1e-10)
    both = cut_forces(robot, q, qd, qdd)
    np.testing.assert_allclose(both, supple.multipliers(robot, q, qd, tau), atol=1e-9)


@pytest.mark.parametrize("index", range(0, 60, 3))
def test_forward_undoes_inverse_on_random_closed_trees(index: int) -> None:
    case = random_closed(index, ("rigid", "beam_y", "beam_yz"))
    if case is None:
        return
    robot, q, qd, qdd = case
    J = closure_jacobian(robot, q)
    joints = robot.joint_indices
    rows = sum(len(loop.kept) for loop in robot.loops)
    if np.linalg.matrix_rank(J[:, joints], tol=1e-8) < rows:
        return  # the loops hold shapes: no motor can do that
    tau = supple.inverse_dynamics(robot, q, qd, qdd)
    size = 1.0 + np.abs(qdd).max() + np.abs(tau).max()
    assert np.abs(supple.forward_dynamics(robot, q, qd, tau) - qdd).max() < 1e-8 * size


def test_motors_and_cuts_give_the_power_of_the_motion() -> None:
    robot, q = four_bar(True)
    qd, qdd = consistent(robot, q, np.random.default_rng(4))
    found = closed_forces(robot, q, qd, qdd)
    need = recursion.inverse_dynamics(robot, q, qd, qdd)
    assert abs((need - found.tau) @ qd) < 1e-10 * (1.0 + abs(need @ qd))


def test_an_open_loop_is_refused() -> None:
    robot, q = five_bar()
    still = np.zeros(4)
    with pytest.raises(supple.InputError, match="loop P of five_bar is open by 0"):
        supple.forward_dynamics(robot, q + np.array([0.1, 0, 0, 0]), still, still)
    with pytest.raises(supple.InputError, match="loop P of five_bar opens at"):
        supple.forward_dynamics(robot, q, np.ones(4), still)
    with pytest.raises(supple.InputError, match="by this qdd"):
        supple.inverse_dynamics(robot, q, still, np.ones(4))


def test_too_few_motors_are_refused() -> None:
    robot, q = five_bar()
    still = np.zeros(4)
    with pytest.raises(supple.InputError, match="too few motors: 3 joint coordinates have none"):
        supple.inverse_dynamics(replace(robot, actuated=("a1_joint",)), q, still, still)


def test_a_singular_configuration_is_refused_with_the_direction_that_is_lost() -> None:
    """A four-bar folded flat, all pivots on one line: nothing moves its rocker's end along it."""
    robot, _ = four_bar()
    loop = robot.loops[0]
    pivot = replace(loop.first[1], r0=np.array([0.1, 0.0, 0.0]))  # 0.3 - 0.9 + 0.7
    robot = replace(robot, loops=(replace(loop, first=(-1, pivot)),))
    words = r"singular at this q: loop ground no longer holds .* sliding along x"
    with pytest.raises(supple.InputError, match=words):
        supple.forward_dynamics(robot, [0.0, np.pi, np.pi], np.zeros(3), np.zeros(3))


def test_rows_chosen_badly_here_are_chosen_anew() -> None:
    robot, q = five_bar()
    loop = replace(robot.loops[0], kept=(2, 4))  # one of them does nothing
    qd, _ = consistent(robot, q, np.random.default_rng(1))
    bad = replace(robot, loops=(loop,))
    tau = np.array([1.0, 0.0, 2.0, 0.0])
    found = supple.forward_dynamics(bad, q, qd, tau)
    np.testing.assert_allclose(found, supple.forward_dynamics(robot, q, qd, tau), atol=1e-11)


def test_only_closed_chains_have_cuts() -> None:
    robot = supple.load("canadarm")
    with pytest.raises(supple.InputError, match="has no loops"):
        supple.closure(robot, robot.neutral())
    with pytest.raises(supple.InputError, match="has no loops"):
        supple.compile(robot, "multipliers")
    closed_one, _ = five_bar()
    with pytest.raises(supple.InputError, match="no scan"):
        supple.compile(closed_one, "forward_dynamics", unroll=False)


def test_motors_that_do_not_decide_the_motion_are_told() -> None:
    robot, q = five_bar()
    loose = replace(robot, actuated=("a1_joint",))
    with pytest.raises(supple.InputError, match="do not decide the motion of the rest"):
        supple.complete_motion(loose, q, [1.0])
    with pytest.raises(supple.InputError, match=r"rates of five_bar has shape \(1,\)"):
        supple.complete_motion(robot, q, [1.0])


def test_prescribed_joints_that_leave_the_loops_no_way_are_refused() -> None:
    robot, q = four_bar()
    laws = {"crank_joint": f"{float(q[0])} + 0.1*t"}
    supple.simulate(robot, None, 0.05, prescribed=laws)
    words = "crank_joint, rocker_joint cannot be chosen freely.*Give fewer of them"
    with pytest.raises(supple.InputError, match=words):
        supple.simulate(robot, None, 0.05, prescribed={**laws, "rocker_joint": f"{float(q[2])}"})


@pytest.mark.parametrize("modes", [{"bending_z": 2}, {"bending_y": 2, "bending_z": 1}])
def test_a_plane_loop_that_bends_out_of_its_plane_needs_what_moved_it(modes: Any) -> None:
    """More directions are closed than there are joints: shapes hold the rest."""
    beam = {"length": 0.9, "mass": 0.6, "EI": 40.0, "modes": modes}
    words = {
        "gravity": [0, -9.81, 2.0],
        "links": {
            "crank": {"beam": {"length": 0.3, "mass": 1.0}},
            "coupler": {"beam": beam},
            "rocker": {"beam": {"length": 0.7, "mass": 1.2}},
        },
        "joints": [
            {"name": "a", "type": "revolute", "child": "crank"},
            {"name": "b", "type": "revolute", "parent": "crank", "child": "coupler"},
            {"name": "c", "type": "revolute", "child": "rocker", "origin": {"xyz": [0.8, 0, 0]}},
        ],
        "loops": [{"name": "pin", "type": "revolute", "between": ["coupler.tip", "rocker.tip"]}],
        "actuated": ["a"],
        "guess": {"a": 1.0, "b": -0.4, "c": 1.35},
    }
    robot = supple.build(words)
    q = robot.home()
    qd, _ = consistent(robot, q, np.random.default_rng(3))
    tau = np.zeros(robot.nv)
    tau[0] = 1.7
    qdd = supple.forward_dynamics(robot, q, qd, tau)
    found = supple.inverse_dynamics(robot, q, qd, qdd)
    np.testing.assert_allclose(found, tau, atol=1e-9)
    compiled = supple.compile(robot, "inverse_dynamics")(q, qd, qdd)
    np.testing.assert_allclose(compiled, tau, atol=1e-9)
    forces = cut_forces(robot, q, qd, qdd)
    np.testing.assert_allclose(forces, supple.multipliers(robot, q, qd, tau), atol=1e-8)
