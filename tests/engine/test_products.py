"""Products with Jacobians, forwards and backwards, along rates, and second derivatives."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import supple
from agree import assert_near
from studies.chains import rigid_chain
from supple.recursion import configuration_rate
from supple.tracer import quickly
from trees import BODIES, GEARED, JOINTS, random_state, tree

SCANS = tuple(kind for kind in JOINTS if kind not in GEARED)
H = 1e-5


def along(f: Any, robot: supple.Robot, x: Any, ways: Any) -> Any:
    """d f / dt at t = 0 by a difference quotient, the arguments moving at the rates `ways`; q stays
    among the configurations."""

    def at(t: float) -> Any:
        q = robot.normalized(x[0] + t * configuration_rate(robot, x[0], ways[0]))
        return f(q, *[a + t * way for a, way in zip(x[1:], ways[1:], strict=True)])

    return (at(H) - at(-H)) / (2 * H)


@pytest.mark.parametrize(
    ("what", "unroll"),
    [
        *(("forward_dynamics", True), ("forward_dynamics", False)),
        *(("inverse_dynamics", True), ("inverse_dynamics", False), ("mass_matrix", True)),
    ],
)
def test_products_along_the_tangent_are_difference_quotients(what: str, unroll: bool) -> None:
    """v in the quotient, in J v, in J; and w . (J v) = v . (J^T w)."""
    robot = tree(50, SCANS, BODIES)  # a ball joint, bending
    assert robot.nq > robot.nv
    rng, n = np.random.default_rng(3), robot.nv
    with quickly():
        f = supple.compile(robot, what, unroll=unroll)
        names = [*f.arguments]
        forth, back = f.jvp(*names, tangent=True), f.vjp(*names, tangent=True)
        slope = f.jacobian(*names, tangent=True)
    x = random_state(robot, rng)[: len(names)]
    ways = rng.normal(size=(len(names), n))
    wanted = along(f, robot, x, ways)
    got, v = forth(*x, *ways), ways.ravel()
    assert_near(got, wanted, 1e-7)
    assert slope.results == {k: (*f(*x).shape, len(v)) for k in slope.results}
    assert_near(slope(*x) @ v, got, 1e-9)
    w = rng.normal(size=got.size)
    bars = np.concatenate(np.atleast_2d(back(*x, w)))
    assert bars @ v == pytest.approx(w @ got.ravel(), rel=1e-9)
    assert_near(bars, w @ slope(*x).reshape(len(w), -1), 1e-9)
    many = forth.batch(*[np.tile(a, (9, 1)) for a in (*x, *ways)])
    assert_near(many, [got] * 9, 1e-9)


def test_numbers_of_a_quaternion_are_moved_one_by_one_without_tangent() -> None:
    robot = tree(50, SCANS, BODIES)
    q = random_state(robot, np.random.default_rng(3))[0]
    with quickly():
        f = supple.compile(robot, "gravity_force")
        forth, back = f.jvp("q"), f.vjp("q")
        J = f.jacobian("q")(q)
    v, w = np.linspace(-1, 1, robot.nq), np.linspace(0, 1, robot.nv)
    assert_near(forth(q, v), J @ v, 1e-12)
    assert_near(back(q, w), w @ J, 1e-12)


def test_where_rates_are_those_of_the_numbers_tangents_change_nothing() -> None:
    f = supple.compile(supple.load("puma"), "inverse_dynamics")
    x = np.random.default_rng(1).normal(size=(3, 6))
    with quickly():
        assert np.array_equal(f.jacobian("q", tangent=True)(*x), f.jacobian("q")(*x))


def test_an_adjoint_takes_a_few_times_the_function_for_all_inputs_at_once() -> None:
    for what in ("forward_dynamics", "inverse_dynamics"):
        with quickly():
            f = supple.compile(supple.load("canadarm"), what)
            one, all_ = f.vjp("q"), f.vjp(*f.arguments)
        own, less, more = (sum(g.operations().values()) for g in (f, one, all_))
        assert more < 3 * own
        assert more < less + own


def test_several_results_and_numbers_have_adjoints() -> None:
    robot = supple.load("lin-lewis-rf")
    q, qd, _ = random_state(robot, np.random.default_rng(2))
    with quickly():
        pose = supple.compile(robot, "pose", station="barrel").vjp("q")
        energy = supple.compile(robot, "kinetic_energy").vjp("qd")
    assert pose.arguments == {"q": robot.nq, "R_bar": 9, "p_bar": 3}
    force = np.array([1.0, -2.0, 3.0])
    J = supple.jacobian(robot, q, "barrel")
    assert_near(pose(q, np.zeros(9), force), force @ J[3:], 1e-12)
    assert_near(energy(q, qd, np.array([2.0])), 2 * supple.mass_matrix(robot, q) @ qd, 1e-12)


def test_long_robots_have_products_too() -> None:
    """Forwards a scan, backwards straight-line code."""
    robot = rigid_chain(12)
    rng = np.random.default_rng(0)
    x, v, w = rng.normal(size=(3, 12)), rng.normal(size=12), rng.normal(size=12)
    with quickly():
        f = supple.compile(robot, "inverse_dynamics", unroll=False, wrenches=[robot.links[-1].name])
        names = ["q", [*f.arguments][-1]]
        forth, back = f.jvp(*names), f.vjp(*names)
    assert (forth.unrolled, back.unrolled) == (False, True)
    push, way = rng.normal(size=6), rng.normal(size=6)
    got = forth(*x, push, v, way)
    moved = [f(x[0] + h * v, *x[1:], push + h * way) for h in (-H, H)]
    assert_near(got, (moved[1] - moved[0]) / (2 * H), 1e-7)
    q_bar, push_bar = back(*x, push, w)
    assert q_bar @ v + push_bar @ way == pytest.approx(w @ got, rel=1e-10)


@pytest.mark.parametrize("what", ["mass_matrix", "forward_dynamics"])
def test_matrices_and_slopes_that_are_scans_have_products_too(what: str) -> None:
    """Along the tangent; as straight-line code."""
    robot = supple.load("space-robot").replace(elastic_kinematics="rigid")
    rng = np.random.default_rng(2)
    x, v = random_state(robot, rng), rng.normal(size=robot.nv)
    with quickly():
        f = supple.compile(robot, what, unroll=False)
        f = f if what == "mass_matrix" else f.jacobian("tau")
        forth, back = f.jvp("q", tangent=True), f.vjp("q", tangent=True)
    assert not f.unrolled
    x = x[: len(f.arguments)]
    still = [np.zeros(robot.nv)] * (len(x) - 1)
    wanted = along(f, robot, x, [v, *still])
    got = forth(*x, v)
    assert_near(got, wanted, 1e-6)
    w = rng.normal(size=got.size)
    assert back(*x, w) @ v == pytest.approx(w @ got.ravel(), rel=1e-8)


def test_closed_chains_have_products() -> None:
    """Through every operation of the elimination; the Jacobian solves the differentiated equations
    instead."""
    robot = supple.load("four-bar-flexible")
    q, still, rng = robot.home(), np.zeros(robot.nv), np.random.default_rng(0)
    tau, v, w = rng.normal(size=(3, robot.nv))
    with quickly():
        f = supple.compile(robot, "forward_dynamics")
        slope, forth, back = f.jacobian("q"), f.jvp("q"), f.vjp("q")
    J = slope(q, still, tau)
    assert_near(forth(q, still, tau, v), J @ v, 1e-11)
    assert_near(back(q, still, tau, w), w @ J, 1e-11)


def test_hessians_are_the_slopes_of_jacobians() -> None:
    robot = supple.load("lin-lewis-rfr")
    q, qd, x = random_state(robot, np.random.default_rng(4))
    n, v = robot.nv, np.linspace(-1, 1, robot.nv)
    for what, third in (("inverse_dynamics", x), ("forward_dynamics", x)):
        with quickly():
            f = supple.compile(robot, what)
            whole, along_v, slope = f.hessian("q", "qd"), f.hessian_vector("q"), f.jacobian("q")
        found = whole(q, qd, third)
        assert found.shape == (n, 2 * n, 2 * n)
        assert np.array_equal(found, found.swapaxes(1, 2))
        up, down = (slope(q + h * v, qd, third) for h in (H, -H))
        assert_near(found[:, :n, :n] @ v, (up - down) / (2 * H), 1e-6)
        assert_near(found[:, :n, :n] @ v, along_v(q, qd, third, v), 1e-9)
    with quickly():
        T = supple.compile(robot, "kinetic_energy").hessian("qd")
    assert_near(T(q, qd), supple.mass_matrix(robot, q), 1e-12)


def test_products_pickle() -> None:
    robot = supple.load("space-robot")
    q, qd, x = random_state(robot, np.random.default_rng(4))
    f = supple.compile(robot, "momentum")
    with quickly():
        for g, more in (
            (f.jvp("q", tangent=True), x),
            (f.vjp("q", tangent=True), x[:6]),
            (f.jacobian("q", tangent=True), None),
        ):
            given = [q, qd] if more is None else [q, qd, more]
            assert np.array_equal(pickle.loads(pickle.dumps(g))(*given), g(*given))


def test_wrong_products_are_told() -> None:
    f = supple.compile(supple.load("puma"), "inverse_dynamics", unroll=False)
    straight = supple.compile(supple.load("puma"), "gravity_force")
    for wrong, words in (
        (lambda: f.jvp(), "jvp of inverse_dynamics needs an argument: q, qd, qdd"),
        (lambda: f.vjp("x"), "no argument named 'x'"),
        (lambda: f.vjp("q", "q"), "named twice"),
        (lambda: f.jacobian("q", tangent=1), "tangent is 1; it may be True or False"),
        (lambda: straight.jvp("q").jvp("q"), "an argument dq already"),
        (lambda: f.hessian("q"), "unroll=True"),
    ):
        with pytest.raises(supple.InputError, match=words), quickly():
            wrong()
