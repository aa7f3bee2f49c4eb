"""Multipliers, minimum order and subsystems are one answer: on every shipped closed chain and on
random closed trees, rigid and bending, fixed and floating."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
from scipy.linalg import qr

import supple
from agree import assert_near
from loops.mechanisms import consistent, random_closed
from loops.minimum_order import minimum_order
from shipped_robots import CLOSED
from supple.loops.mobility import scaled_jacobian
from supple.loops.reduced import reduced
from supple.loops.rows import kept_rows
from supple.loops.subsystems import subsystem_forces
from supple.tracer import quickly

near = partial(assert_near, tolerance=1e-9, least=1.0)
BODIES = ("rigid", "beam_y", "beam_yz", "tool")


def state(name: str) -> tuple[Any, ...]:
    robot = supple.load(name)
    q = robot.home()
    return (robot, q, *consistent(robot, q, np.random.default_rng(7)))


@pytest.mark.parametrize("name", CLOSED)
def test_shipped_closed_chains_move_alike_in_all_forms(name: str) -> None:
    robot, q, qd, qdd = state(name)
    tau = np.random.default_rng(1).normal(size=robot.nv)
    found = supple.forward_dynamics(robot, q, qd, tau)
    near(reduced(robot, q, qd).accelerations(tau), found)
    with quickly():
        near(supple.compile(robot, "forward_dynamics")(q, qd, tau), found)
    forces = subsystem_forces(robot, q, qd, qdd)
    near(supple.inverse_dynamics(robot, q, qd, qdd), forces.tau)
    near(supple.forward_dynamics(robot, q, qd, forces.tau), qdd)


@pytest.mark.parametrize("name", ["five-bar", "stewart", "three-rrr"])
def test_shipped_parallel_robots_have_the_papers_equations(name: str) -> None:
    robot, q, qd, qdd = state(name)
    at = minimum_order(robot, q, qd)
    motors = list(at.matrices.motors)
    tau = supple.inverse_dynamics(robot, q, qd, qdd)
    near(at.I @ qdd[motors] + at.h, tau[motors])
    general = reduced(robot, q, qd, independent=tuple(motors))
    near(general.I, at.I)
    near(general.h, at.h)
    near(general.K, at.matrices.K)


@pytest.mark.parametrize("index", range(60))
def test_random_closed_trees_move_alike_without_multipliers(index: int) -> None:
    case = random_closed(index, BODIES)
    if case is None:
        return
    robot, q, qd, _ = case
    tau = np.random.default_rng(index).normal(size=robot.nv)
    found = supple.forward_dynamics(robot, q, qd, tau)
    near(reduced(robot, q, qd).accelerations(tau), found)


def with_motors(robot: supple.Robot, q: Any) -> supple.Robot | None:
    """The chain with motors at joints that move it, and only as many; None where there are none."""
    rows, joints = list(kept_rows(robot)), robot.joint_indices
    J = scaled_jacobian(robot, q)[rows][:, joints]
    _, R, order = qr(J, mode="economic", pivoting=True)
    if not np.abs(np.diag(R)).min(initial=1.0) > 1e-6 or len(joints) < len(rows):
        return None
    led = {joints[k] for k in order[: len(rows)]}
    free = [x for x in robot.links if x.joint.nv and not led & set(range(x.u.start, x.u.stop))]
    made = replace(robot, actuated=tuple(link.joint_name for link in free))
    return made if len(joints) - len(made.motor_indices) == len(rows) else None


WITH_MOTORS = (
    *(12, 22, 29, 31, 37, 38, 39, 43, 47, 53, 75, 80, 90, 91, 92, 102, 110, 116, 117, 125),
    *(150, 152, 157, 158, 162, 168, 170, 174, 180, 186, 190, 192, 197, 204, 208, 214, 216, 220),
    *(223, 237, 253, 276, 280, 295, 327, 331, 334, 342, 343, 347),
)
"""The first fifty random trees with joints whose motors decide the motion; others have none."""


@pytest.mark.parametrize("index", WITH_MOTORS)
def test_fifty_random_closed_trees_need_the_same_forces_by_subsystems(index: int) -> None:
    tree, q, qd, qdd = random_closed(index, BODIES)
    robot = with_motors(tree, q)
    assert robot is not None
    forces = subsystem_forces(robot, q, qd, qdd)
    near(supple.inverse_dynamics(robot, q, qd, qdd), forces.tau)


def test_there_are_fifty_of_them() -> None:
    assert len(set(WITH_MOTORS)) == 50
