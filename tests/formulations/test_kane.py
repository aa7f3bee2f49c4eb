"""Kane's equations with dual screws against the nonlinear recursion, expanded by complex steps."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import supple
from agree import assert_near
from expansion import along, expanded, split, stepped
from supple import recursion as rec
from supple.engine import traced
from supple.formulations import at_station, kane, projections, station_rate
from supple.screws import cross
from trees import BODIES, JOINTS, PLAIN, THIRD, TREES, random_state, states, tree

pytestmark = pytest.mark.slow

SOME = len(THIRD)
near = partial(assert_near, least=1.0)


def taylor(robot: supple.Robot, q: Any, u: Any) -> tuple[Any, Any, Any]:
    """M, C u and gravity of the nonlinear equations to first order in (d, d_dot)."""
    return taylor_at(robot, tuple(q), tuple(u))


@cache  # several tests ask for the same
def taylor_at(robot: supple.Robot, q: Any, u: Any) -> tuple[Any, Any, Any]:
    at, speed = split(robot, np.array(q), "d"), split(robot, np.array(u), "e")
    M = expanded(lambda x: rec.mass_matrix(robot, x), at)
    Cu = expanded(lambda x, v: rec.coriolis_force(robot, x, v), at, speed)
    return M, Cu, expanded(lambda x: rec.gravity_force(robot, x), at)


def kanes(robot: supple.Robot, q: Any, u: Any, order: kane.Order) -> kane.KaneEquations:
    return kanes_at(robot, tuple(q), tuple(u), order.columns)


@cache  # several tests ask for the same
def kanes_at(robot: supple.Robot, q: Any, u: Any, columns: Any) -> kane.KaneEquations:
    return kane.equations(robot, np.array(q), np.array(u), kane.Order(columns))


@settings(max_examples=SOME)
@given(states(joints=PLAIN, numbers=THIRD))
def test_dual_screws_are_the_taylor_expansion_of_the_nonlinear_equations(case: Any) -> None:
    """With the true angular velocity of exp theta~ in the elastic columns, every term."""
    robot, q, u, _ = case
    M, Cu, gravity = taylor(robot, q, u)
    eq = kanes(robot, q, u, kane.TAYLOR)
    near(eq.M, M)
    near(eq.C @ u, Cu)
    near(kane.coriolis_force(robot, q, u, kane.TAYLOR), Cu)
    near(eq.gravity, gravity)


@settings(max_examples=SOME)
@given(states(joints=PLAIN, numbers=THIRD))
def test_the_papers_columns_agree_wherever_no_node_turns_about_two_axes(case: Any) -> None:
    """Joint rows of C u and gravity and the joint block of M always; the rest where
    theta x Theta_k vanishes at every node that carries something."""
    robot, q, u, _ = case
    M, Cu, gravity = taylor(robot, q, u)
    eq = kanes(robot, q, u, kane.PAPER)
    joints = list(robot.joint_indices)
    near(eq.M[np.ix_(joints, joints)], M[np.ix_(joints, joints)])
    near((eq.C @ u)[joints], Cu[joints])
    near(eq.gravity[joints], gravity[joints])
    near(eq.M, eq.M.T)
    mounts = [link.mount.turn_axes for link in robot.links]
    if all(len(axes) <= 1 for axes in mounts):
        near(eq.M, M)
        near(eq.C @ u, Cu)
        near(eq.gravity, gravity)


@settings(max_examples=SOME)
@given(states(joints=PLAIN, numbers=THIRD))
def test_what_the_papers_columns_leave_out_is_half_theta_cross_Theta(case: Any) -> None:
    """The difference, term by term: what the wrench carried by a node would do on
    1/2 theta x Theta_k, with the wrench of the rigid robot."""
    robot, q, u, _ = case
    paper, full = (kanes(robot, q, u, o) for o in (kane.PAPER, kane.TAYLOR))
    still, zero, g = np.zeros(robot.nv), np.zeros(3), robot.gravity
    near(full.gravity - paper.gravity, left_out(robot, q, still, still, g), 1e-9)
    near((full.C - paper.C) @ u, left_out(robot, q, u, still, zero), 1e-9)
    columns = [left_out(robot, q, still, unit, zero) for unit in np.eye(robot.nv)]
    A = np.array(columns).reshape(robot.nv, robot.nv)
    near(full.M - paper.M, A + A.T, 1e-9)


def left_out(robot: supple.Robot, q: Any, u: Any, u_dot: Any, g: Any) -> Any:
    """By the recursion on the undeformed robot: the moment that link i asks of the node it
    hangs on, in parent axes, works on 1/2 theta x Theta_k."""
    q0, u0 = split(robot, q, "d")[0], split(robot, u, "e")[0]
    ways, _, loads = rec.inverse.net_loads(robot, q0, u0, u_dot, g, {})
    out, totals = np.zeros(robot.nv), list(loads)
    for i in range(len(robot.links) - 1, -1, -1):
        link, way = robot.links[i], ways[i]
        if link.parent < 0:
            continue
        p = robot.links[link.parent]
        n, f, e = way.back(totals[i].n, totals[i].f)
        totals[link.parent] = totals[link.parent] + rec.inverse.LinkLoad(n, f, e)
        theta = q[p.d] @ link.mount.Theta
        at_node = n - cross(way.r, f)
        out[p.e] += np.array(
            [0.5 * cross(theta, k) @ at_node for k in link.mount.Theta[: p.body.m]]
        )
    return out


@settings(max_examples=SOME)
@given(states(joints=PLAIN, numbers=THIRD))
def test_twists_are_linearised(case: Any) -> None:
    """P^ u = t^: against the recursion's twist, expanded; P~ is dual only in its choice."""
    robot, q, u, _ = case
    at, speed = split(robot, q, "d"), split(robot, u, "e")

    def twist(x: Any, v: Any) -> Any:
        frames = rec.kinematics.motions(
            robot, rec.path.paths(robot, x, v), v, np.zeros(robot.nv), np.zeros(3)
        )
        return np.array([np.concatenate([m.w, m.v]) for m in frames])

    expected = expanded(twist, at, speed)
    got = [(p.jacobian[:6] @ u).total() for p in projections(robot, q)]
    near(np.array(got), expected)


@settings(max_examples=SOME)
@given(states(joints=PLAIN, numbers=THIRD))
def test_the_geometric_operator_differentiates_projection_matrices(case: Any) -> None:
    """P^_dot by [d] (eqs. 76-79) against a complex step of P^ along q_dot = u."""
    robot, q, u, _ = case
    moved = stepped(q, u)
    still, moving = projections(robot, q), projections(robot, moved)
    for i, link in enumerate(robot.links):
        rate = kane.jacobian_rate(robot, i, still[i].jacobian, u)
        near(rate.r, along(moving[i].jacobian.r[:6]))
        near(rate.d, along(moving[i].jacobian.d[:6]))
        for station in link.body.stations.values():
            P, _ = at_station(robot, i, station, still[i], q)
            Q, _ = at_station(robot, i, station, moving[i], moved)
            rate = station_rate(robot, i, station, P, u)
            near(rate.r, along(Q.r))
            near(rate.d, along(Q.d))


@settings(max_examples=SOME)
@given(states(joints=PLAIN, numbers=THIRD))
def test_wrenches_at_stations_are_linearised_too(case: Any) -> None:
    robot, q, _, _ = case
    at = split(robot, q, "d")
    still, rng = np.zeros(robot.nv), np.random.default_rng(robot.nv)
    for link in robot.links[-1:]:
        where, wrench = f"{link.name}.{list(link.body.stations)[-1]}", rng.normal(size=6)

        def force(x: Any, where: str = where, wrench: Any = wrench) -> Any:
            zero = np.zeros(3)
            return -rec.inverse.inertia_force(robot, x, still, still, zero, {where: wrench})

        near(kane.wrench_force(robot, q, where, wrench, kane.TAYLOR), expanded(force, at))


@pytest.mark.parametrize(("kinematics", "share"), [("second_order", 0.193), ("first_order", -1.0)])
def test_linearised_equations_of_second_order_stiffen_with_the_rate(
    kinematics: str, share: float
) -> None:
    """d(C u)/dd over the modal mass is 0.193 Omega^2 for a turning beam's first clamped shape;
    without products of shapes the centrifugal force has -Omega^2 left."""
    modes = {"bending_y": 1, "family": "clamped_free"}
    beam = {"length": 1.0, "mass_per_length": 1.0, "EI": 1.0, "modes": modes}
    joint = {"type": "revolute", "child": "blade"}
    words = {"name": "rotor", "elastic_kinematics": kinematics, "joints": [joint]}
    robot = supple.build({**words, "links": {"blade": {"beam": beam}}})
    rate, shape = np.array([3.0, 0.0]), np.array([0.0, 1.0])
    force = (
        kane.coriolis_force(robot, shape, rate)[1] - kane.coriolis_force(robot, 0 * shape, rate)[1]
    )
    assert abs(force / kane.mass_matrix(robot, 0 * shape)[1, 1] / 9.0 - share) < 1e-3


def test_a_floating_base_and_ball_joints_are_no_exception() -> None:
    """Beyond the paper: several columns a joint, quaternions in q."""
    checked = 0
    for index in range(0, TREES, 9):
        robot = tree(index, JOINTS, BODIES)
        q, u, _ = random_state(robot, np.random.default_rng(index))
        M, Cu, gravity = taylor(robot, q, u)
        eq = kane.equations(robot, q, u, kane.TAYLOR)
        near(eq.M, M)
        near(eq.C @ u, Cu)
        near(eq.gravity, gravity)
        checked += robot.nq > robot.nv
    assert checked > 5


@settings(max_examples=20)
@given(states(joints=PLAIN, numbers=THIRD))
def test_forward_dynamics_solves_the_linearised_equations(case: Any) -> None:
    robot, q, u, tau = case
    q[list(robot.mode_indices)] *= 0.1
    u_dot = kane.forward_dynamics(robot, q, u, tau)
    eq = kane.equations(robot, q, u)
    left = eq.M @ u_dot + eq.C @ u + eq.gravity + rec.passive_force(robot, q, u)
    scale = np.abs(eq.M) @ np.abs(u_dot) + np.abs(tau) + 1.0
    condition = np.linalg.cond(eq.M) if robot.nv else 1.0
    assert np.abs(left - tau).max(initial=0.0) <= 1e-13 * condition * scale.max(initial=0.0)
    near(kane.inverse_dynamics(robot, q, u, u_dot), left)
    K = eq.K @ q + eq.D @ u
    elastic = [] if robot.gears else list(robot.mode_indices)  # a gear turns pinned shapes too
    near(K[elastic], rec.passive_force(robot, q, u)[elastic], 1e-14)


@pytest.mark.parametrize("name", ["cibicik-arm", "piedboeuf-arm", "puma"])
def test_native_code_and_plain_numpy_agree(name: str) -> None:
    robot = supple.load(name)
    rng = np.random.default_rng(1)
    q, u, tau = (0.1 * rng.normal(size=robot.nv) for _ in range(3))

    def run(q: Any, u: Any, tau: Any) -> Any:
        return kane.forward_dynamics(robot, q, u, tau)

    native = traced(run, (robot.nv,) * 3)
    plain = run(q, u, tau)
    condition = np.linalg.cond(kane.mass_matrix(robot, q))
    near(native(q, u, tau), plain, 1e-14 * condition)


def test_without_shapes_it_is_the_rigid_robot() -> None:
    robot = supple.load("stanford")
    rng = np.random.default_rng(0)
    q, u, u_dot = (rng.normal(size=robot.nv) for _ in range(3))
    plain = supple.inverse_dynamics(robot, q, u, u_dot)
    near(kane.inverse_dynamics(robot, q, u, u_dot), plain, 1e-13)
