"""Regulators: closed forms, the cost of a run, and what cannot be held."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import supple
from sliders import beam_on_a_slide, carried, pendulum, slider
from supple import InputError


def test_gains_of_a_mass_are_the_closed_form() -> None:
    """m x'' = u: K = (sqrt(a/r), sqrt(2 m sqrt(a/r) + b/r))."""
    m, a, b, r = 2.0, 5.0, 3.0, 0.4
    made = supple.lqr(slider(m), {"x": a, "d/dt x": b}, r)
    first = np.sqrt(a / r)
    assert made.K[0] == pytest.approx([first, np.sqrt(2 * m * first + b / r)])
    assert made.poles.sum() == pytest.approx(-made.K[0, 1] / m)


def test_the_cost_of_a_run_is_what_the_equation_of_riccati_says() -> None:
    robot = beam_on_a_slide(2)
    made = supple.lqr(robot, 10.0, 0.5)
    q0 = np.array([0.05, 0.001, 0.0])
    run = supple.simulate(robot, made, 12.0, q0=q0, samples=40_001)
    x = np.concatenate([run["q"], run["qd"]], axis=1)
    u = -x @ made.K[0]
    cost = np.trapezoid(10.0 * (x * x).sum(axis=1) + 0.5 * u * u, run.time)
    assert cost == pytest.approx(x[0] @ made.P @ x[0], rel=1e-3)
    assert run.inputs == "all inputs run natively"


def test_an_inverted_pendulum_is_held_upright() -> None:
    robot = pendulum()
    made = supple.lqr(robot, 1.0, 0.1, q={"angle": np.pi})
    assert np.max(np.linalg.eigvals(made.A).real) == pytest.approx(np.sqrt(9.81))
    assert made.poles.real.max() < 0.0
    run = supple.simulate(robot, made, 8.0, q0=[np.pi - 0.3])
    assert run["q"][-1, 0] == pytest.approx(np.pi, abs=1e-6)


def test_one_motor_holds_a_carriage_and_the_mass_on_its_spring() -> None:
    robot = carried(30.0)
    made = supple.lqr(robot, 1.0, 0.1, coordinates=["x"])
    run = supple.simulate(robot, made, 40.0, q0=[0.2, 0.1], samples=5)
    assert np.abs(run["q"][-1]).max() < 1e-4
    assert not run["tau"][:, 1].any()


def test_a_regulator_of_a_bending_arm_starts_from_its_shapes_at_rest() -> None:
    robot = supple.load("piedboeuf-arm")
    made = supple.lqr(robot, 1.0, 1.0)
    rest = supple.statics(robot, robot.home())
    assert made.q == pytest.approx(rest.q, abs=1e-9)
    assert made.tau == pytest.approx(rest.tau, abs=1e-6)
    run = supple.simulate(robot, made, 0.5, q0=made.q, samples=3)
    assert run["q"][-1] == pytest.approx(made.q, abs=1e-7)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: supple.lqr(pendulum(), 1, 1, coordinates=["elbow"]), "no coordinate named"),
        (lambda: supple.lqr(slider(), [1, 2, 3], 1), "Q is .*give a number, 2 numbers"),
        (lambda: supple.lqr(slider(), {"y": 1}, 1), "no state named 'y' in Q"),
        (lambda: supple.lqr(slider(), -1, 1), "negative weight"),
        (lambda: supple.lqr(slider(), 1, 0), "every motor needs a cost"),
        (lambda: supple.lqr(slider(), 1, [1, 2]), "R is"),
        (lambda: supple.lqr(slider(), 0, 1), "Riccati|neither"),
        (
            lambda: supple.lqr(carried(30.0, 0.0), 1, 1, q=[0.0, 0.1], coordinates=["x"]),
            "is not at rest there: y would accelerate",
        ),
        (lambda: supple.lqr(_apart(), 1, 1, coordinates=["x"]), "no motor reaches a motion of z"),
        (lambda: supple.lqr(supple.load("space-robot"), 1, 1), "quaternion"),
        (lambda: supple.simulate(pendulum(), supple.lqr(slider(), 1, 1), 1.0), "regulator is of"),
    ],
)
def test_what_cannot_be_held_is_told(make: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        make()


def _apart() -> supple.Robot:
    """Two masses that know nothing of each other."""
    rigid = {"rigid": {"mass": 1.0}}
    joints = [
        {"name": n, "type": "prismatic", "axis": a, "child": c}
        for n, a, c in (("x", [1, 0, 0], "a"), ("z", [0, 0, 1], "b"))
    ]
    return supple.build({"links": {"a": rigid, "b": rigid}, "gravity": [0, 0, 0], "joints": joints})


@pytest.mark.parametrize("where", [None, {"shoulder": 0.5, "elbow": -0.3}])
def test_a_robot_on_elastic_gears_is_held_where_its_weight_winds_them_up(where: Any) -> None:
    """Motors stay, joints sag until K (theta / r - q) = g(q); the motors carry g(q) / r."""
    robot = supple.load("flexible-joint-arm")
    made = supple.lqr(robot, 1.0, 1.0, q=where)
    for gear in robot.gears:
        motor, joint = (robot.links[k].q.start for k in (gear.motor, gear.link))
        wind = made.q[motor] / gear.ratio - made.q[joint]
        assert made.tau[motor] == pytest.approx(gear.stiffness * wind / gear.ratio, rel=1e-6)
        assert made.q[motor] == pytest.approx(
            gear.ratio * (where or {}).get(robot.links[gear.link].joint_name, 0.0)
        )
    run = supple.simulate(robot, made, 1.0, q0=made.q, samples=3)
    assert np.abs(run["q"] - made.q).max() < 1e-6


def test_a_posture_in_which_gears_are_said_to_be_wound_otherwise_is_refused() -> None:
    with pytest.raises(InputError, match="not at rest there"):
        supple.lqr(
            supple.load("flexible-joint-arm"), 1.0, 1.0, q={"shoulder": 0.5, "shoulder.motor": 50.0}
        )
