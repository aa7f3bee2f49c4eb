"""Runs of closed chains: loops stay closed, singular places are seen, starts are what was asked."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import supple
from agree import assert_near
from quick_runs import quick_run
from supple import InputError, SimulationError, SuppleWarning
from supple.loops.rows import kept_rows
from supple.simulation import Motion

DEG = np.pi / 180


def quietly(*args: Any, **options: Any) -> supple.Result:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SuppleWarning)
        return supple.simulate(*args, **options)


def four_bar(bends: bool = True, gravity: float = -9.81) -> supple.Robot:
    """A coupler that may bend between two rockers."""
    modes = {"modes": {"bending_y": 2}} if bends else {}
    words = {
        "gravity": [0, gravity, 0],
        "links": {
            "crank": {"beam": {"length": 0.3, "mass": 1.0}},
            "coupler": {"beam": {"length": 0.8, "mass": 0.6, "EI": 40.0, **modes}},
            "rocker": {"beam": {"length": 0.5, "mass": 1.2}},
        },
        "joints": [
            {"name": "a", "type": "revolute", "child": "crank"},
            {"name": "b", "type": "revolute", "parent": "crank", "child": "coupler"},
            {
                "name": "c",
                "type": "revolute",
                "child": "rocker",
                "origin": {"xyz": [0.7, 0, 0]},
            },
        ],
        "loops": [{"name": "pin", "type": "revolute", "between": ["coupler.tip", "rocker.tip"]}],
        "actuated": ["a"],
        "guess": {"a": 1.0, "b": -0.8, "c": 1.5},
    }
    return supple.build(words)


def test_free_fall_of_the_five_bar_is_the_references(reference: Any) -> None:
    fall = reference("saha_fivebar")["cases"][0]["free_fall_eq36"]
    start = dict(zip(("motor1", "motor2"), fall["theta1_0"], strict=True))
    robot = supple.load("five-bar")
    with pytest.warns(SuppleWarning, match=r"t = 1\.36672 s: there elbow1, elbow2 can move"):
        run = supple.simulate(robot, None, 1.5, q0=start, samples=61, rtol=1e-10, atol=1e-12)
    for point in fall["samples"]:
        k = int(np.argmin(np.abs(run.time - point["t"])))
        if abs(run.time[k] - point["t"]) > 1e-12:
            continue
        assert run["q"][k, [0, 2]] == pytest.approx(point["theta1"], abs=1e-8)
        assert run["qd"][k, [0, 2]] == pytest.approx(point["theta1_d"], abs=1e-7)
    assert np.abs(run["closure"]).max() < 1e-13
    assert run.data.attrs["motors_singular"] == pytest.approx([fall["singularity"]["t"]], abs=1e-9)


def test_the_scrapers_crank_needs_the_references_torque(reference: Any) -> None:
    """Prescribed to turn at 45 rpm: the reaction is the driving torque, all along."""
    case = reference("saha_carpet_scraper")["cases"][0]
    robot = supple.load("carpet-scraper")
    crank = robot.actuated[0]
    rate = 45 * 2 * np.pi / 60
    run = quietly(robot, None, 4 / 3, prescribed={crank: f"{rate}*t"}, samples=721)
    for point in case["points"]:
        k = int(np.argmin(np.abs(run.time - point["t"])))
        assert run.time[k] == pytest.approx(point["t"], abs=1e-12)
        assert run["reaction"][k, 0] == pytest.approx(point["tau_D"], abs=2e-6)
    assert np.abs(run["constraint_power"]).max() < 1e-9
    work = run["work"][-1] / (4 / 3) / rate  # mean torque over a cycle
    assert abs(work) < 1e-6


def test_feed_forward_moves_the_five_bar_along_its_motion(reference: Any) -> None:
    robot = supple.load("five-bar")
    run = quietly(robot, motion="paper", duration=4.0, samples=5)  # later it falls: unstable
    assert run["q"][:, [0, 2]] == pytest.approx(run["desired"], abs=1e-5)
    points = reference("saha_fivebar")["cases"][0]["inverse_dynamics_eq35"]["points"]
    for point in points:
        k = int(np.argmin(np.abs(run.time - point["t"])))
        if abs(run.time[k] - point["t"]) < 1e-9:
            assert run["tau"][k, [0, 2]] == pytest.approx(point["tau"], abs=1e-8)
    assert np.all(run["tau"][:, [1, 3]] == 0.0)


@pytest.mark.parametrize("method", ["auto", "RK45", "Radau", "BDF", "LSODA"])
def test_energy_and_loops_of_a_bending_four_bar_are_kept(method: str) -> None:
    robot = four_bar()
    run = quietly(robot, None, 0.3, method=method, rtol=1e-7, atol=1e-10, samples=31)
    total = run["kinetic"] + run["gravity"] + run["elastic"]
    assert np.abs(total - total[0]).max() < 1e-5
    assert np.abs(run["closure"]).max() < 1e-12
    assert np.abs(run["q"][-1] - run["q"][0]).max() > 0.1


def test_a_bending_four_bar_falls_for_a_second_whatever_the_tolerance() -> None:
    """It was once refused at 0.24 s, as not satisfying the equations."""
    robot = supple.load("four-bar-flexible")
    fine, rough = (
        quietly(robot, None, 1.0, samples=101, rtol=rtol, atol=1e-2 * rtol)
        for rtol in (1e-10, 1e-6)
    )
    assert fine.energy_error < 1e-11
    assert np.allclose(fine["q"], rough["q"], rtol=0.0, atol=1e-6)


def test_the_result_has_the_forces_of_the_cuts(tmp_path: Any) -> None:
    robot = four_bar()
    run = supple.simulate(robot, [0.7], 0.2, samples=5)
    for k in range(5):
        forces = supple.multipliers(robot, run["q"][k], run["qd"][k], run["tau"][k])
        assert run["multipliers"][k] == pytest.approx(forces, rel=1e-9, abs=1e-9)
    assert np.abs(run["constraint_power"]).max() < 1e-10
    names = [str(x) for x in run.data["cut"].values]
    assert names == ["pin.nx", "pin.ny", "pin.fx", "pin.fy", "pin.fz"]
    again = supple.load_result(run.save(tmp_path / "run.nc"))
    assert np.array_equal(again["multipliers"], run["multipliers"])


def test_stiff_coupler_and_rigid_one_move_alike() -> None:
    soft = quietly(four_bar(), None, 0.2, samples=3)
    stiff = quietly(four_bar().with_parameters({"coupler.beam.EI": 4e5}), None, 0.2, samples=3)
    rigid = quietly(four_bar(bends=False), None, 0.2, samples=3)
    joints = four_bar().joint_indices
    apart = [np.abs(x["q"][-1, joints] - rigid["q"][-1]).max() for x in (soft, stiff)]
    assert apart[1] < 1e-4
    assert apart[0] > 10 * apart[1]


def test_some_joints_by_name_the_loops_put_the_rest() -> None:
    robot = supple.load("five-bar")
    run = quietly(robot, None, 0.1, q0={"motor1": 40 * DEG}, qd0={"motor1": 0.5}, samples=3)
    assert run["q"][0, 0] == pytest.approx(40 * DEG, abs=1e-12)
    assert run["qd"][0, 0] == pytest.approx(0.5)
    J = supple.closure_jacobian(robot, run["q"][0])
    assert np.abs(J @ run["qd"][0]).max() < 1e-12


WRONG_STARTS = {
    "a place out of reach": ({"q0": {"motor1": 0.0, "motor2": 0.0, "elbow1": 3.0}}, "stays open"),
    "all coordinates, open": ({"q0": [0.1, 0.2, 0.3, 0.4]}, "loop point .* is open by"),
    "rates that open it": ({"qd0": [1.0, 0.0, 0.0, 0.0]}, "loop point .* opens at"),
    "too many rates": (
        {"qd0": {"motor1": 1.0, "motor2": 0.0, "elbow1": 0.3, "elbow2": -0.2}},
        "do not allow these rates",
    ),
}


@pytest.mark.parametrize("case", WRONG_STARTS)
def test_starts_that_loops_do_not_allow_are_refused(case: str) -> None:
    options, words = WRONG_STARTS[case]
    with pytest.raises(InputError, match=words):
        supple.simulate(supple.load("five-bar"), None, 0.1, **options)


def test_torques_may_be_those_of_the_motors_alone() -> None:
    robot = supple.load("five-bar")
    both = [
        quietly(robot, torque, 0.1, samples=3)["q"][-1]
        for torque in ([1.0, -2.0], [1.0, 0.0, -2.0, 0.0], lambda t: [1.0, -2.0])
    ]
    assert both[1] == pytest.approx(both[0], abs=1e-12)
    assert both[2] == pytest.approx(both[0], abs=1e-12)


def slider_crank() -> supple.Robot:
    """Crank of 0.3 m, rod of 0.8 m: the slider reaches 1.1 m."""
    crank = {"rigid": {"mass": 1, "com": [0.15, 0, 0], "inertia": 0.01, "length": 0.3}}
    rod = {"rigid": {"mass": 1, "com": [0.4, 0, 0], "inertia": 0.05, "length": 0.8}}
    words = {
        "name": "pump",
        "gravity": [0, 0, 0],
        "links": {"a": crank, "b": rod, "p": {"rigid": {"mass": 1, "inertia": 0.1}}},
        "joints": [
            {"name": "crank", "type": "revolute", "child": "a"},
            {"name": "rod", "type": "revolute", "parent": "a", "child": "b"},
            {"name": "slider", "type": "prismatic", "axis": [1, 0, 0], "child": "p"},
        ],
        "loops": [{"name": "pin", "type": "revolute", "between": ["b.tip", "p"]}],
        "actuated": ["slider"],
        "guess": {"crank": 0.5, "rod": -0.7, "slider": 1.0},
    }
    return supple.build(words)


PUMP = slider_crank()


@pytest.mark.parametrize(
    ("law", "words"),
    [
        ("1.0 + 0.2*t", r"stopped at t = 0\.5 s: with slider prescribed"),  # on, beyond 1.1
        ("1.1 - 0.1*(t - 1)**2", r"energy.*With slider prescribed"),  # a sample just there
        ("1.1 - 0.1*t**2", r"stopped at t = .*: with slider prescribed"),  # from there
    ],
)
def test_a_slider_prescribed_to_its_dead_centre_is_told_with_loop_and_place(law, words) -> None:
    """Crank and rod in one line push along x alone."""
    where = r" pump is singular at crank = .*, slider = 1\.1: .* loop pin .* by sliding along x"
    with pytest.raises(SimulationError, match=words + where):
        quietly(PUMP, None, 2.0, prescribed={"slider": law}, samples=11)


def test_a_run_through_a_dead_centre_tells_when_the_slider_lost_its_hold() -> None:
    """The crank goes on through it, at the angle of the triangle."""
    with pytest.warns(SuppleWarning, match=r"prescribed joints of pump lose .* at t = 1\.03 s"):
        run = supple.simulate(
            PUMP, None, 2.0, prescribed={"slider": "1.1 - 0.1*(t - 1.03)**2"}, samples=11
        )
    s = 1.1 - 0.1 * (run.time - 1.03) ** 2
    angle = np.arccos((0.3**2 + s**2 - 0.8**2) / (2.0 * 0.3 * s))
    assert_near(run["crank"], np.sign(1.03 - run.time) * angle, 1e-6)


def test_prescribing_more_than_the_loops_leave_is_refused() -> None:
    robot = supple.load("five-bar")
    laws = dict.fromkeys(("motor1", "motor2", "elbow1"), "0.5 + 0.1*t")
    with pytest.raises(InputError):
        supple.simulate(robot, None, 0.1, prescribed=laws)


def test_a_motion_where_the_loops_do_not_close_is_refused() -> None:
    robot = supple.load("five-bar")
    motion = Motion(
        ("motor1", "motor2"),
        (lambda t: (0.5236 + 2.6 * t, 2.6, 0.0), lambda t: (0.5236 - 0.5 * t, -0.5, 0.0)),
        1.0,
    )
    with pytest.raises(InputError, match="its loops do not close: at t = "):
        supple.simulate(robot, motion=motion)


def test_a_start_at_a_singular_place_is_refused() -> None:
    """A parallelogram that lies flat: its loop holds one direction less there."""
    rod = {"beam": {"length": 1.0, "mass": 1.0}}
    words = {
        "gravity": [0, -9.81, 0],
        "links": {"left": rod, "top": rod, "right": rod},
        "joints": [
            {"name": "a", "type": "revolute", "child": "left"},
            {"name": "b", "type": "revolute", "parent": "left", "child": "top"},
            {"name": "c", "type": "revolute", "child": "right", "origin": {"xyz": [1, 0, 0]}},
        ],
        "loops": [{"name": "pin", "type": "revolute", "between": ["top.tip", "right.tip"]}],
        "actuated": ["a"],
        "guess": {"a": 1.0, "b": -1.0, "c": 1.0},
    }
    robot = supple.build(words)
    for start in ([0.0, 0.0, 0.0], {"a": 0.0}):
        with pytest.raises(InputError, match=r"singular at this q: loop pin no longer holds"):
            supple.simulate(robot, None, 1.0, q0=start)
    run = quietly(robot, None, 1.0, q0={"a": 0.5}, samples=3)
    assert len(run.data.attrs["loops_singular"]) > 0
    assert any("loop pin no longer holds its sides against sliding" in w for w in run.warnings)


def test_a_stewart_platform_turned_by_a_right_angle_loses_its_motors() -> None:
    """Fichter's singular place; the time by the determinant's sign, sampled."""
    robot = supple.load("stewart").replace(gravity=(0, 0, 0))
    rates = {f"pose.{x}": 0.0 for x in ("wx", "wy", "vx", "vy", "vz")} | {"pose.wz": 3.0}
    with warnings.catch_warnings(), quick_run():
        warnings.simplefilter("error", RuntimeWarning)
        warnings.simplefilter("ignore", SuppleWarning)
        run = supple.simulate(robot, None, 0.7, qd0=rates, samples=1401)
        J = supple.compile(robot, "closure_jacobian").batch(run["q"])
    passive = [k for k in robot.joint_indices if k not in robot.motor_indices]
    signs, _ = np.linalg.slogdet(J[:, list(kept_rows(robot))][:, :, passive])
    (k,) = np.flatnonzero(np.diff(signs))
    for n in (k, k + 1):
        assert_near(J[n], supple.closure_jacobian(robot, run["q"][n]), 1e-12)
    (found,) = run.data.attrs["motors_singular"]
    assert run.time[k] <= found <= run.time[k + 1]
    assert not any("energy" in words for words in run.warnings)


def test_small_mechanisms_are_checked_by_their_own_size() -> None:
    small = supple.build(scaled(1e-3))
    q = small.home()
    with pytest.raises(InputError, match="is open by"):
        supple.forward_dynamics(small, q + np.array([0, 0.02, 0]), np.zeros(3), np.zeros(3))
    with pytest.raises(InputError, match="opens at"):
        supple.forward_dynamics(small, q, [1.0, 0.0, 0.0], np.zeros(3))
    with pytest.raises(InputError, match="is open by"):
        supple.simulate(small, None, 0.01, q0=q + np.array([0, 0.1, 0]))


def scaled(size: float) -> dict[str, Any]:
    """A rigid four-bar of this size."""
    rods = {"crank": 0.3, "coupler": 0.9, "rocker": 0.7}
    return {
        "gravity": [0, -9.81, 0],
        "links": {n: {"beam": {"length": size * x, "mass": x}} for n, x in rods.items()},
        "joints": [
            {"name": "a", "type": "revolute", "child": "crank"},
            {"name": "b", "type": "revolute", "parent": "crank", "child": "coupler"},
            {
                "name": "c",
                "type": "revolute",
                "child": "rocker",
                "origin": {"xyz": [0.8 * size, 0, 0]},
            },
        ],
        "loops": [{"name": "pin", "type": "revolute", "between": ["coupler.tip", "rocker.tip"]}],
        "actuated": ["a"],
        "guess": {"a": 1.0, "b": -0.4, "c": 1.35},
    }


def test_whole_turns_of_a_start_by_name_are_taken_at_once() -> None:
    robot = supple.build(scaled(1.0))
    near = quietly(robot, None, 0.01, q0={"a": 0.5}, samples=2)
    far = quietly(robot, None, 0.01, q0={"a": 0.5 + 2e4 * np.pi}, samples=2)
    assert far["q"][0, 0] == pytest.approx(0.5 + 2e4 * np.pi, abs=1e-9)
    assert far["q"][0, 1:] == pytest.approx(near["q"][0, 1:], abs=1e-9)


def test_a_prescribed_joint_keeps_its_place_in_a_start_given_whole() -> None:
    robot = supple.build(scaled(1.0))
    q = robot.home() + 1e-6 * np.array([1.0, -1.0, 1.0])
    law = {"a": f"{q[0]} + 0.1*t"}
    run = quietly(robot, None, 0.01, q0=q, prescribed=law, samples=2)
    assert run["q"][0, 0] == pytest.approx(q[0], abs=1e-15)
    assert np.abs(supple.closure(robot, run["q"][0])).max() < 1e-13
