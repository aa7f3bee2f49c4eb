"""Stops and limits of motors against their formulas."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import supple
from agree import assert_near
from supple.checks import between_stops

STOPS = {"lower": -0.2, "upper": 0.5, "stiffness": 300.0}


def slider(**words: Any) -> supple.Robot:
    joint = {"name": "x", "type": "prismatic", "child": "a", **words}
    return supple.build(
        {"gravity": [0, 0, 0], "links": {"a": {"rigid": {"mass": 2.0}}}, "joints": [joint]}
    )


@pytest.mark.parametrize(("x", "beyond"), [(0.3, 0.0), (0.6, 0.1), (-0.25, -0.05)])
def test_a_stop_is_a_spring_beyond_it(x: float, beyond: float) -> None:
    robot = slider(stops=STOPS)
    assert supple.elastic_force(robot, [x]) == pytest.approx(300.0 * beyond)
    assert supple.potential_energy(robot, [x]) == pytest.approx(150.0 * beyond**2)


def test_a_stop_never_pulls() -> None:
    robot = slider(stops=STOPS | {"damping": 0.4})
    for rate in (-50.0, -2.6, -2.4, 0.0, 3.0):
        push = supple.passive_force(robot, [0.6], [rate])[0]
        assert push == pytest.approx(30.0 * max(1.0 + 0.4 * rate, 0.0))
        push = supple.passive_force(robot, [-0.3], [-rate])[0]
        assert push == pytest.approx(-30.0 * max(1.0 + 0.4 * rate, 0.0))


def test_what_goes_into_a_stop_comes_out_less_what_it_takes() -> None:
    """Work along a path into the stop and out again, by quadrature."""
    robot = slider(stops=STOPS | {"damping": 0.7})
    t = np.linspace(0.0, np.pi, 4001)
    x, v = 0.45 + 0.2 * np.sin(t), 0.2 * np.cos(t)
    force = np.array([supple.passive_force(robot, [a], [b])[0] for a, b in zip(x, v, strict=True)])
    spring = np.array([supple.elastic_force(robot, [a])[0] for a in x])
    work, stored, lost = (np.trapezoid(f * v, t) for f in (force, spring, force - spring))
    assert stored == pytest.approx(0.0, abs=1e-9)
    assert work == pytest.approx(lost, abs=1e-9)
    assert ((force - spring) * v).min() >= 0.0
    assert lost == pytest.approx(0.7 * 300 * np.trapezoid(np.maximum(x - 0.5, 0) * v**2, t))


@pytest.mark.parametrize("damping", [0.0, 0.5])
def test_a_bounce_has_the_closed_form_of_its_law(damping: float) -> None:
    """v dv = -k x (1 + d v) dx / m: f(v) = int v dv / (1 + d v) is the same before and after."""
    robot, fast = slider(stops=STOPS | {"damping": damping}), 0.8
    run = supple.simulate(robot, None, 0.9, q0=[0.4], qd0=[fast], samples=91, rtol=1e-10)
    back = -run["qd"][-1, 0]
    assert run["x"].max() > 0.52
    assert run["x"][-1] < 0.45

    def f(v: float) -> float:
        return v / damping - np.log1p(damping * v) / damping**2

    if damping == 0.0:
        assert back == pytest.approx(fast, rel=1e-7)
    else:
        assert f(-back) == pytest.approx(f(fast), rel=1e-6)
        assert run["dissipated"][-1] == pytest.approx(fast**2 - back**2, rel=1e-6)


def test_slopes_at_the_edge_of_a_stop_are_finite() -> None:
    robot = slider(stops=STOPS)
    slope = supple.compile(robot, "elastic_force").jacobian("q")
    assert [float(slope([x])[0, 0]) for x in (0.49, 0.5, 0.51)] == [0.0, 0.0, 300.0]


def test_a_start_beyond_the_stops_is_told_with_the_joint_and_its_stops() -> None:
    robot = slider(stops=STOPS)
    assert_near(between_stops(robot, np.array([0.5])), [0.5], 0.0)
    with pytest.raises(supple.InputError, match=r"joint x is 0.6, beyond its stops at -0.2 and"):
        between_stops(robot, np.array([0.6]))


LIMITS = {"gear_ratio": 2.0, "torque_limit": 3.0, "speed_limit": 40.0, "full_torque_speed": 30.0}


@pytest.mark.parametrize(
    ("asked", "rate", "given"),
    [  # seen at the joint: 6 N, full up to 15 m/s, none from 20 m/s on
        (5.0, 0.0, 5.0),
        (9.0, 0.0, 6.0),
        (-9.0, 14.0, -6.0),
        (9.0, 17.5, 3.0),
        (-9.0, -17.5, -3.0),
        (2.0, 17.5, 2.0),
        (9.0, 25.0, 0.0),
        (-9.0, 25.0, -6.0),
    ],
)
def test_a_motor_gives_what_its_limits_leave(asked: float, rate: float, given: float) -> None:
    robot = slider(drive=LIMITS)
    assert supple.motor_torque(robot, [rate], [asked]) == pytest.approx(given)
    assert supple.compile(robot, "motor_torque")([rate], [asked]) == pytest.approx(given)


def test_limits_of_an_elastic_gear_are_the_motors_own() -> None:
    robot = slider(drive=LIMITS | {"stiffness": 10.0, "rotor_inertia": 0.1})
    assert_near(supple.motor_torque(robot, [35.0, 0.0], [9.0, 7.0]), [1.5, 7.0], 1e-12)


def test_a_motor_without_limits_gives_what_is_asked() -> None:
    assert supple.motor_torque(slider(), [1e3], [-1e6]) == pytest.approx(-1e6)
