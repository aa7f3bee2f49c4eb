"""Drives in runs: limited motors, elastic gears at the start and under feed-forward, stops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import supple
from supple.errors import InputError
from supple.simulation import Motion, motion_of
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


def block(**joint: Any) -> supple.Robot:
    words = {"links": {"a": {"rigid": {"mass": 2.0}}}, "gravity": [0, 0, 0]}
    slide = {"name": "x", "type": "prismatic", "axis": [1, 0, 0], "child": "a"}
    return supple.build(words | {"joints": [slide | joint]})


STICKS = {"friction": {"coulomb": 4.0, "static": 6.0, "stick": True}}


def test_a_joint_that_sticks_stands_until_static_friction_is_spent() -> None:
    """Pulled by 2 t: it stands until 3 s, exactly; then 2 t - 4 moves it."""
    run = supple.simulate(block(**STICKS), lambda t: [2.0 * t], 4.0, samples=401)
    stands = run.time <= 3.0
    assert np.all(run["x"][stands] == 0.0)
    assert np.all(run["qd"][stands] == 0.0)
    s = run.time[~stands] - 3.0
    assert np.allclose(run["x"][~stands], 0.5 * s**2 + s**3 / 6.0, atol=1e-8)
    assert run["dissipated"][-1] == pytest.approx(4.0 * run["x"][-1])
    assert run.energy_error < 1e-7


def test_a_block_dragged_by_a_spring_sticks_and_slips_without_end() -> None:
    """The end of the spring goes at v: [static - coulomb]/k = A, and each slip lasts
    (2 pi - 2 phi)/omega with tan phi = A omega/v and takes the block v t + 2 A further."""
    k, v, mass = 50.0, 0.1, 2.0
    run = supple.simulate(
        block(**STICKS), lambda t, q, qd: [k * (v * t - q[0])], 8.0, samples=801, rtol=1e-9
    )
    omega, A = np.sqrt(k / mass), 2.0 / k
    lasts = (2.0 * np.pi - 2.0 * np.arctan(A * omega / v)) / omega
    far = v * lasts + 2.0 * A
    loose = np.array([event.t for event in run.events if event.name == "x breaks loose"])
    stops = np.array([event.t for event in run.events if event.name == "x stops"])
    assert loose[0] == pytest.approx(6.0 / (k * v), abs=1e-9)
    assert stops[0] - loose[0] == pytest.approx(lasts, rel=1e-6)
    assert np.allclose(np.diff(loose), far / v, rtol=1e-6)  # the spring makes up for it
    held = (run.time > stops[0]) & (run.time < loose[1])
    assert np.allclose(run["x"][held], far, rtol=1e-6)
    assert run["dissipated"][-1] == pytest.approx(4.0 * run["x"][-1], rel=1e-9)


def test_a_braked_wheel_comes_to_a_stand_and_stays() -> None:
    robot = wheel(friction={"coulomb": 1.0, "static": 2.0, "stick": True})
    run = supple.simulate(robot, [0.5], 10.0, qd0=[1.0], samples=101)
    stop = 2.0 * 1.0 / 0.5
    assert np.all(run["qd"][run.time > stop, 0] == 0.0)
    assert run["j"][-1] == pytest.approx(0.5 * stop)
    assert run["dissipated"][-1] == pytest.approx(1.0 * 0.5 * stop)


def test_a_closed_chain_tells_that_its_friction_is_smoothed() -> None:
    words = dict(supple.load("five-bar").spec)
    words["joints"] = [dict(j) for j in words["joints"]]
    words["joints"][0]["friction"] = {"coulomb": 0.1, "stick": True}
    with pytest.warns(supple.SuppleWarning, match="joint creeps where it would stand"):
        supple.simulate(supple.build(words), None, 0.01, samples=3)


@pytest.mark.parametrize(("limit", "moves"), [(3.0, 0.0), (10.0, 1.5)])
def test_a_joint_that_sticks_behind_a_limited_motor_keeps_its_friction(
    limit: float, moves: float
) -> None:
    """(10 - 4)/2 for a second; the limit is that of the motor, not of motor and friction."""
    drive = {"gear_ratio": 1, "torque_limit": limit}
    robot = block(friction={"coulomb": 4.0, "stick": True}, drive=drive)
    run = supple.simulate(robot, [100.0], 1.0, samples=3)
    assert run["x"][-1] == pytest.approx(moves, abs=1e-9)
    assert np.allclose(run["tau"], limit)
    assert run["dissipated"][-1] == pytest.approx(4.0 * moves, abs=1e-9)
    assert not run.warnings


def test_a_fading_motor_drives_a_joint_that_sticks_to_where_friction_eats_all() -> None:
    """10 (4 - v)/2 - 4 = 2 v' from 2 m/s on: towards 3.2 m/s with 2.5/s."""
    limits = {"torque_limit": 10.0, "speed_limit": 4.0, "full_torque_speed": 2.0, "gear_ratio": 1}
    robot = block(friction={"coulomb": 4.0, "static": 6.0, "stick": True}, drive=limits)
    run = supple.simulate(robot, lambda t: [100.0 * t], 3.0, samples=301)
    loose, full = 0.06, 0.1
    v = 25 * (full**2 - loose**2) - 2 * (full - loose)  # until the limit is reached
    late = full + (2.0 - v) / 3.0
    after = run.time > late
    exact = 3.2 - 1.2 * np.exp(-2.5 * (run.time[after] - late))
    assert run.events[0].t == pytest.approx(loose, abs=1e-11)
    assert np.allclose(run["qd"][after, 0], exact, rtol=1e-7)


def test_friction_turns_round_when_a_reset_turns_the_joint() -> None:
    """From 3 m/s against 2 m/s^2: at 1 m with sqrt(5), back with it, and 1.25 m until it stands."""
    turn = supple.Event("x - 1", "reset", then=lambda at: (at.q, -at.qd))
    run = supple.simulate(block(**STICKS), None, 2.0, qd0=[3.0], events=[turn], samples=41)
    assert run["x"][-1] == pytest.approx(1.0 - 1.25, abs=1e-7)
    assert run["qd"][-1, 0] == 0.0
    assert np.all(np.diff(run["dissipated"]) >= -1e-12)


@pytest.mark.parametrize("closed", [True, False])
def test_a_pulse_that_breaks_a_joint_loose_is_followed(closed: bool) -> None:
    """(100 - 4)/2 m/s^2 for 10 ms, then 2 m/s^2 against 0.48 m/s: 0.24 s more, 60 mm in all."""

    def pulse(t: float) -> list[float]:
        begun = t >= 0.5 if closed else t > 0.5
        return [100.0 if begun and t < 0.51 else 0.0]

    run = supple.simulate(block(**STICKS), pulse, 1.0, samples=11)
    assert [at.name for at in run.events] == ["x breaks loose", "x stops"]
    assert [at.t for at in run.events] == pytest.approx([0.5, 0.75], abs=1e-9)
    assert run["x"][-1] == pytest.approx(0.06, abs=1e-9)
    assert run["qd"][-1, 0] == 0.0


def test_a_force_that_is_just_static_is_held_and_one_beyond_is_not() -> None:
    for torque in ([6.0], [-6.0], lambda t: [np.minimum(12.0 * t, 6.0)]):
        run = supple.simulate(block(**STICKS), torque, 1.0, samples=3)
        assert np.all(run["q"] == 0.0)
    for more in (1e-10, 1e-6):
        run = supple.simulate(block(**STICKS), [6.0 + more], 1.0, samples=3)
        assert run["x"][-1] == pytest.approx(0.5, abs=1e-5)


def test_two_joints_that_stop_together_stand_both() -> None:
    """Two equal blocks side by side, 2 m/s^2 against 1 m/s: 0.25 m each, at 0.5 s."""
    slide = {"type": "prismatic", "axis": [1, 0, 0]} | STICKS
    joints = [slide | {"name": "x", "child": "a"}, slide | {"name": "y", "child": "b"}]
    links = {"a": {"rigid": {"mass": 2.0}}, "b": {"rigid": {"mass": 2.0}}}
    robot = supple.build({"links": links, "gravity": [0, 0, 0], "joints": joints})
    run = supple.simulate(robot, None, 1.0, qd0=[1.0, -1.0], samples=5)
    assert [at.name for at in run.events] == ["x stops", "y stops"]
    assert run["q"][-1] == pytest.approx([0.25, -0.25], abs=1e-10)
    assert np.all(run["qd"][-1] == 0.0)


def test_a_sampled_controller_keeps_its_instants_while_joints_stick_and_slide() -> None:
    """Asked every 50 ms, held in between: a stick-slip run as under the table of what it said."""
    asked: list[float] = []

    def pull(t: float, q: Any, qd: Any) -> list[float]:
        asked.append(t)
        return [50.0 * (0.2 * t - q[0])]

    run = supple.simulate(block(**STICKS), supple.Sampled(pull, 0.05), 3.0, samples=61)
    assert asked == pytest.approx(0.05 * np.arange(60), abs=1e-12)
    assert len(run.events) >= 3
    held = np.repeat([50.0 * (0.2 * t - x) for t, x in zip(run.time, run["x"], strict=True)], 2)
    edges = np.repeat(run.time, 2)[1:]
    edges[1::2] -= 1e-10
    again = supple.simulate(block(**STICKS), (edges[:-1], held[:-2, None]), 3.0, samples=61)
    assert np.allclose(run["x"], again["x"], atol=1e-7)


def test_a_force_that_jumps_where_another_joint_passes_breaks_a_joint_loose() -> None:
    """y goes at 1 m/s; from 0.5 m on x is pulled with (100 - 4)/2 m/s^2: 6 m in half a second."""
    slide = {"type": "prismatic", "axis": [1, 0, 0]}
    joints = [slide | {"name": "x", "child": "a"} | STICKS, slide | {"name": "y", "child": "b"}]
    links = {"a": {"rigid": {"mass": 2.0}}, "b": {"rigid": {"mass": 2.0}}}
    robot = supple.build({"links": links, "gravity": [0, 0, 0], "joints": joints})
    law = lambda t, q, qd: [100.0 if q[1] > 0.5 else 0.0, 0.0]  # noqa: E731
    run = supple.simulate(robot, law, 1.0, qd0=[0.0, 1.0], samples=5)
    assert [at.t for at in run.events] == pytest.approx([0.5], abs=1e-12)
    assert run["x"][-1] == pytest.approx(6.0, abs=1e-7)
