"""Multipliers, minimum order and subsystems are one answer: on every shipped closed chain and on
random closed trees, rigid and bending, fixed and floating."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import supple
from loops.mechanisms import consistent, random_closed
from supple.loops.parallel import minimum_order
from supple.loops.reduced import reduced
from supple.loops.subsystems import subsystem_forces

SHIPPED = [name for name in supple.shipped() if supple.load(name).loops]
BODIES = ("rigid", "beam_y", "beam_yz", "tool")


def near(a: Any, b: Any, most: float = 1e-9) -> bool:
    return bool(np.abs(a - b).max(initial=0.0) <= most * (1.0 + np.abs(b).max(initial=0.0)))


def state(name: str) -> tuple[Any, ...]:
    robot = supple.load(name)
    q = robot.home()
    return (robot, q, *consistent(robot, q, np.random.default_rng(7)))


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_closed_chains_move_alike_in_all_forms(name: str) -> None:
    robot, q, qd, qdd = state(name)
    tau = np.random.default_rng(1).normal(size=robot.nv)
    found = supple.forward_dynamics(robot, q, qd, tau)
    assert near(reduced(robot, q, qd).accelerations(tau), found)
    assert near(supple.compile(robot, "forward_dynamics")(q, qd, tau), found)
    forces = subsystem_forces(robot, q, qd, qdd)
    assert near(supple.inverse_dynamics(robot, q, qd, qdd), forces.tau)
    assert near(supple.forward_dynamics(robot, q, qd, forces.tau), qdd)


@pytest.mark.parametrize("name", ["five-bar", "stewart", "three-rrr"])
def test_shipped_parallel_robots_have_the_papers_equations(name: str) -> None:
    robot, q, qd, qdd = state(name)
    at = minimum_order(robot, q, qd)
    motors = list(at.matrices.motors)
    tau = supple.inverse_dynamics(robot, q, qd, qdd)
    assert near(at.I @ qdd[motors] + at.h, tau[motors])
    general = reduced(robot, q, qd, independent=tuple(motors))
    assert near(general.I, at.I)
    assert near(general.h, at.h)
    assert near(general.K, at.matrices.K)


@pytest.mark.parametrize("index", range(60))
def test_random_closed_trees_move_alike_without_multipliers(index: int) -> None:
    case = random_closed(index, BODIES)
    if case is None:
        return
    robot, q, qd, _ = case
    tau = np.random.default_rng(index).normal(size=robot.nv)
    found = supple.forward_dynamics(robot, q, qd, tau)
    assert near(reduced(robot, q, qd).accelerations(tau), found)
