"""Saha's section 3: legs eliminated, three matrices, equations in the motors' coordinates."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import supple
from loops.mechanisms import consistent, five_bar, four_bar, stewart, three_legs
from loops.minimum_order import minimum_order
from supple.loops.parallel import legs, parallel

ROBOTS = {"five_bar": five_bar, "three_legs": three_legs, "stewart": stewart}


def state(case: str) -> tuple[Any, ...]:
    robot, q = ROBOTS[case]()
    return (robot, q, *consistent(robot, q, np.random.default_rng(6)))


@pytest.mark.parametrize("case", ROBOTS)
def test_three_matrices_give_the_twists_of_the_tree(case: str) -> None:
    robot, q, qd, _ = state(case)
    assert np.abs(supple.closure(robot, q)).max() < 1e-12
    at = parallel(robot, q)
    motors = qd[list(at.motors)]
    twists = supple.twists(robot, q, qd)
    np.testing.assert_allclose(at.K @ motors, qd, atol=1e-9)
    found = np.asarray(at.N @ motors, dtype=float).reshape(-1, 6)
    np.testing.assert_allclose(found, twists[list(at.bodies)], atol=1e-9)
    np.testing.assert_allclose(at.J @ motors, twists[robot.index(at.platform)], atol=1e-9)
    np.testing.assert_allclose(supple.platform_jacobian(robot, q), at.J, atol=1e-12)
    compiled = supple.compile(robot, "platform_jacobian")
    np.testing.assert_allclose(compiled(q), at.J, atol=1e-11)


@pytest.mark.parametrize("case", ROBOTS)
def test_minimum_order_and_multipliers_agree(case: str) -> None:
    robot, q, qd, qdd = state(case)
    at = minimum_order(robot, q, qd)
    motors = list(at.matrices.motors)
    tau = supple.inverse_dynamics(robot, q, qd, qdd)
    size = 1.0 + np.abs(tau).max()
    assert np.abs(at.I @ qdd[motors] + at.h - tau[motors]).max() < 1e-9 * size
    given = np.zeros(robot.nv)
    given[motors] = np.random.default_rng(1).normal(size=len(motors))
    answer = np.linalg.solve(at.I, given[motors] - at.h)
    found = supple.forward_dynamics(robot, q, qd, given)[motors]
    assert np.abs(answer - found).max() < 1e-9 * (1.0 + np.abs(found).max())


def test_external_wrenches_enter_the_minimum_order() -> None:
    robot, q, qd, qdd = state("three_legs")
    loads = {"plate": np.array([1.0, 2, 3, 4, 5, 6])}
    at = minimum_order(robot, q, qd, loads)
    tau = supple.inverse_dynamics(robot, q, qd, qdd, loads)[list(at.matrices.motors)]
    np.testing.assert_allclose(at.I @ qdd[list(at.matrices.motors)] + at.h, tau, atol=1e-9)


def test_the_five_bars_jacobian_is_the_references(reference: Any) -> None:
    """v_P of both motors: the platform is a2, P its tip."""
    robot, _ = five_bar()
    (at,) = reference("saha_fivebar")["cases"][0]["dynamics_states"]
    first, second = at["theta1"], at["phi_abs"]
    q = np.array([first[0], second[0] - first[0], first[1], second[1] - first[1]])
    found = minimum_order(robot, q, np.zeros(4))
    np.testing.assert_allclose(found.I, at["GIM_2x2"], atol=1e-9)
    np.testing.assert_allclose(found.h, at["gravity_vector"], atol=1e-9)
    J = found.matrices.J
    r = supple.pose(robot, q, "a2").p - supple.recursion.link_poses(robot, q)[1].p
    v_P = J[3:] + np.cross(J[:3].T, r).T
    np.testing.assert_allclose(v_P[:2].astype(float), at["jacobian_P"], atol=1e-9)


def test_what_is_no_parallel_robot_is_told_why(reference: Any) -> None:
    robot, q = five_bar()
    with pytest.raises(supple.InputError, match="has 1 motors for 2 degrees of freedom"):
        parallel(replace(robot, actuated=("a1_joint",)), q)
    bending, _ = four_bar(True)
    with pytest.raises(supple.InputError, match="bends"):
        legs(bending)
    at = reference("saha_fivebar")["cases"][0]["free_fall_eq36"]["singularity"]
    first, second = at["theta1"], at["phi_abs"]  # distal links on one line
    q = np.array([first[0], second[0] - first[0], first[1], second[1] - first[1]])
    with pytest.raises(supple.InputError, match="platform a2 may still move"):
        minimum_order(robot, q, np.zeros(4))
