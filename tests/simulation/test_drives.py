"""Drives in runs: limited motors, elastic gears at the start and under feed-forward, stops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import supple
from supple.errors import InputError
from supple.simulation.motion import Motion, motion_of
from supple.simulation.prescribed import prescribed_motion


def wheel(**joint: Any) -> supple.Robot:
    words = {"links": {"a": {"rigid": {"mass": 1.0, "inertia": 2.0}}}, "gravity": [0, 0, 0]}
    return supple.build(
        words | {"joints": [{"name": "j", "type": "revolute", "child": "a"} | joint]}
    )


def test_a_limited_motor_gives_what_it_can() -> None:
    robot = wheel(drive={"torque_limit": 3.0, "gear_ratio": 1.0})
    run = supple.simulate(robot, [10.0], 2.0, samples=5)
    assert np.allclose(run["tau"], 3.0)
    assert run["qd"][-1, 0] == pytest.approx(3.0 / 2.0 * 2.0)
    assert run["work"][-1] == pytest.approx(0.5 * 2.0 * 3.0**2)


def test_a_motor_near_its_speed_limit_gets_no_faster() -> None:
    """From 2 rad/s on torque fades to zero at 4: an exponential towards it."""
    limits = {"torque_limit": 3.0, "speed_limit": 4.0, "full_torque_speed": 2.0, "gear_ratio": 1.0}
    run = supple.simulate(wheel(drive=limits), [10.0], 8.0, samples=81)
    late = run.time > 2.0 * 2.0 / 3.0
    fade = 3.0 / (2.0 * 2.0)
    exact = 4.0 - 2.0 * np.exp(-fade * (run.time[late] - 4.0 / 3.0))
    assert np.allclose(run["qd"][late, 0], exact, rtol=1e-6)


def test_feed_forward_of_a_geared_arm_drives_its_motors() -> None:
    """With gears a thousand times as stiff the arm follows as if they were rigid."""
    arm = supple.load("flexible-joint-arm")
    names = {"shoulder.drive.stiffness": 8e6, "elbow.drive.stiffness": 3.5e6}
    stiff = arm.with_parameters({n: v for n, v in names.items() if n in arm.parameter_names})
    laws = prescribed_motion(arm, {"shoulder": "0.3*t**2*(3-2*t)", "elbow": "-0.2*t**2*(3-2*t)"})
    motion = motion_of(arm, dict(zip(laws.names, laws.laws, strict=True)), 1.0)
    assert isinstance(motion, Motion)
    tau = supple.feedforward(arm, motion)(0.5, arm.home(), np.zeros(arm.nv))
    joints = [arm.velocity_names.index(n) for n in ("shoulder", "elbow")]
    assert np.all(tau[joints] == 0.0)
    assert np.all(tau[[k for k in range(arm.nv) if k not in joints]] != 0.0)
    assert stiff.nv == arm.nv


def test_a_motion_starts_with_its_gears_unwound() -> None:
    arm = supple.load("flexible-joint-arm")
    run = supple.simulate(arm, None, 1e-3, q0={"shoulder": 0.2}, samples=2)
    assert run["shoulder.motor"][0] == pytest.approx(100 * 0.2)
    sagging = supple.simulate(arm, None, 1e-3, q0={"shoulder": 0.2}, at_rest=True, samples=2)
    assert sagging["shoulder"][0] < 0.2 - 1e-4  # under its own weight


def test_a_start_beyond_the_stops_is_refused() -> None:
    robot = wheel(stops={"lower": -1.0, "upper": 1.0, "stiffness": 1e4})
    with pytest.raises(InputError, match="beyond its stops"):
        supple.simulate(robot, None, 1.0, q0=[1.2])


def test_stops_give_the_energy_back_between_impacts() -> None:
    robot = wheel(stops={"lower": -0.1, "upper": 0.1, "stiffness": 1e5})
    run = supple.simulate(robot, None, 1.0, qd0=[1.0], samples=401)
    inside = np.abs(run["j"]) < 0.0999
    assert inside.sum() > 100
    assert np.allclose(np.abs(run["qd"][inside, 0]), 1.0, rtol=1e-6)
    assert run.energy_error < 1e-6
    half = 0.2 + np.pi * np.sqrt(2.0 / 1e5)  # across, and in the stop
    crossings = run.time[1:][np.diff(np.sign(run["qd"][:, 0])) != 0]
    assert np.allclose(np.diff(crossings), half, atol=2 * run.time[1])
