"""Identities that hold for every robot, on random trees of every joint and body kind."""

from __future__ import annotations

from functools import cache, cached_property, partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import supple
from agree import assert_near
from expansion import along, stepped
from supple import recursion as rec
from supple.screws.dual import Dual, dual_part, seed
from supple.tracer import StraightLine, evaluate, traced_arrays
from trees import PLAIN, TREES, native_code, numbered_state, states, usually_or_quickly

pytestmark = pytest.mark.slow
near = partial(assert_near, least=1.0)


def gradient(f: Any, x: Any, ways: Any) -> Any:
    """df(x) along each of the ways, all in one run: the dual part of each x_i is a vector."""
    slope = f(seed(x, np.transpose(ways))) if len(ways) else 0.0
    return slope.b + np.zeros(len(ways)) if isinstance(slope, Dual) else np.zeros(len(ways))


class Case:
    """A random robot in a random state, and what several tests ask of it, computed once."""

    def __init__(self, robot: supple.Robot, q: Any, qd: Any, qdd: Any) -> None:
        self.robot, self.q, self.qd, self.qdd = robot, q, qd, qdd
        self.where = robot.links[-1].name

    @cached_property
    def M(self) -> Any:
        return supple.mass_matrix(self.robot, self.q)

    @cached_property
    def condition(self) -> float:
        return float(np.linalg.cond(self.M)) if self.robot.nv else 1.0

    @cached_property
    def forces(self) -> Any:
        """That give qdd."""
        return supple.inverse_dynamics(self.robot, self.q, self.qd, self.qdd)

    @cached_property
    def driven(self) -> Any:
        """Accelerations under forces, for which the numbers of qdd stand."""
        return supple.forward_dynamics(self.robot, self.q, self.qd, self.qdd)

    @cached_property
    def J(self) -> Any:
        return supple.jacobian(self.robot, self.q, self.where)


@cache
def numbered(index: int) -> Case:
    return Case(*numbered_state(index))


cases = st.integers(0, TREES - 1).map(numbered)  # every tree once


@settings(max_examples=TREES)
@given(cases)
def test_inverse_dynamics_undoes_forward_dynamics(case: Case) -> None:
    robot, q, qd, tau, qdd = case.robot, case.q, case.qd, case.qdd, case.driven
    back = supple.inverse_dynamics(robot, q, qd, qdd)
    assert np.abs(back - tau).max(initial=0.0) <= 1e-12 * (
        np.abs(case.M) @ np.abs(qdd) + np.abs(tau) + 1.0
    ).max(initial=0.0) * max(1.0, np.sqrt(case.condition))


@settings(max_examples=TREES)
@given(cases)
def test_mass_matrix_is_what_inverse_dynamics_multiplies(case: Case) -> None:
    robot, M = case.robot, case.M
    still = supple.inverse_dynamics(robot, case.q, case.qd, np.zeros(robot.nv))
    near(case.forces - still, M @ case.qdd, 1e-10)
    near(M, M.T, 0.0)
    assert robot.nv == 0 or np.linalg.eigvalsh(M)[0] > 0.0


@settings(max_examples=TREES)
@given(cases)
def test_udu_factors_multiply_to_the_mass_matrix(case: Case) -> None:
    robot, q, M = case.robot, case.q, case.M
    U, D = supple.udu_factors(robot, q)
    near(U @ np.diag(D) @ U.T, M, 1e-11)
    assert np.array_equal(np.tril(U, -1), np.zeros_like(U))
    inverse = supple.inverse_mass_matrix(robot, q)
    assert np.abs(inverse @ M - np.eye(robot.nv)).max(initial=0.0) < 1e-11 * case.condition


@settings(max_examples=TREES)
@given(cases)
def test_kinetic_energy_is_half_v_M_v(case: Case) -> None:
    T = supple.kinetic_energy(case.robot, case.q, case.qd)
    near(T, 0.5 * case.qd @ case.M @ case.qd, 1e-12)


@settings(max_examples=TREES)
@given(cases)
def test_coriolis_forces_do_the_work_that_M_dot_asks(case: Case) -> None:
    """qd^T (M_dot - 2 C) qd = 0: what M_dot - 2 C skew says of the forces themselves."""
    robot, q, qd = case.robot, case.q, case.qd
    rate = rec.configuration_rate(robot, q, qd)
    M_dot = dual_part(rec.mass_matrix(robot, seed(q, rate)))
    near(qd @ supple.coriolis_force(robot, q, qd), 0.5 * qd @ M_dot @ qd, 1e-9)


@settings(max_examples=TREES)
@given(cases)
def test_gravity_and_elastic_forces_are_gradients(case: Case) -> None:
    robot, q = case.robot, case.q
    forces = supple.gravity_force(robot, q) + supple.elastic_force(robot, q)
    ways = [rec.configuration_rate(robot, q, unit) for unit in np.eye(robot.nv)]
    slope = gradient(lambda x: rec.potential_energy(robot, x), q, ways)
    assert np.all(np.abs(forces - slope) <= 1e-10 * (1.0 + np.abs(slope)))


@settings(max_examples=TREES)
@given(cases)
def test_power_balance(case: Case) -> None:
    """d(T + V)/dt = tau . qd - damping and friction."""
    robot, q, qd, tau, qdd = case.robot, case.q, case.qd, case.qdd, case.driven
    moving = seed(q, rec.configuration_rate(robot, q, qd))
    energy = rec.kinetic_energy(robot, moving, seed(qd, qdd)) + rec.potential_energy(robot, moving)
    lost = (supple.passive_force(robot, q, qd) - supple.elastic_force(robot, q)) @ qd
    power = tau @ qd - lost
    size = np.abs(case.M @ qdd) @ np.abs(qd) + abs(power) + 1.0
    assert abs((energy.b if isinstance(energy, Dual) else 0.0) - power) < 1e-9 * size


@settings(max_examples=TREES)
@given(cases)
def test_jacobian_is_the_derivative_of_the_pose(case: Case) -> None:
    robot, q, qd, qdd, where, J = case.robot, case.q, case.qd, case.qdd, case.where, case.J
    moving = rec.station_pose(robot, seed(q, rec.configuration_rate(robot, q, qd)), where)
    R = supple.pose(robot, q, where).R
    spin = dual_part(moving.R) @ R.T
    near(J[:3] @ qd, [spin[2, 1], spin[0, 2], spin[1, 0]], 1e-10)
    near(J[3:] @ qd, dual_part(moving.p), 1e-10)
    near(supple.twist(robot, q, qd, where), J @ qd, 1e-10)
    J_dot = supple.jacobian_rate(robot, q, qd, where)
    near(supple.acceleration(robot, q, qd, qdd, where), J @ qdd + J_dot @ qd, 1e-9)


@settings(max_examples=TREES)
@given(cases)
def test_external_wrench_does_virtual_work(case: Case) -> None:
    wrench = np.array([1.0, -2.0, 3.0, 4.0, 5.0, -6.0])
    external = {case.where: wrench}
    pushed = supple.inverse_dynamics(case.robot, case.q, case.qd, case.qdd, external=external)
    near(case.forces - pushed, case.J.T @ wrench, 1e-10)


@settings(max_examples=TREES)
@given(cases)
def test_traced_graph_and_native_code_equal_the_recursion(case: Case) -> None:
    """The recursion runs on symbols as it stands: no in-place writes, no branch on values."""
    robot, given = case.robot, (case.q, case.qd, case.qdd)
    sizes = {"q": robot.nq, "qd": robot.nv, "tau": robot.nv}
    whole = traced_arrays(lambda *x: rec.forward_dynamics(robot, *x), sizes, ("qdd",))
    values = evaluate(whole.graph, whole.flat, np.concatenate(given))
    scale = 1e-13 * max(1.0, case.condition)
    near(values, case.driven, scale)
    with usually_or_quickly(robot):
        native = native_code(StraightLine(lambda: whole))
    near(native(*given), case.driven, scale)


@settings(max_examples=TREES)
@given(states(joints=PLAIN))
def test_lagrange_gives_the_same_forces(case: Any) -> None:
    """d/dt (dT/dqd) - dT/dq from the energy alone, differentiated by complex steps and dual
    numbers."""
    robot, q, qd, qdd = case
    M = rec.mass_matrix(robot, q)
    M_dot = along(rec.mass_matrix(robot, stepped(q, qd)))
    slope = gradient(lambda x: rec.kinetic_energy(robot, x, qd), q, np.eye(robot.nq))
    lagrange = M @ qdd + M_dot @ qd - slope
    plain = M @ qdd + supple.coriolis_force(robot, q, qd)
    near(plain, lagrange, 1e-9)
