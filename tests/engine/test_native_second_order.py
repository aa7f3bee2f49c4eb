"""Second-order robots as native code: straight, scanned, in batches, and their derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import supple
from studies.chains import flexible_chain


def chain(n: int, kinematics: str = "second_order") -> supple.Robot:
    return flexible_chain(n, modes=1).replace(elastic_kinematics=kinematics)


def state(robot: supple.Robot) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(7)
    q, qd, tau = rng.normal(size=(3, robot.nv))
    q[list(robot.mode_indices)] *= 0.05
    return q, qd, tau


@pytest.mark.parametrize("what", ["forward_dynamics", "inverse_dynamics", "kinetic_energy"])
def test_scans_equal_straight_code_and_the_recursion(what: str) -> None:
    robot = chain(5)
    x = state(robot)[: 2 if what == "kinetic_energy" else 3]
    plain = np.asarray(getattr(supple, what)(robot, *x))
    for unroll in (True, False):
        ours = supple.compile(robot, what, unroll=unroll)(*x)
        assert np.abs(ours - plain).max() < 1e-10 * np.abs(plain).max()


def test_derivatives_and_batches() -> None:
    robot = chain(2)
    q, qd, tau = state(robot)
    forward = supple.compile(robot, "forward_dynamics")
    J = forward.jacobian("q")(q, qd, tau)
    for k in range(robot.nq):
        e = 1e-6 * np.eye(robot.nq)[k]
        quotient = (forward(q + e, qd, tau) - forward(q - e, qd, tau)) / 2e-6
        assert np.abs(J[:, k] - quotient).max() < 1e-5 * np.abs(J).max()
    rows = forward.batch(np.tile(q, (9, 1)), np.tile(qd, (9, 1)), np.tile(tau, (9, 1)))
    assert np.abs(rows - forward(q, qd, tau)).max() < 1e-10 * np.abs(rows).max()


def test_canadarm_costs_little_more_than_first_order() -> None:
    """Operations of the forward dynamics; times: `python bench/run.py --only kinematics`."""
    robot = supple.load("canadarm-spatial")
    counts = {}
    for kinematics in ("first_order", "second_order"):
        same = robot.replace(elastic_kinematics=kinematics)
        counts[kinematics] = sum(supple.compile(same, "forward_dynamics").operations().values())
    assert counts["second_order"] <= 1.8 * counts["first_order"]
