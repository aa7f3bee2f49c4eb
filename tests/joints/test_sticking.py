"""Who sticks and who slides: closed forms, and all combinations tried by brute force."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import supple
from agree import assert_near
from supple.recursion import forward_dynamics, hybrid_dynamics
from supple.recursion.sticking import (
    box_friction,
    margins,
    sliding_friction,
    stick_or_slide,
    without_dry_friction,
)

G = 9.81


def held_dynamics(
    robot: supple.Robot, q: Any, qd: Any, tau: Any, held: frozenset[int], directions: Any
) -> tuple[Any, Any]:
    """Accelerations with the joints of the links `held` still, and the friction that holds them,
    others sliding as `directions` says."""
    force = tau + sliding_friction(robot, directions)
    rough, rest = without_dry_friction(robot), np.zeros(robot.nv)
    qdd, found = hybrid_dynamics(rough, q, qd, force, rest, held)
    return np.asarray(qdd, dtype=float), np.asarray(found - tau, dtype=float)


def block(slope: float, **friction: Any) -> supple.Robot:
    """2 kg on an incline."""
    joint = {"type": "prismatic", "child": "a", "axis": [1, 0, 0], "friction": friction}
    gravity = [G * np.sin(slope), 0, -G * np.cos(slope)]
    return supple.build(
        {"gravity": gravity, "links": {"a": {"rigid": {"mass": 2.0}}}, "joints": [joint]}
    )


def arm(*static: float, coulomb: Any = (1.0, 1.0, 1.0)) -> supple.Robot:
    """Links of 1 kg, 0.5 m, that hang on joints which stick."""
    links = {f"l{i}": {"rigid": LINK} for i in range(len(static))}
    joints = [
        {"type": "revolute", "child": f"l{i}", "parent": f"l{i - 1}" if i else "world"}
        | {"friction": {"coulomb": coulomb[i], "static": s, "stick": True}}
        for i, s in enumerate(static)
    ]
    return supple.build({"gravity": [0, -G, 0], "links": links, "joints": joints})


LINK = {"mass": 1.0, "com": [0.25, 0, 0], "inertia": 0.02, "length": 0.5}
REST = np.zeros(1)


def test_a_block_stays_as_long_as_static_friction_holds_it() -> None:
    robot = block(0.3, coulomb=3.0, static=6.0, stick=True)
    pull = 2.0 * G * np.sin(0.3)  # 5.8
    found = stick_or_slide(robot, REST, REST, REST)
    assert found.held == {0}
    assert found.friction == pytest.approx(-pull)
    assert margins(robot, found.held, found.friction) == pytest.approx(6.0 - pull)
    pushed = stick_or_slide(robot, REST, REST, np.array([0.5]))
    assert pushed.held == frozenset()
    assert pushed.qdd == pytest.approx((pull + 0.5 - 3.0) / 2.0)
    assert pushed.directions == pytest.approx(1.0)


def test_a_force_that_is_just_static_is_held_unless_it_was_seen_to_grow() -> None:
    robot, force = block(0.0, coulomb=3.0, static=6.0, stick=True), np.array([6.0])
    held = stick_or_slide(robot, REST, REST, force)
    assert held.held == {0}
    assert held.qdd == 0.0
    assert stick_or_slide(robot, REST, REST, force * (1 + 1e-6)).held == frozenset()
    slides = stick_or_slide(robot, REST, REST, force, loosened=[0])
    assert slides.qdd == pytest.approx((6.0 - 3.0) / 2.0)


def test_a_block_that_moves_slides_whatever_pulls() -> None:
    robot = block(0.0, coulomb=3.0, viscous=0.2, stick=True)
    found = stick_or_slide(robot, REST, np.array([-0.4]), np.array([1.0]))
    assert found.held == frozenset()
    assert found.qdd == pytest.approx((1.0 + 3.0 + 0.2 * 0.4) / 2.0)


def consistent(a: Any, f: Any, limit: Any) -> bool:
    stuck = (np.abs(a) < 1e-9) & (np.abs(f) <= limit + 1e-9)
    return bool((stuck | (np.abs(f + limit * np.sign(a)) < 1e-9)).all())


def test_friction_of_several_joints_is_the_one_that_all_combinations_leave() -> None:
    rng = np.random.default_rng(1)
    for _ in range(60):
        n = int(rng.integers(1, 5))
        X = rng.normal(size=(n, n))
        A, b, limit = X @ X.T + 0.1 * np.eye(n), 3 * rng.normal(size=n), rng.uniform(0.2, 1.5, n)
        f = box_friction(A, b, limit)
        assert consistent(b + A @ f, f, limit)
        answers = []
        for way in product((-1.0, 0.0, 1.0), repeat=n):
            way = np.array(way)
            g, stuck = -limit * way, way == 0.0
            g[stuck] = np.linalg.solve(A[np.ix_(stuck, stuck)], -(b + A @ g)[stuck])
            a = b + A @ g
            if consistent(a, g, limit) and (a * way >= -1e-12).all():
                answers.append(g)
        assert min(float(np.abs(g - f).max()) for g in answers) < 1e-9


@pytest.mark.parametrize("q", [(0.0, 0.0, 0.0), (1.4, 0.1, 0.1), (0.9, -0.4, 1.2)])
def test_an_arm_breaks_loose_where_it_must_and_nowhere_else(q: Any) -> None:
    robot, q, rest = arm(12.0, 6.0, 1.1), np.array(q), np.zeros(3)
    found = stick_or_slide(robot, q, rest, rest)
    qdd, friction = held_dynamics(robot, q, rest, rest, found.held, found.directions)
    assert_near(found.qdd, qdd, 1e-9)
    assert_near(found.friction, friction, 1e-9)
    assert (margins(robot, found.held, friction) >= -1e-12).all()
    assert ((found.directions * found.qdd)[found.directions != 0.0] > 0.0).all()
    plain = forward_dynamics(without_dry_friction(robot), q, rest, friction)
    assert_near(plain, qdd, 1e-9)


def test_one_that_breaks_loose_can_take_another_with_it() -> None:
    """A shoulder that goes on with its static friction leaves the elbow where it is; one whose
    friction falls to nothing drops the arm so fast that the elbow gives way too."""
    q, rest, tau = np.zeros(2), np.zeros(2), np.array([0.0, 2.2])
    steady, falling = arm(9.0, 0.5, coulomb=(9.0, 0.0)), arm(9.0, 0.5, coulomb=(0.0, 0.0))
    assert stick_or_slide(steady, q, rest, tau).held == {1}
    assert stick_or_slide(falling, q, rest, tau).held == frozenset()


def test_friction_takes_power_from_what_moves() -> None:
    robot, rng = arm(3.0, 2.0, 1.5), np.random.default_rng(3)
    for _ in range(10):
        q, qd, tau = rng.normal(size=(3, 3))
        qd[rng.integers(3)] = 0.0
        found = stick_or_slide(robot, q, qd, 4 * tau)
        assert found.friction @ qd <= 0.0
        assert all(found.qdd[robot.links[i].u.start] == 0.0 for i in found.held)


def test_any_dynamics_can_be_asked() -> None:
    """A joint that follows a motion: the others stick or slide under what it does to them."""
    robot, q, rest = arm(30.0, 30.0), np.zeros(2), np.zeros(2)
    known, driven = np.array([80.0, 0.0]), frozenset({0})

    def accelerate(force: Any) -> Any:
        rough = without_dry_friction(robot)
        return hybrid_dynamics(rough, q, rest, force, known, driven)[0]

    force = supple.inverse_dynamics(robot, q, rest, known)[1]
    found = stick_or_slide(robot, q, rest, rest, accelerate=accelerate)
    assert found.friction[1] == pytest.approx(force)
    assert abs(force) < 30.0


def test_a_block_dragged_by_a_spring_sticks_and_slips_as_the_closed_form_says() -> None:
    """The end of the spring goes at v. It holds until k v t = static; then the stretch swings about
    coulomb/k until the block stands again, after (2 pi - 2 phi)/omega, tan phi = A omega/v, with
    A = (static - coulomb)/k, and has gone v t + 2 A."""
    k, v, static, coulomb, mass = 50.0, 0.1, 6.0, 4.0, 2.0
    robot = block(0.0, coulomb=coulomb, static=static, stick=True)

    def tau(t: float, q: Any) -> Any:
        return np.array([k * (v * t - q[0])])

    def margin(t: float) -> float:
        _, friction = held_dynamics(robot, REST, REST, tau(t, REST), frozenset({0}), REST)
        return float(margins(robot, frozenset({0}), friction)[0])

    loose = float(brentq(margin, 0.0, 10.0, xtol=1e-13))
    assert loose == pytest.approx(static / (k * v))
    way = stick_or_slide(robot, REST, REST, tau(loose, REST), loosened=[0]).directions
    assert way == pytest.approx(1.0)

    def rate(t: float, y: Any) -> Any:
        qdd, _ = held_dynamics(robot, y[:1], y[1:], tau(t, y), frozenset(), way)
        return np.array([y[1], qdd[0]])

    def stands(t: float, y: Any) -> float:
        return float(y[1])

    stands.terminal, stands.direction = True, -1
    run = solve_ivp(rate, (loose, 99), [0, 0], events=stands, rtol=1e-10, atol=1e-12)
    omega, A = np.sqrt(k / mass), (static - coulomb) / k
    lasts = (2 * np.pi - 2 * np.arctan(A * omega / v)) / omega
    assert run.t[-1] - loose == pytest.approx(lasts, rel=1e-7)
    assert run.y[0, -1] == pytest.approx(v * lasts + 2 * A, rel=1e-7)
    end = run.y[:1, -1]
    assert stick_or_slide(robot, end, REST, tau(run.t[-1], end)).held == {0}
