"""`linearized` kinematics in the recursion: the Taylor expansion, dual screws and the O(n)
forward dynamics are one model."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import supple
from agree import assert_near
from expansion import expanded, split
from studies.chains import flexible_chain
from supple import recursion as rec
from supple.engine import CUTS, QUANTITIES, traced
from supple.formulations import kane
from supple.screws.dual import dual_part, seed
from supple.tracer import quickly
from trees import THIRD, TREES, states

SOME = len(THIRD)
HALF = [i for i in range(TREES) if i % 4 < 2]  # of either elastic kinematics
near = partial(assert_near, least=1.0)


def linearised(robot: supple.Robot) -> supple.Robot:
    """The same bodies, of whatever order, with products of shapes and rates dropped."""
    return replace(robot, elastic_kinematics="linearized")


def taylor(f: Any, robot: supple.Robot, q: Any, *rates: Any) -> Any:
    """f to first order in the shapes of q and the shape rates: f(x0) + df(x0) e."""
    return expanded(f, split(robot, q, "d"), *(split(robot, x, "e") for x in rates))


def mild(robot: supple.Robot, q: Any) -> Any:
    """q with shapes so small that the truncated mass matrix is positive definite."""
    base, elastic = split(robot, q, "d")
    return base + 0.02 * elastic


@pytest.mark.slow
@settings(max_examples=len(HALF))
@given(states(numbers=HALF))
def test_it_is_the_taylor_expansion_of_the_nonlinear_equations(case: Any) -> None:
    """M, C u, gravity, all forces and wrenches at stations, every term; of bodies of first and
    of second order, by turns."""
    robot, q, u, u_dot = case
    ours, where = linearised(robot), robot.links[-1].name
    push = {where: np.array([1.0, -2.0, 3.0, 4.0, 5.0, -6.0])}
    near(rec.mass_matrix(ours, q), taylor(lambda x: rec.mass_matrix(robot, x), robot, q))
    near(
        rec.coriolis_force(ours, q, u),
        taylor(lambda x, v: rec.coriolis_force(robot, x, v), robot, q, u),
    )
    near(rec.gravity_force(ours, q), taylor(lambda x: rec.gravity_force(robot, x), robot, q))
    near(
        rec.inverse_dynamics(ours, q, u, u_dot, push),
        taylor(lambda x, v: rec.inverse_dynamics(robot, x, v, u_dot, push), robot, q, u),
    )


@pytest.mark.slow
@settings(max_examples=SOME)
@given(states(kinematics="linearized", numbers=THIRD))
def test_it_is_what_dual_screws_give(case: Any) -> None:
    """Kane's equations share the modal bodies alone with the recursion, with either choice of
    the elastic columns. The two choices agree in the joints' rows, and everywhere if no node
    turns about two axes."""
    robot, q, u, _ = case
    eq = kane.equations(robot, q, u, kane.TAYLOR)
    M, Cu = supple.mass_matrix(robot, q), supple.coriolis_force(robot, q, u)
    gravity = supple.gravity_force(robot, q)
    near(M, eq.M)
    near(Cu, eq.C @ u)
    near(gravity, eq.gravity)
    printed, paper = replace(robot, elastic_columns="paper"), kane.equations(robot, q, u)
    near(supple.mass_matrix(printed, q), paper.M)
    near(supple.coriolis_force(printed, q, u), paper.C @ u)
    near(supple.gravity_force(printed, q), paper.gravity)
    joints = list(robot.joint_indices)
    flat = all(len(link.mount.turn_axes) <= 1 for link in robot.links)
    rows = list(range(robot.nv)) if flat else joints
    near(M[np.ix_(rows, rows)], paper.M[np.ix_(rows, rows)])
    near(Cu[rows], (paper.C @ u)[rows])
    near(gravity[rows], paper.gravity[rows])


@pytest.mark.slow
@settings(max_examples=SOME)
@given(states(kinematics="linearized", numbers=THIRD))
def test_forward_dynamics_solves_the_linearised_equations(case: Any) -> None:
    """Not the expansion of a solution: M truncated, and accelerations that satisfy it."""
    robot, q, u, tau = case
    q = mild(robot, q)
    M = supple.mass_matrix(robot, q)
    condition = float(np.linalg.cond(M)) if robot.nv else 1.0
    qdd = rec.forward_dynamics(robot, q, u, tau)
    left = supple.inverse_dynamics(robot, q, u, qdd)
    size = (np.abs(M) @ np.abs(qdd) + np.abs(tau) + 1.0).max(initial=0.0)
    assert np.abs(left - tau).max(initial=0.0) <= 1e-12 * size * max(1.0, np.sqrt(condition))
    near(qdd, kane.forward_dynamics(robot, q, u, tau, kane.TAYLOR), 1e-12 * condition)
    printed = rec.forward_dynamics(replace(robot, elastic_columns="paper"), q, u, tau)
    near(printed, kane.forward_dynamics(robot, q, u, tau), 1e-12 * condition)
    U, D = rec.udu_factors(robot, q)
    near(U @ np.diag(D) @ U.T, M, 1e-11)
    assert np.abs(rec.inverse_mass_matrix(robot, q) @ M - np.eye(robot.nv)).max(initial=0.0) < (
        1e-11 * condition
    )
    near(supple.kinetic_energy(robot, q, u), 0.5 * u @ M @ u, 1e-11)


@pytest.mark.slow
@settings(max_examples=SOME)
@given(states(numbers=HALF))
def test_stations_move_to_first_order(case: Any) -> None:
    """Pose, twist and acceleration; the Jacobian maps wrenches, as the paper's projecting form,
    so it keeps what is of first order in its elastic columns."""
    robot, q, u, u_dot = case
    ours, where = linearised(robot), robot.links[-1].name
    for part in ("R", "p"):
        near(
            getattr(rec.station_pose(ours, q, where), part),
            taylor(lambda x, p=part: getattr(rec.station_pose(robot, x, where), p), robot, q),
        )
    near(
        supple.jacobian(ours, q, where),
        taylor(lambda x: rec.station_jacobian(robot, x, where), robot, q),
    )
    near(supple.twists(ours, q, u), taylor(lambda x, v: rec.twists(robot, x, v), robot, q, u))

    def motion(x: Any, v: Any) -> Any:
        m = rec.station_motion(robot, x, v, u_dot, where)
        return np.concatenate([m.w, m.v, m.dw, m.a])

    got = [supple.twist(ours, q, u, where), supple.acceleration(ours, q, u, u_dot, where)]
    near(np.concatenate(got), taylor(motion, robot, q, u))


@pytest.mark.slow
@settings(max_examples=SOME // 2)
@given(states(kinematics="linearized", numbers=THIRD))
def test_what_is_linearised_can_be_differentiated(case: Any) -> None:
    """dM/dt on dual numbers of dual numbers against a difference quotient."""
    robot, q, u, _ = case
    way = rec.configuration_rate(robot, q, u)
    rate = dual_part(rec.mass_matrix(robot, seed(q, way)))
    step = 1e-6
    quotient = rec.mass_matrix(robot, q + step * way) - rec.mass_matrix(robot, q - step * way)
    near(rate, quotient / (2.0 * step), 1e-7)


@quickly()
def test_every_quantity_as_native_code_and_in_scans() -> None:
    robot = supple.load("lin-lewis-rf").replace(elastic_kinematics="linearized")
    rng, where = np.random.default_rng(4), robot.links[-1].name
    q, qd, qdd = 0.02 * rng.normal(size=(3, robot.nv))
    given = {"q": q, "qd": qd, "qdd": qdd, "tau": qdd}
    for what, quantity in QUANTITIES.items():
        if what in CUTS:
            continue
        x, at = [given[name] for name in quantity.arguments], [where] * quantity.station
        plain = getattr(supple, what)(robot, *x, *at)
        plain = (plain.R, plain.p) if what == "pose" else plain
        for unroll in (True, False) if quantity.scans else (True,):
            f = supple.compile(robot, what, station=where if at else None, unroll=unroll)
            for a, b in zip(as_tuple(f(*x)), as_tuple(plain), strict=True):
                near(a, b, 1e-10)


def as_tuple(x: Any) -> tuple[Any, ...]:
    return x if isinstance(x, tuple) else (x,)


@pytest.mark.parametrize("what", ["forward_dynamics", "inverse_dynamics", "gravity_force"])
def test_native_code_scans_and_derivatives(what: str) -> None:
    robot = flexible_chain(3, modes=1).replace(elastic_kinematics="linearized")
    rng = np.random.default_rng(3)
    x = [0.02 * rng.normal(size=robot.nv), *rng.normal(size=(2, robot.nv))]
    x = x[:1] if what == "gravity_force" else x
    plain, slopes = getattr(supple, what)(robot, *x), []
    for unroll in (True, False):
        with quickly():
            f = supple.compile(robot, what, unroll=unroll)
            near(f(*x), plain, 1e-11)
            slopes.append(f.jacobian("q")(*x))
    near(slopes[0], slopes[1], 1e-10)
    e = 1e-6 * np.eye(robot.nv)[4]
    quotient = (f(x[0] + e, *x[1:]) - f(x[0] - e, *x[1:])) / 2e-6
    assert np.abs(slopes[1][:, 4] - quotient).max() < 1e-6 * np.abs(slopes[1]).max()


@quickly()
def test_numbers_of_the_model_may_be_arguments() -> None:
    """A constant that is a dual number itself is not taken for a shape."""
    robot = flexible_chain(3, modes=1).replace(elastic_kinematics="linearized")
    name, rng = robot.parameter_names[0], np.random.default_rng(5)
    q, qd, qdd = 0.02 * rng.normal(size=(3, robot.nv))
    straight, scan = (
        supple.compile(robot, "inverse_dynamics", parameters=[name], unroll=x)
        for x in (True, False)
    )
    x = (q, qd, qdd, [straight.parameters[name]])
    slope = straight.jacobian("parameters")(*x)
    near(slope, scan.jacobian("parameters")(*x), 1e-11)
    assert np.abs(slope).max() > 1e-6


@quickly()
def test_forward_dynamics_is_of_linear_cost() -> None:
    counts = []
    for n in (10, 20, 30):
        robot = flexible_chain(n, modes=1).replace(elastic_kinematics="linearized")
        f = supple.compile(robot, "forward_dynamics", unroll=False)
        counts.append(sum(f.operations().values()))
    assert counts[2] - counts[1] == counts[1] - counts[0]


@quickly()
def test_on_the_papers_arm_it_costs_a_third_more_than_the_nonlinear_one() -> None:
    counts = []
    for kinematics in ("first_order", "linearized"):
        robot = supple.load("cibicik-arm").replace(elastic_kinematics=kinematics)
        counts.append(sum(supple.compile(robot, "forward_dynamics").operations().values()))
    assert counts[1] < 1.45 * counts[0]


def test_frequencies_are_those_of_first_order() -> None:
    """Vibrations about the undeformed robot are linear already."""
    robot = supple.load("cibicik-arm")
    q = np.zeros(16)
    q[[0, 1, 8, 15]] = [0.4, 0.5, 2.0, 0.5]
    ours = supple.frequencies(robot.replace(elastic_kinematics="linearized"), q).omega
    near(ours, supple.frequencies(robot, q).omega, 1e-9)


def test_statics_takes_one_step() -> None:
    """Equations linear in the shapes: what [Piedboeuf] solves as eq. (39)."""
    robot = supple.load("cibicik-arm")
    joints, load = [0.4, 0.5, 2.0, 0.5], {"link4.tip": [5.0, -3.0, -20.0]}
    ours = supple.statics(robot.replace(elastic_kinematics="linearized"), joints, load)
    linear = supple.statics(robot, joints, load, linear=True)
    assert ours.iterations <= 2
    near(ours.q, linear.q, 1e-12)
    near(ours.tau, linear.tau, 1e-9)


def test_power_is_missed_by_terms_of_second_order_only() -> None:
    """No energy belongs to equations cut off at first order: T = 1/2 u M u and V to first order
    balance the power of all forces as the square of the shapes and their rates."""
    robot = supple.load("cibicik-arm").replace(elastic_kinematics="linearized")
    rng, missed = np.random.default_rng(2), []
    q, u = 0.3 * rng.normal(size=(2, 16))
    for scale in (1e-2, 5e-3):
        x, v = (split(robot, y, "d")[0] + scale * split(robot, y, "d")[1] for y in (q, u))
        u_dot = supple.forward_dynamics(robot, x, v, np.zeros(16))
        moving = seed(x, v)
        V = rec.gravity_energy(robot, moving) + rec.elastic_energy(robot, moving)
        T = rec.kinetic_energy(robot, moving, seed(v, u_dot))
        missed.append(abs((T + V).b))
    assert 3.5 < missed[0] / missed[1] < 4.5


def test_a_run_follows_it() -> None:
    """The same start and torques: a small motion is the nonlinear one to second order, and a
    prescribed joint works as ever."""
    robot = supple.load("piedboeuf-arm").replace(elastic_kinematics="first_order")
    ours = robot.replace(elastic_kinematics="linearized")
    law = {"prescribed": {robot.links[0].joint_name: "0.1*sin(3*t)"}, "duration": 0.3, "samples": 4}
    a, b = (supple.simulate(x, **law) for x in (ours, robot))
    gap = np.abs(a["q"][-1] - b["q"][-1]).max()
    assert 1e-9 < gap < 2e-2 * np.abs(b["q"][-1][1:]).max()
    assert np.abs(a["reaction"][-1] - b["reaction"][-1]).max() < 1e-2 * np.abs(b["reaction"]).max()


def test_an_indefinite_mass_matrix_is_named() -> None:
    robot = supple.load("cibicik-arm").replace(elastic_kinematics="linearized")
    q = np.zeros(16)
    q[[1, 2, 8, 15]] = [np.pi / 3, -0.1, np.pi / 3, np.pi / 3]  # torsion of link 2
    words = r"linearised mass matrix.*positive definite.*pivot of joint1.*first_order"
    with pytest.raises(supple.InputError, match=words):
        supple.forward_dynamics(robot, q, np.zeros(16), np.zeros(16))
    with pytest.raises(supple.InputError, match=words):
        supple.simulate(robot, duration=0.1, q0=q)
    falling = supple.load("piedboeuf-arm").replace(elastic_kinematics="linearized")
    with pytest.raises(supple.SimulationError, match=r"stopped at t = 0\.33.*positive definite"):
        supple.simulate(falling, duration=1.0)


@pytest.mark.parametrize(
    ("what", "unroll", "parameters"),
    [
        ("forward_dynamics", True, ()),
        ("forward_dynamics", False, ()),
        ("forward_dynamics", True, ("gravity.2",)),
        ("inverse_mass_matrix", True, ()),
        ("inverse_mass_matrix", False, ()),
        ("udu_factors", None, ()),
    ],
)
def test_native_code_refuses_where_an_eigenvalue_is_not_above_zero(
    what: str, unroll: bool | None, parameters: tuple[str, ...]
) -> None:
    """A call says why, a derivative of accelerations too; in a batch the state has no number."""
    robot = supple.load("piedboeuf-arm").replace(elastic_kinematics="linearized")
    rng = np.random.default_rng(4)
    q = rng.uniform(-1.0, 1.0, (40, 6)) * [1.0, *5 * [0.15]]
    sound = np.array([np.linalg.eigvalsh(supple.mass_matrix(robot, x)).min() > 0.0 for x in q])
    assert 10 < sound.sum() < 30
    with quickly():
        f = supple.compile(robot, what, unroll=unroll, parameters=parameters)
        slopes = f.jacobian("q") if what == "forward_dynamics" else f
        given = [q, *(rng.normal(size=(40, n)) for n in [*f.arguments.values()][1:])]
        many = f.batch(*given)
    last = many if isinstance(many, np.ndarray) else many[-1]
    assert np.array_equal(np.isfinite(last).reshape(40, -1).all(axis=1), sound)
    words = r"q of piedboeuf-arm: the linearised mass matrix.*positive definite.*first_order"
    good, bad = ([x[i] for x in given] for i in (np.argmax(sound), np.argmin(sound)))
    for call in (f, slopes):
        call(*good)
        with pytest.raises(supple.InputError, match=words):
            call(*bad)
        with pytest.raises(supple.InputError, match=words):
            call(*map(list, bad))
    assert np.isnan(slopes(np.full(6, np.nan), *good[1:])[-1]).any()  # and nothing is said of it
    if unroll is not False and not parameters:
        with quickly():
            single = supple.compile(robot, what, dtype="float32")
        with pytest.raises(supple.InputError, match=words):
            single(*(x.astype(np.float32) for x in bad))
        single(*(x.astype(np.float32) for x in good))
    if isinstance(many, np.ndarray):
        with pytest.raises(supple.InputError, match=words):
            f(*bad, out=np.empty(many.shape[1:]))


def test_steps_of_one_length_do_not_leap_over_an_indefinite_mass_matrix() -> None:
    falling = supple.load("piedboeuf-arm").replace(elastic_kinematics="linearized")
    with pytest.raises(supple.SimulationError, match=r"stopped at t = 0\.339.*positive definite"):
        supple.simulate(falling, duration=1.0, method="rk4", step=1e-4)


def test_a_motion_drives_it_with_either_columns() -> None:
    """The feed-forward torques are those of the rigid robot, which has no columns."""
    robot = supple.load("canadarm").replace(
        elastic_kinematics="linearized", elastic_columns="paper"
    )
    assert np.all(np.isfinite(supple.simulate(robot, motion="paper", duration=0.05)["q"]))


def test_symbols_are_those_of_dual_screws() -> None:
    robot = supple.load("cibicik-arm").replace(elastic_kinematics="linearized")
    with pytest.raises(supple.InputError, match=r"'linearized'.*formulations\.symbols"):
        supple.equations(robot)


@quickly()
def test_traced_code_of_both_ways_agrees() -> None:
    """The recursion's kernel and that of Kane's equations, on the paper's arm."""
    robot = supple.load("cibicik-arm").replace(elastic_kinematics="linearized")
    rng = np.random.default_rng(1)
    q, u, tau = 0.1 * rng.normal(size=(3, 16))
    q = mild(robot, q)
    for columns, order in (("exponential", kane.TAYLOR), ("paper", kane.PAPER)):
        same = robot.replace(elastic_columns=columns)
        dense = traced(lambda *x, o=order: kane.forward_dynamics(robot, *x, o), (16, 16, 16))
        ours = supple.compile(same, "forward_dynamics")(q, u, tau)
        near(ours, dense(q, u, tau), 1e-9)
