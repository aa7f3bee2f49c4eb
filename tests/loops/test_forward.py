"""Forward dynamics of closed chains against Lagrange with multipliers, in every scalar."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from scipy.linalg import null_space

import supple
from agree import assert_near
from loops.mechanisms import consistent, five_bar, four_bar, moved, random_closed
from supple import recursion
from supple.engine import traced
from supple.loops import closure_jacobian, closure_residual, dynamics
from supple.loops.closure import closure
from supple.screws.dual import dual_part, seed
from supple.tracer import quickly

CASES = {
    "five_bar": five_bar,
    "four_bar": four_bar,
    "bending": lambda: four_bar(True),
    "first_order": lambda: four_bar(True, "first_order"),
    "linearized": lambda: four_bar(True, "linearized"),
}
near = partial(assert_near, least=1.0)
BODIES = ("rigid", "beam_y", "beam_yz", "tool")


def difference_jacobian(robot: Any, q: Any, h: float = 1e-5) -> Any:
    """J by difference quotients of the residual alone, of fourth order."""
    columns = []
    for k in range(robot.nv):
        e = np.eye(robot.nv)[k]
        r = [closure_residual(robot, moved(robot, q, s * h * e)) for s in (-2, -1, 1, 2)]
        columns.append((r[0] - 8 * r[1] + 8 * r[2] - r[3]) / (12 * h))
    return np.array(columns).T


def rate_of_jacobian(robot: Any, q: Any, qd: Any) -> Any:
    """dJ/dt on dual numbers, not by the closure's accelerations."""
    return dual_part(closure_jacobian(robot, seed(q, recursion.configuration_rate(robot, q, qd))))


def with_multipliers(robot: Any, q: Any, qd: Any, tau: Any, J: Any) -> tuple[Any, Any]:
    """M qdd + h = tau + J^T lambda, J qdd + gamma = 0: qdd on the null space Z of J, then the
    smallest lambda."""
    M, h = recursion.mass_matrix(robot, q), recursion.bias_force(robot, q, qd)
    gamma = rate_of_jacobian(robot, q, qd) @ qd
    Z, inverse = null_space(J, rcond=1e-9), np.linalg.pinv(J, rcond=1e-9)
    first = -inverse @ gamma
    qdd = first + Z @ np.linalg.solve(Z.T @ M @ Z, Z.T @ (tau - h - M @ first))
    return qdd, inverse.T @ (M @ qdd + h - tau)


def state(case: str) -> tuple[Any, ...]:
    robot, q = CASES[case]()
    rng = np.random.default_rng(1)
    qd, qdd = consistent(robot, q, rng)
    return robot, q, qd, qdd, rng.normal(size=robot.nv)


@pytest.mark.parametrize("case", [case for case in CASES if case != "linearized"])
def test_jacobian_and_acceleration_are_those_of_the_residual(case: str) -> None:
    robot, q, qd, qdd, _ = state(case)
    J, h = closure_jacobian(robot, q), 1e-4
    near(J, difference_jacobian(robot, q), 1e-8)
    rates = [closure(robot, moved(robot, q, s * qd), qd + s * qdd, qdd).rate for s in (-h, h)]
    near(closure(robot, q, qd, qdd).acceleration, (rates[1] - rates[0]) / (2 * h), 1e-5)


@pytest.mark.parametrize("case", [case for case in CASES if case != "linearized"])
def test_motion_is_that_of_lagrange_with_multipliers(case: str) -> None:
    robot, q, qd, _, tau = state(case)
    qdd, forces = with_multipliers(robot, q, qd, tau, closure_jacobian(robot, q))
    near(supple.forward_dynamics(robot, q, qd, tau), qdd, 1e-10)
    near(supple.multipliers(robot, q, qd, tau), forces, 1e-9)


def test_linearised_motion_solves_the_linearised_equations() -> None:
    robot, q, qd, _, tau = state("linearized")
    qdd, forces = (
        getattr(supple, f)(robot, q, qd, tau) for f in ("forward_dynamics", "multipliers")
    )
    left = recursion.inverse_dynamics(robot, q, qd, qdd) - tau
    near(left, forces @ closure_jacobian(robot, q), 1e-10)
    drift = closure(robot, q, qd, qdd).acceleration
    near(drift, 0.0 * drift, 1e-10)


@pytest.mark.parametrize("index", range(60))
def test_random_closed_trees_move_as_lagrange_says(index: int) -> None:
    case = random_closed(index, BODIES)
    if case is None:
        return
    robot, q, qd, _ = case
    tau = np.random.default_rng(index).normal(size=robot.nv)
    J = closure_jacobian(robot, q)
    qdd, forces = with_multipliers(robot, q, qd, tau, J)
    found = supple.multipliers(robot, q, qd, tau)
    near(supple.forward_dynamics(robot, q, qd, tau), qdd, 1e-9)
    near(found, forces, 1e-8)
    assert abs(found @ (J @ qd)) < 1e-10 * (1.0 + np.abs(forces).max())  # no power at the cuts


def test_most_random_closed_trees_can_move() -> None:
    cases = [random_closed(index, BODIES) for index in range(60)]
    able = [case for case in cases if case is not None]
    assert len(able) >= 50
    assert any(robot.links[0].joint.kind == "floating" for robot, *_ in able)
    assert sum(robot.modes > 0 for robot, *_ in able) > 20


@pytest.mark.parametrize("case", CASES)
def test_compiled_is_the_recursion(case: str) -> None:
    robot, q, qd, qdd, tau = state(case)
    given = {"forward_dynamics": (q, qd, tau), "inverse_dynamics": (q, qd, qdd)}
    given |= {"multipliers": (q, qd, tau), "closure": (q,), "closure_jacobian": (q,)}
    for what, arguments in given.items():
        compiled = supple.compile(robot, what)
        plain = getattr(supple, what)(robot, *arguments)
        near(compiled(*arguments), plain, 1e-11)
    batch = supple.compile(robot, "forward_dynamics").batch(
        *(np.array([x, x]) for x in (q, qd, tau))
    )
    near(batch[1], supple.forward_dynamics(robot, q, qd, tau), 1e-11)


@pytest.mark.parametrize("case", CASES)
def test_derivatives_go_through_the_constraints(case: str) -> None:
    robot, q, qd, _, tau = state(case)
    with quickly():
        jacobian = supple.compile(robot, "forward_dynamics").jacobian("q", "qd", "tau")(q, qd, tau)
    x, h, columns = np.concatenate([q, qd, tau]), 1e-5, []
    for k in range(len(x)):
        e = h * np.eye(len(x))[k]
        ends = [np.split(x + s * e, [robot.nq, robot.nq + robot.nv]) for s in (-1, 1)]
        low, high = (dynamics.forward_dynamics(robot, *end) for end in ends)
        columns.append((high - low) / (2 * h))
    near(jacobian, np.array(columns).T, 1e-6)


def test_dual_numbers_go_through_the_constraints() -> None:
    robot, q, qd, _, tau = state("bending")
    way = np.random.default_rng(5).normal(size=robot.nq)
    dual = dual_part(dynamics.forward_dynamics(robot, seed(q, way), qd, tau))
    slope = supple.compile(robot, "forward_dynamics").jacobian("q")(q, qd, tau) @ way
    near(dual, slope, 1e-9)


def test_rows_that_follow_from_others_are_left_out_once() -> None:
    robot, _ = five_bar()
    assert robot.loops[0].kept == (2, 3)  # of a revolute cut: slides in the plane alone


def test_held_joints_move_as_told_and_their_forces_are_found() -> None:
    robot, q, qd, qdd, tau = state("bending")
    held = frozenset({0})
    found, forces = dynamics.hybrid_dynamics(robot, q, qd, tau, qdd, held)
    assert found[0] == qdd[0]
    drift = closure(robot, q, qd, found).acceleration
    near(drift, 0.0 * drift, 1e-10)
    near(dynamics.forward_dynamics(robot, q, qd, forces), found, 1e-9)
    near(forces[1:], tau[1:], 0.0)


def test_the_state_of_a_simulation_keeps_the_loops() -> None:
    from supple.simulation.simulated_robot import state_kernel

    robot, q, qd, _, tau = state("five_bar")
    y = np.concatenate([q, qd, [0.0, 0.0]])
    rate = state_kernel(robot)(y, tau)
    near(rate[robot.nq : -2], supple.forward_dynamics(robot, q, qd, tau), 1e-11)


def test_a_traced_function_of_a_closed_chain_needs_no_numbers() -> None:
    robot, q, qd, _, tau = state("four_bar")
    kernel = traced(lambda *x: dynamics.forward_dynamics(robot, *x), (robot.nq, 3, 3))
    near(kernel(q, qd, tau), supple.forward_dynamics(robot, q, qd, tau), 1e-11)


def test_lengths_of_a_closed_chain_may_be_arguments() -> None:
    robot, name = supple.load("five-bar"), "distal1.beam.length"
    f = supple.compile(robot, "forward_dynamics", parameters=[name])
    other = robot.with_parameters({name: 1.15})
    q, h = other.home(), 1e-6
    qd, tau = consistent(other, q, np.random.default_rng(0))[0], np.ones(robot.nv)
    near(f(q, qd, tau, [1.15]), supple.forward_dynamics(other, q, qd, tau), 1e-11)
    ends = (robot.with_parameters({name: 1.15 + s * h}) for s in (-1, 1))
    low, high = (dynamics.forward_dynamics(end, q, qd, tau) for end in ends)
    slope = f.jacobian("parameters")(q, qd, tau, [1.15])[:, 0]
    near(slope, (high - low) / (2 * h), 1e-7)


def test_closed_chains_are_written_in_symbols() -> None:
    robot, q, qd, _, tau = state("four_bar")
    written = supple.compile(robot, "forward_dynamics").to_sympy()["qdd"]
    given = {"q": q, "qd": qd, "tau": tau}
    values = {f"{name}{k}": x for name, part in given.items() for k, x in enumerate(part)}
    found = np.array(written.subs(values).tolist(), dtype=float)
    near(found, supple.forward_dynamics(robot, q, qd, tau), 1e-9)
