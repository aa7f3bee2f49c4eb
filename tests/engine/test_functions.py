"""Compiled functions: equal to the recursion, differentiated right, safe on odd input."""

from __future__ import annotations

import copy
import gc
import threading
from typing import Any

import numpy as np
import pytest

import supple
from agree import assert_near
from shipped_robots import OPEN
from supple.engine import BEAMS, CUTS, QUANTITIES
from supple.engine.base_inertia import with_base_inertia
from supple.tracer import fast_call
from trees import random_state

ROBOTS = tuple(name for name in OPEN if name != "space-robot")


def arguments(robot: supple.Robot, function: Any, seed: int = 0) -> list[Any]:
    rng = np.random.default_rng(seed)
    q, qd, qdd = random_state(robot, rng)
    values = {"q": q, "qd": qd, "qdd": qdd, "tau": 3.0 * qdd, "v": qdd}
    return [values[name] for name in function.arguments]


STEPS = 1e-3 * np.array([-2.0, -1.0, 1.0, 2.0])
WEIGHTS = np.array([1.0, -8.0, 8.0, -1.0]) / (12 * 1e-3)  # a difference quotient of fourth order


@pytest.mark.parametrize("name", ROBOTS)
def test_every_quantity_equals_the_recursion(name: str) -> None:
    robot = supple.load(name)
    where = robot.links[-1].name
    for what, quantity in QUANTITIES.items():
        if what in (*CUTS, *BEAMS):
            continue
        station = where if quantity.station else None
        function = supple.compile(robot, what, station=station)
        given = arguments(robot, function)
        extra = (station,) if quantity.station else ()
        expected = quantity.run(robot, *given, *extra)
        got = function(*given)
        if len(function.results) == 1:
            expected, got = (expected,), (got,)
        # solving for accelerations loses as many digits as M has of condition
        solves = what in ("forward_dynamics", "inverse_mass_matrix", "udu_factors")
        condition = np.linalg.cond(supple.mass_matrix(robot, given[0])) if solves else 0.0
        tolerance = max(1e-12, 1e-16 * condition)
        for a, b in zip(got, expected, strict=True):
            assert_near(a, b, tolerance)


@pytest.mark.parametrize("name", ["puma", "canadarm-spatial", "cibicik-arm"])
def test_batches_equal_single_calls(name: str) -> None:
    robot = supple.load(name)
    function = supple.compile(robot, "forward_dynamics")
    states = [arguments(robot, function, seed) for seed in range(11)]  # not a whole number of lanes
    rows = [np.array(column) for column in zip(*states, strict=True)]
    alone = np.array([function(*s) for s in states])
    for threads in (1, 2):
        assert_near(function.batch(*rows, threads=threads), alone, 1e-9)
    out = np.empty_like(alone)
    assert function.batch(*rows, out=out) is out
    many = [np.tile(r, (100, 1, 1)) for r in rows]
    assert function.batch(*many).shape == (100, 11, robot.nv)
    one = function.batch(rows[0][0], rows[1][0], rows[2])  # leading axes broadcast
    assert_near(one[3], function(rows[0][0], rows[1][0], rows[2][3]), 1e-9)


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("puma", "forward_dynamics"),
        ("puma", "mass_matrix"),
        ("stanford", "forward_dynamics"),
        ("canadarm", "forward_dynamics"),
        ("canadarm", "inverse_dynamics"),
    ],
)
def test_jacobians_are_difference_quotients(name: str, what: str) -> None:
    robot = supple.load(name)
    function = supple.compile(robot, what)
    given = arguments(robot, function)
    for i, wrt in enumerate(function.arguments):
        slope = function.jacobian(wrt)(*given)
        quotients = []
        for unit in np.eye(len(given[i])):
            near_by = [function(*given[:i], given[i] + h * unit, *given[i + 1 :]) for h in STEPS]
            quotients.append(WEIGHTS @ np.array(near_by).reshape(len(STEPS), -1))
        assert_near(slope.reshape(-1, len(given[i])), np.array(quotients).T, 1e-7)


def test_springs_do_not_hide_in_the_derivatives() -> None:
    """A pendulum on a spring: qdd = (tau - k q - m g c cos q) / I, and its slope by hand."""
    rod = {"mass": 2.0, "com": [0.3, 0, 0], "inertia": [0.1, 0.1, 0.1]}
    joint = {"type": "revolute", "child": "a", "axis": [0, -1, 0], "stiffness": 1.5}
    words = {"gravity": [0, 0, -9.81], "links": {"a": {"rigid": rod}}, "joints": [joint]}
    slope = supple.compile(supple.build(words), "forward_dynamics").jacobian("q", "qd", "tau")
    q, inertia = 0.7, 0.1 + 2.0 * 0.3**2
    expected = [(-1.5 + 2.0 * 9.81 * 0.3 * np.sin(q)) / inertia, 0.0, 1.0 / inertia]
    assert_near(slope(np.array([q]), np.array([0.4]), np.array([0.2])), [expected], 1e-13)


def test_energies_are_differentiated_backwards() -> None:
    """One output, many inputs: reverse mode; the gradient of the energy is the force."""
    robot = supple.load("canadarm-spatial").replace(gravity=(1.0, -2.0, -9.81))
    q, qd, _ = random_state(robot, np.random.default_rng(3))
    V = supple.compile(robot, "potential_energy").jacobian("q")
    assert_near(V(q), supple.gravity_force(robot, q) + supple.elastic_force(robot, q), 1e-12)
    T = supple.compile(robot, "kinetic_energy").jacobian("qd")
    assert_near(T(q, qd), supple.mass_matrix(robot, q) @ qd, 1e-12)


def test_friction_is_differentiated() -> None:
    words = copy.deepcopy(supple.load("lin-lewis-rr").spec)
    words["joints"][1]["friction"] = {"coulomb": 3.0, "viscous": 0.5, "smoothing": 0.2}
    slope = supple.compile(supple.build(words), "passive_force").jacobian("qd")
    rate = np.array([0.3, 0.15])
    expected = 0.5 + 3.0 / 0.2 * (1.0 - np.tanh(0.15 / 0.2) ** 2)
    assert_near(slope(np.zeros(2), rate), [[0.0, 0.0], [0.0, expected]], 1e-13)


def test_a_robot_that_cannot_move_compiles() -> None:
    words = {"links": {"a": {"rigid": {"mass": 1}}}, "joints": [{"type": "fixed", "child": "a"}]}
    f = supple.compile(supple.build(words), "forward_dynamics")
    assert f(*[np.zeros(0)] * 3).shape == (0,)
    assert f.batch(*[np.zeros((3, 0))] * 3).shape == (3, 0)


def test_several_arguments_are_differentiated_at_once() -> None:
    f = supple.compile(supple.load("puma"), "forward_dynamics")
    x = [np.random.default_rng(k).normal(size=6) for k in range(3)]
    whole = f.jacobian("q", "qd", "tau")(*x)
    assert_near(whole, np.hstack([f.jacobian(name)(*x) for name in f.arguments]), 1e-13)
    with pytest.raises(supple.InputError, match="needs an argument"):
        f.jacobian()


def test_hessian_vector_is_the_jacobians_slope() -> None:
    robot = supple.load("lin-lewis-rf")
    function = supple.compile(robot, "inverse_dynamics")
    given = arguments(robot, function)
    v, h = np.linspace(-1, 1, robot.nq), 1e-6
    slope = function.jacobian("q")
    ours = function.hessian_vector("q")(*given, v)
    up, down = [given[0] + h * v, *given[1:]], [given[0] - h * v, *given[1:]]
    assert_near(ours, (slope(*up) - slope(*down)) / (2 * h), 1e-6)
    second = function.hessian_vector("qd")  # a second one of the same function
    assert second.arguments["v"] == robot.nv
    up, down = [given[0], given[1] + h * v, given[2]], [given[0], given[1] - h * v, given[2]]
    slope = function.jacobian("qd")
    assert_near(second(*given, v), (slope(*up) - slope(*down)) / (2 * h), 1e-6)


def test_regrouping_changes_no_force() -> None:
    for name in ("puma", "stanford", "cibicik-arm"):
        robot = supple.load(name)
        q, qd, qdd = random_state(robot, np.random.default_rng(4))
        lean = with_base_inertia(robot)
        assert_near(
            supple.inverse_dynamics(lean, q, qd, qdd),
            supple.inverse_dynamics(robot, q, qd, qdd),
            1e-12,
        )


def test_operation_counts() -> None:
    """[Saha] Table 2 prints 910 / 767 for the best algorithm at n = 6."""
    count = supple.compile(supple.load("puma"), "forward_dynamics").operations()
    assert count["multiplications"] <= 350
    assert count["additions"] <= 290


def test_odd_arguments_are_converted_or_refused() -> None:
    f = supple.compile(supple.load("puma"), "forward_dynamics")
    q, qd, tau = (np.linspace(-1, 1, 6) + k for k in range(3))
    expected = f(q, qd, tau)
    wide = np.zeros((6, 2))
    wide[:, 0] = q
    assert_near(f(wide[:, 0], qd, tau), expected, 1e-15)  # not contiguous
    assert_near(f(list(q), tuple(qd), tau.astype(np.float32).astype(float)), expected, 1e-6)
    assert_near(f(q, qd, tau, out=tau.copy()), expected, 1e-15)
    same = tau.copy()
    assert_near(f(q, qd, same, out=same), expected, 1e-15)  # the result over an argument
    for bad in (
        (q, qd),
        (q, qd, tau[:5]),
        (q, qd, tau.astype(complex)),
        (q, qd, "torque"),
        (q, qd, np.zeros((2, 6))),
        (q, qd, None),
    ):
        with pytest.raises(supple.InputError):
            f(*bad)
    fixed = np.zeros(6)
    fixed.flags.writeable = False
    for out in (fixed, np.zeros(5), np.zeros(6, dtype=np.float32), wide[:, 0], [0.0] * 6):
        with pytest.raises(supple.InputError):
            f(q, qd, tau, out=out)
    with pytest.raises(supple.InputError, match="by place"):
        f(q, qd, tau, into=fixed)


def test_odd_batches_are_handled_or_refused() -> None:
    f = supple.compile(supple.load("puma"), "forward_dynamics")
    rows = [np.random.default_rng(k).normal(size=(9, 6)) for k in range(3)]
    expected = f.batch(*rows)
    assert f.batch(*(r[:0] for r in rows)).shape == (0, 6)
    assert f.batch(*(r[0] for r in rows)).shape == (6,)
    assert_near(f.batch(rows[0][::-1], rows[1][::-1], rows[2][::-1]), expected[::-1], 1e-14)
    poisoned = rows[0].copy()
    poisoned[4] = np.nan
    got = f.batch(poisoned, rows[1], rows[2])
    assert np.isnan(got[4]).any()
    assert_near(np.delete(got, 4, axis=0), np.delete(expected, 4, axis=0), 1e-14)
    for bad in (
        (rows[0], rows[1], np.float64(1.0)),
        (rows[0], rows[1], rows[2][:, :5]),
        (rows[0], rows[1], rows[2][:4]),
        (rows[0], rows[1], rows[2].astype(complex)),
    ):
        with pytest.raises(supple.InputError):
            f.batch(*bad)
    with pytest.raises(supple.InputError):
        f.batch(*rows, threads=0)
    fixed = np.zeros((9, 6))
    fixed.flags.writeable = False
    with pytest.raises(supple.InputError):
        f.batch(*rows, out=fixed)


def test_functions_may_be_thrown_away_and_used_from_many_threads() -> None:
    robot = supple.load("lin-lewis-rr")
    for _ in range(20):
        f = supple.compile(robot, "forward_dynamics")
        kept = f.__call__
        del f
        gc.collect(1)  # what is as young as f
        kept(np.zeros(2), np.zeros(2), np.zeros(2))
    f = supple.compile(robot, "forward_dynamics")
    x, expected, wrong = np.ones(2), f(np.ones(2), np.ones(2), np.ones(2)), []

    def work() -> None:
        for _ in range(2000):
            if not np.array_equal(f(x, x, x), expected):
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert not wrong


def test_many_calls_leak_nothing() -> None:
    resource = pytest.importorskip("resource", reason="of POSIX: how much memory was taken")
    f = supple.compile(supple.load("lin-lewis-rr"), "forward_dynamics")
    x, out = np.ones(2), np.empty(2)
    for _ in range(1000):
        f(x, x, x)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(300_000):
        f(x, x, x)
        f(x, x, x, out)
        f(x, x, x, out=out)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 5000  # kilobytes


def test_the_plain_way_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where NumPy's layout cannot be trusted, calls take the way that needs no trust."""
    robot = supple.load("puma")
    fast = supple.compile(robot, "mass_matrix")
    monkeypatch.setattr(fast_call, "_entry", lambda *_: None)
    slow = supple.compile(robot, "mass_matrix")
    q, out = np.linspace(-1, 1, 6), np.empty((6, 6))
    assert np.array_equal(fast(q), slow(q))
    assert slow(q, out=out) is out
    with pytest.raises(supple.InputError):
        slow(q[:3])


def test_wrong_names_are_answered_with_the_right_ones() -> None:
    robot = supple.load("puma")
    with pytest.raises(supple.InputError, match="forward_dynamics"):
        supple.compile(robot, "forwards_dynamics")
    with pytest.raises(supple.InputError, match="station"):
        supple.compile(robot, "jacobian")
    with pytest.raises(supple.InputError, match="qdd"):
        supple.compile(robot, "inverse_dynamics").jacobian("qddd")
