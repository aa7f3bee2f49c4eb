"""Joints tied to others: in the model file, in every way that closed chains have."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import supple
from agree import assert_near
from supple.errors import ModelError


def gripper(**mimic: Any) -> dict[str, Any]:
    finger = {"rigid": {"mass": 0.4, "com": [0.1, 0, 0], "inertia": [0.002, 0.003, 0.004]}}
    return {
        "links": {"palm": {"rigid": {"mass": 1, "inertia": 0.01}}, "a": finger, "b": finger},
        "joints": [
            {"name": "wrist", "type": "revolute", "child": "palm", "axis": [0, 1, 0]},
            {"name": "first", "type": "revolute", "parent": "palm", "child": "a"},
            {
                **{"name": "second", "type": "revolute", "parent": "palm", "child": "b"},
                "mimic": {"joint": "first", "ratio": -2.0, "offset": 0.3} | mimic,
            },
        ],
    }


ROBOT = supple.build(gripper())
K = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, -2.0]])


def state(seed: int = 0) -> tuple[Any, Any, Any]:
    u, ud, tau = np.random.default_rng(seed).normal(size=(3, 2))
    return K @ u + [0, 0, 0.3], K @ ud, np.append(tau, 0.0)


def test_home_is_where_the_tie_holds() -> None:
    assert_near(ROBOT.home(), [0, 0, 0.3], 1e-12)
    assert ROBOT.actuated == ("wrist", "first")
    assert supple.mobility(ROBOT, ROBOT.home()).degrees_of_freedom == 2


def test_the_motion_is_that_of_the_reduced_equations() -> None:
    q, qd, tau = state()
    M, h = supple.mass_matrix(ROBOT, q), supple.bias_force(ROBOT, q, qd)
    want = K @ np.linalg.solve(K.T @ M @ K, K.T @ (tau - h))
    assert_near(supple.forward_dynamics(ROBOT, q, qd, tau), want, 1e-11)
    assert_near(supple.compile(ROBOT, "forward_dynamics")(q, qd, tau), want, 1e-11)
    assert_near(supple.inverse_dynamics(ROBOT, q, qd, want), tau, 1e-11)


def test_whole_turns_are_not_taken_away_from_tied_joints() -> None:
    q = supple.assemble(ROBOT, {"first": 7.0}, held=["first"])[0]
    assert_near(q[2], -13.7, 1e-9)


def test_a_run_stays_tied_and_keeps_its_energy() -> None:
    run = supple.simulate(ROBOT, duration=0.2, samples=4, method="rk4", step=1e-3)
    assert_near(run["second"], -2.0 * run["first"] + 0.3, 1e-9)
    assert run.energy_error < 1e-6


def test_equations_in_symbols_have_the_tie() -> None:
    q, qd, _ = state(1)
    eq = supple.equations(ROBOT)
    assert_near(eq.at(q, qd)["J"], [[0.0, 2.0, 1.0]], 1e-12)


def test_nothing_but_its_joint_feels_a_tie() -> None:
    q, qd, tau = state(2)
    qdd = supple.forward_dynamics(ROBOT, q, qd, tau)
    wrench = supple.joint_wrenches(ROBOT, q, qd, qdd)
    force = supple.multipliers(ROBOT, q, qd, tau)[0]
    axis = supple.pose(ROBOT, q, "b").R[:, 2]
    assert_near(wrench[2, :3] @ axis, force, 1e-9)
    assert_near(supple.cut_wrenches(ROBOT, q, qd, qdd)[0, :3], force * axis, 1e-9)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ({"joint": "frist"}, "no joint 'frist' to mimic"),
        ({"joint": "second"}, "the joint mimics itself"),
        ({"ratio": "fast"}, "input should be a number"),
    ],
)
def test_wrong_ties_are_told(words: dict[str, Any], told: str) -> None:
    with pytest.raises(ModelError, match=told):
        supple.build(gripper(**words))


def test_ties_in_a_ring_are_refused() -> None:
    words = gripper()
    words["joints"][1]["mimic"] = {"joint": "second"}
    with pytest.raises(ModelError, match="mimics joints that mimic it"):
        supple.build(words)
