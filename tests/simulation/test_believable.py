"""Runs that mean nothing are refused, doubtful ones warn, and neither is silent."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import supple
from quick_runs import quick_run
from supple import InputError, SimulationError, SuppleWarning

TURN = 15.0  # s of spinning up


def blade(kinematics: str, EI: float = 1.4e4) -> supple.Robot:
    beam = {"length": 10.0, "mass_per_length": 1.2, "EI": EI, "modes": {"bending_y": 3}}
    words = {
        "gravity": [0, 0, 0],
        "elastic_kinematics": kinematics,
        "links": {"blade": {"beam": beam}},
    }
    return supple.build(words | {"joints": [{"name": "hub", "type": "revolute", "child": "blade"}]})


def spin_up(rate: float) -> Any:
    w = 2 * np.pi / TURN
    return lambda t: (
        rate / TURN * (t * t / 2 + (np.cos(w * t) - 1) / w**2),
        rate / TURN * (t - np.sin(w * t) / w),
        rate / TURN * (1 - np.cos(w * t)),
    )


@pytest.mark.parametrize("kinematics", ["first_order", "linearized"])
def test_a_spin_up_that_diverges_is_stopped(kinematics: str) -> None:
    with pytest.raises(SimulationError, match=r"link blade .* slope .* at t = .*Use second_order"):
        supple.simulate(blade(kinematics), None, TURN, prescribed={"hub": spin_up(6.0)})


def test_the_same_spin_up_with_stiffening_runs_without_a_word() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", SuppleWarning)
        run = supple.simulate(blade("second_order"), None, TURN, prescribed={"hub": spin_up(6.0)})
    assert run.warnings == ()


@pytest.mark.parametrize("torque", [5e5, 1e9])
def test_a_blade_driven_too_hard_is_stopped_at_once(torque: float) -> None:
    with pytest.raises(SimulationError, match="means nothing beyond 57 deg"):
        supple.simulate(blade("second_order"), [torque], 5.0)


def test_a_fishing_rod_is_refused() -> None:
    section = {"shape": "circle", "diameter": [0.012, 0.002]}
    beam = {
        "length": 2.4,
        "density": 1600,
        "E": 40e9,
        "section": section,
        "modes": {"bending_y": 3},
    }
    words = {"gravity": [0, -9.81, 0], "links": {"rod": {"beam": beam, "payload": {"mass": 0.05}}}}
    rod = supple.build(words | {"joints": [{"name": "hand", "type": "revolute", "child": "rod"}]})
    with pytest.raises(SimulationError, match=r"link rod .* slope"):
        supple.simulate(rod, None, 2.0, prescribed={"hand": "0.8*(1-cos(3*t))"})


def test_warnings_say_number_link_time_and_remedy_and_are_kept(tmp_path: Any) -> None:
    robot = blade("first_order")
    with pytest.warns(SuppleWarning, match="link blade turns at .* its first frequency") as caught:
        run = supple.simulate(robot, None, 6.0, prescribed={"hub": spin_up(2.5)})
    assert caught[0].filename == __file__
    assert any("Use second_order" in words for words in run.warnings)
    again = supple.load_result(run.save(tmp_path / "run.nc"))
    assert again.warnings == run.warnings


def test_a_link_without_stiffness_left_is_told() -> None:
    """Pushed along its axis beyond the buckling load pi^2 EI / 4 L^2 = 345 N, from a small bend."""
    push = {"blade.tip": [-400.0, 0.0, 0.0]}
    hold = {"hub": "0*t"}
    with pytest.warns(SuppleWarning, match="no stiffness left"):
        supple.simulate(blade("second_order"), None, 0.5, prescribed=hold, external=push)
    with warnings.catch_warnings():
        warnings.simplefilter("error", SuppleWarning)
        push = {"blade.tip": [-300.0, 0.0, 0.0]}
        supple.simulate(blade("second_order"), None, 0.5, prescribed=hold, external=push)


def test_momentum_that_linearised_kinematics_loses_is_told() -> None:
    robot = supple.load("space-robot").replace(gravity=(0, 0, 0), elastic_kinematics="linearized")
    qd = np.zeros(robot.nv)
    qd[robot.mode_indices] = 0.1
    qd[:3] = 0.3
    told = pytest.warns(SuppleWarning, match=r"floats freely, yet its \w+ momentum changes by")
    with quick_run(), told:
        supple.simulate(robot, None, 1.0, qd0=qd, samples=21)
    exact = robot.replace(elastic_kinematics="second_order")
    with quick_run():
        run = supple.simulate(exact, None, 0.2, qd0=0.1 * qd, samples=5)
    assert not any("momentum" in words for words in run.warnings)


def feedback_runs(law: Any) -> float:
    words = {"links": {"a": {"rigid": {"mass": 1.0, "inertia": 2.0}}}}
    robot = supple.build(words | {"joints": [{"name": "j", "type": "revolute", "child": "a"}]})
    return float(supple.simulate(robot, law, 1.0, q0=[1.0], samples=3)["q"][-1, 0])


def test_feedback_with_defaults_or_any_arguments_is_not_dropped() -> None:
    def defaults(t: float, q: Any = None, qd: Any = None) -> Any:
        return -8.0 * q

    def named(t: float, pos: Any = 0.0, vel: Any = 0.0) -> Any:
        return -8.0 * pos

    for law in (defaults, named, lambda *a: -8.0 * a[1], lambda t, q, qd: -8.0 * q):
        assert feedback_runs(law) == pytest.approx(np.cos(2.0), abs=1e-7)
    assert feedback_runs(lambda t, gain=0.0: [gain]) == pytest.approx(1.0)


def test_a_torque_on_a_prescribed_joint_is_refused() -> None:
    robot = supple.load("lin-lewis-rr")
    one = robot.velocity_names[0]
    for torque in ([1.0, 0.0], lambda t: [1.0, 0.0], ([0, 1], [[0.0, 0], [1.0, 0]])):
        with pytest.raises(InputError, match=f"joint {one} is prescribed, and has a torque"):
            supple.simulate(robot, torque, 1.0, prescribed={one: "0.1*t**2"})
    supple.simulate(robot, [0.0, 1.0], 0.1, prescribed={one: "0.1*t**2"})


@pytest.mark.parametrize("gain", [1e3, 1e6, 1e8])
def test_a_step_reference_of_a_controller_of_any_stiffness_runs(gain: float) -> None:
    robot = supple.load("lin-lewis-rr")

    def control(t: float, q: Any, qd: Any) -> Any:
        return -gain * (q - (1.0 if t > 0.5 else 0.0)) - 0.1 * gain * qd

    run = supple.simulate(robot, control, 2.0, samples=21)
    assert run["q"][-1] == pytest.approx([1.0, 1.0], abs=0.02)
    assert run["q"][run.time < 0.5] == pytest.approx(0.0, abs=0.03)


def test_coulomb_friction_gets_an_implicit_method_while_it_sticks() -> None:
    link = {"rigid": {"mass": 1.0, "com": [0.3, 0, 0], "inertia": 0.01}}
    joint = {"name": "j", "type": "revolute", "child": "a", "friction": {"coulomb": 1.0}}
    joint["friction"]["smoothing"] = 1e-6
    robot = supple.build({"gravity": [0, -9.81, 0], "links": {"a": link}, "joints": [joint]})
    run = supple.simulate(robot, None, 2.0, samples=201)
    assert "rosenbrock" in run.data.attrs["method"]
    assert run.data.attrs["steps"] < 3000
    still = supple.simulate(robot, [3.0], 2.0, samples=3)  # the weight is 2.94 N m: it sticks
    assert abs(still["q"][-1, 0]) < 1e-6


def test_a_law_that_fails_at_a_trial_state_shortens_the_step() -> None:
    robot = supple.load("lin-lewis-rr")

    def edge(t: float, q: Any, qd: Any) -> Any:
        return [np.nan, np.nan] if np.abs(qd).max() > 3e3 else -1e5 * q - 1e4 * qd

    run = supple.simulate(robot, edge, 0.5, q0=[0.1, 0.0], samples=3)
    assert run["q"][-1] == pytest.approx([0.0, 0.0], abs=0.01)
