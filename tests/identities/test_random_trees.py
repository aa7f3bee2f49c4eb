"""Identities that hold for every robot, on random trees of every joint and body kind."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import supple
from supple import recursion as rec
from supple.engine import Graph, evaluate, traced
from supple.screws.dual import Dual, dual_part, seed
from trees import TREES, states

pytestmark = pytest.mark.slow


def close(a: Any, b: Any, tolerance: float = 1e-9) -> None:
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    assert np.abs(a - b).max(initial=0.0) <= tolerance * (1.0 + np.abs(b).max(initial=0.0))


def condition(robot: supple.Robot, q: Any) -> float:
    return float(np.linalg.cond(rec.mass_matrix(robot, q))) if robot.nv else 1.0


@settings(max_examples=TREES)
@given(states())
def test_inverse_dynamics_undoes_forward_dynamics(case: Any) -> None:
    robot, q, qd, tau = case
    qdd = supple.forward_dynamics(robot, q, qd, tau)
    M = supple.mass_matrix(robot, q)
    back = supple.inverse_dynamics(robot, q, qd, qdd)
    assert np.abs(back - tau).max(initial=0.0) <= 1e-12 * (
        np.abs(M) @ np.abs(qdd) + np.abs(tau) + 1.0
    ).max(initial=0.0) * max(1.0, np.sqrt(condition(robot, q)))


@settings(max_examples=TREES)
@given(states())
def test_mass_matrix_is_what_inverse_dynamics_multiplies(case: Any) -> None:
    robot, q, qd, qdd = case
    M = supple.mass_matrix(robot, q)
    still = np.zeros(robot.nv)
    change = supple.inverse_dynamics(robot, q, qd, qdd) - supple.inverse_dynamics(
        robot, q, qd, still
    )
    close(change, M @ qdd, 1e-10)
    close(M, M.T, 0.0)
    assert robot.nv == 0 or np.linalg.eigvalsh(M)[0] > 0.0


@settings(max_examples=TREES)
@given(states())
def test_udu_factors_multiply_to_the_mass_matrix(case: Any) -> None:
    robot, q, _, _ = case
    M = supple.mass_matrix(robot, q)
    U, D = supple.udu_factors(robot, q)
    close(U @ np.diag(D) @ U.T, M, 1e-11)
    assert np.array_equal(np.tril(U, -1), np.zeros_like(U))
    inverse = supple.inverse_mass_matrix(robot, q)
    assert np.abs(inverse @ M - np.eye(robot.nv)).max(initial=0.0) < 1e-11 * condition(robot, q)


@settings(max_examples=TREES)
@given(states())
def test_kinetic_energy_is_half_v_M_v(case: Any) -> None:
    robot, q, qd, _ = case
    M = supple.mass_matrix(robot, q)
    close(supple.kinetic_energy(robot, q, qd), 0.5 * qd @ M @ qd, 1e-12)


@settings(max_examples=TREES)
@given(states())
def test_coriolis_forces_do_the_work_that_M_dot_asks(case: Any) -> None:
    """qd^T (M_dot - 2 C) qd = 0: what M_dot - 2 C skew says of the forces themselves."""
    robot, q, qd, _ = case
    rate = rec.configuration_rate(robot, q, qd)
    M_dot = dual_part(rec.mass_matrix(robot, seed(q, rate)))
    close(qd @ supple.coriolis_force(robot, q, qd), 0.5 * qd @ M_dot @ qd, 1e-9)


@settings(max_examples=TREES)
@given(states())
def test_gravity_and_elastic_forces_are_gradients(case: Any) -> None:
    robot, q, _, _ = case
    forces = supple.gravity_force(robot, q) + supple.elastic_force(robot, q)
    for k in range(robot.nv):
        direction = rec.configuration_rate(robot, q, np.eye(robot.nv)[k])
        slope = rec.potential_energy(robot, seed(q, direction))
        close(forces[k], slope.b if isinstance(slope, Dual) else 0.0, 1e-10)


@settings(max_examples=TREES)
@given(states())
def test_power_balance(case: Any) -> None:
    """d(T + V)/dt = tau . qd - damping and friction."""
    robot, q, qd, tau = case
    qdd = supple.forward_dynamics(robot, q, qd, tau)
    moving = seed(q, rec.configuration_rate(robot, q, qd))
    energy = rec.kinetic_energy(robot, moving, seed(qd, qdd)) + rec.potential_energy(robot, moving)
    lost = (supple.passive_force(robot, q, qd) - supple.elastic_force(robot, q)) @ qd
    power = tau @ qd - lost
    size = np.abs(supple.mass_matrix(robot, q) @ qdd) @ np.abs(qd) + abs(power) + 1.0
    assert abs((energy.b if isinstance(energy, Dual) else 0.0) - power) < 1e-9 * size


@settings(max_examples=TREES)
@given(states())
def test_jacobian_is_the_derivative_of_the_pose(case: Any) -> None:
    robot, q, qd, qdd = case
    where = robot.links[-1].name
    J = supple.jacobian(robot, q, where)
    moving = rec.station_pose(robot, seed(q, rec.configuration_rate(robot, q, qd)), where)
    R = supple.pose(robot, q, where).R
    spin = dual_part(moving.R) @ R.T
    close(J[:3] @ qd, [spin[2, 1], spin[0, 2], spin[1, 0]], 1e-10)
    close(J[3:] @ qd, dual_part(moving.p), 1e-10)
    close(supple.twist(robot, q, qd, where), J @ qd, 1e-10)
    J_dot = supple.jacobian_rate(robot, q, qd, where)
    close(supple.acceleration(robot, q, qd, qdd, where), J @ qdd + J_dot @ qd, 1e-9)


@settings(max_examples=TREES)
@given(states())
def test_external_wrench_does_virtual_work(case: Any) -> None:
    robot, q, qd, qdd = case
    where, wrench = robot.links[-1].name, np.array([1.0, -2.0, 3.0, 4.0, 5.0, -6.0])
    plain = supple.inverse_dynamics(robot, q, qd, qdd)
    pushed = supple.inverse_dynamics(robot, q, qd, qdd, external={where: wrench})
    close(plain - pushed, supple.jacobian(robot, q, where).T @ wrench, 1e-10)


@settings(max_examples=TREES)
@given(states())
def test_traced_graph_and_native_code_equal_the_recursion(case: Any) -> None:
    """The recursion runs on symbols as it stands: no in-place writes, no branch on values."""
    robot, q, qd, tau = case
    sizes = (robot.nq, robot.nv, robot.nv)
    plain = rec.forward_dynamics(robot, q, qd, tau)
    graph = Graph()
    x = [graph.vector(name, n) for name, n in zip(("q", "qd", "tau"), sizes, strict=True)]
    outputs = list(rec.forward_dynamics(robot, *x))
    values = evaluate(graph, outputs, np.concatenate([q, qd, tau]))
    scale = 1e-13 * max(1.0, condition(robot, q))
    close(values, plain, scale)
    native = traced(lambda *a: rec.forward_dynamics(robot, *a), sizes)
    close(native(q, qd, tau), plain, scale)


@settings(max_examples=TREES)
@given(states(joints=("revolute", "revolute_axis", "prismatic", "zyx", "fixed")))
def test_lagrange_gives_the_same_forces(case: Any) -> None:
    """d/dt (dT/dqd) - dT/dq from the energy alone, differentiated by dual numbers."""
    robot, q, qd, qdd = case
    M = rec.mass_matrix(robot, q)
    M_dot = dual_part(rec.mass_matrix(robot, seed(q, qd)))
    slopes = []
    for k in range(robot.nv):
        T = rec.kinetic_energy(robot, seed(q, np.eye(robot.nq)[k]), qd)
        slopes.append(T.b if isinstance(T, Dual) else 0.0)
    lagrange = M @ qdd + M_dot @ qd - np.array(slopes)
    plain = M @ qdd + supple.coriolis_force(robot, q, qd)
    close(plain, lagrange, 1e-9)
