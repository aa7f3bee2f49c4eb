"""Runs under loads that change: bearings, reactions, cuts, stiffness, vibration."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import supple
from agree import assert_near
from geared import LOAD, J, K, R, two_mass
from sliders import slider
from supple import SuppleWarning
from supple.simulation import Tolerances
from supple.simulation.run import prepared
from supple.simulation.truncation import left_on, richer


def quietly(*args: Any, **options: Any) -> supple.Result:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SuppleWarning)
        return supple.simulate(*args, **options)


def checked(run: supple.Result, name: str) -> supple.Check:
    return next(check for check in run.checks if check.name == name)


@pytest.mark.parametrize("name", ["puma", "stanford"])
def test_bearings_of_an_arm_in_space_leave_the_drive_alone_along_its_axis(name: str) -> None:
    """wrench - bearing = tau along the joint's axis in the world, which its Jacobian names."""
    robot = supple.load(name)
    q0 = 0.3 + 0.2 * np.arange(robot.nq)
    run = quietly(robot, [1.0] * robot.nv, 0.02, q0=q0, keep=("wrench", "reaction"), samples=3)
    for q, tau, parted in zip(run["q"], run["tau"], run["wrench"] - run["bearing"], strict=True):
        for i, link in enumerate(robot.links):
            if link.joint.nv:
                k, turns = link.u.start, link.joint.axes[0] < 3
                axis = supple.jacobian(robot, q, f"{link.name}.origin")[: 3 if turns else 6, k][-3:]
                along = np.concatenate([axis, np.zeros(3)] if turns else [np.zeros(3), axis])
                assert_near(parted[i], tau[k] * along, 1e-9, size=np.abs(run["wrench"]).max())


def blade(**words: Any) -> supple.Robot:
    beam = {"length": 10.0, "mass_per_length": 1.2, "EI": 1.4e4, "modes": {"bending_y": 3}}
    joint = {"name": "hub", "type": "revolute", "child": "blade"}
    return supple.build(
        {"gravity": [0, 0, 0], "links": {"blade": {"beam": beam}}, "joints": [joint]}
    )


def test_nothing_is_left_on_the_shapes_of_a_run_under_a_load_that_grows() -> None:
    """Their equations are solved by the run, at each instant with the load of that instant."""
    from dataclasses import replace

    robot, push = blade(), {"blade.tip": lambda t: [0.0, 40.0 * t, 0.0]}
    run = quietly(robot, None, 0.5, external=push, samples=6, keep="acceleration")
    drive = prepared(robot, None, run.time, Tolerances(), external=push)
    more = richer(robot)
    on_new = left_on(drive, run, run["acceleration"], more)
    on_old = left_on(drive, run, run["acceleration"], replace(more, new=more.old))
    for k in (3, 5):
        assert np.abs(on_old(k)).max() < 1e-3 * np.abs(on_new(k)).max()


def test_a_column_under_a_load_that_grows_loses_its_stiffness_with_it() -> None:
    """What is left falls from 1 to 1 - P/P_cr, P_cr = pi^2 EI / 4 L^2, with the last load."""
    critical = np.pi**2 * 1.4e4 / 400.0
    for share in (0.5, 0.9):
        push = {"blade.tip": lambda t, p=share: [-p * critical * t, 0.0, 0.0]}
        run = quietly(blade(), None, 1.0, prescribed={"hub": "0*t"}, external=push, samples=11)
        assert checked(run, "stiffness left").value == pytest.approx(1.0 - share, abs=2e-3)


def test_few_samples_of_a_load_that_swings_on_its_gear_are_told() -> None:
    """w = sqrt(k (1/J_load + 1/(r^2 J))): 3 samples of its period are too few."""
    omega = np.sqrt(K * (1 / LOAD + 1 / (R**2 * J)))
    step = 2 * np.pi / omega / 3.0
    run = quietly(two_mass(), None, 40 * step, samples=41, q0=[R * 0.03, 0.0])
    assert checked(run, "samples of vibration").value == pytest.approx(3.0, rel=1e-6)


def test_vibration_long_out_of_step_is_twice_its_amplitude_away() -> None:
    """Half a turn of phase between two modes of one amplitude A: 2 A, and no more after it."""
    beam = {"length": 10.0, "mass_per_length": 1.2, "EI": 1.4e4}
    polynomial = {"family": "orthogonal", "bending_y": 1}
    joint = {"name": "hub", "type": "revolute", "child": "blade"}
    words = {"gravity": [0, 0, 0], "joints": [joint]}
    robot = supple.build(words | {"links": {"blade": {"beam": beam | {"modes": polynomial}}}})
    start = np.array([0.0, 0.01])
    run = quietly(robot, None, 100.0, prescribed={"hub": "0*t"}, q0=start, samples=2001)
    assert checked(run, "vibration in step").value == pytest.approx(2.0, rel=0.02)


def test_what_bending_explains_is_added_to_what_a_motion_may_be_missed_by() -> None:
    """A tenth of the way and the slope; at the tip the deflection, and the slope times how far
    behind it the tip is: an offset carries as far as a length."""
    from supple.analyse.validity import slopes

    beam = {"length": 1.0, "mass": 2.0, "EI": 25.0, "modes": {"bending_y": 2}}
    side = {"offset": [0.0, 0.5, 0.0]}
    rigid = {"rigid": {"mass": 0.2, "inertia": 0.01, "length": 0.3}}
    links = {"arm": {"beam": beam, "stations": {"side": side}}, "hand": rigid}
    joints: list[Any] = [{"name": "hub", "type": "revolute", "child": "arm"}]
    joints += [{"name": "grip", "type": "revolute", "parent": "arm", "at": "side", "child": "hand"}]
    robot = supple.build({"gravity": [0, 0, 0], "links": links, "joints": joints})
    motion = supple.quintic(robot, {"hub": 1.0, "grip": 1.0}, 1.0)
    run = quietly(robot, None, 1.0, motion=motion, samples=101)
    slope = slopes(robot, run["q"])["arm"].max()
    bend = np.linalg.norm(run["deflection"], axis=2).max(axis=0).sum()
    joint, tip = checked(run, "joints off the motion"), checked(run, "tip off the path")
    assert joint.limit == pytest.approx(0.1 + slope)
    places = [[t[0], 0.0, 0.0, t[1]] for t in (motion(t)[0] for t in run.time)]
    path = np.array([supple.pose(robot, q, "hand").p for q in places])
    reach = np.linalg.norm(np.ptp(path, axis=0))
    assert tip.limit == pytest.approx(0.1 * reach + bend + slope * (np.hypot(1.0, 0.5) + 0.3))


def test_what_holds_a_joint_still_is_minus_the_load_of_that_instant() -> None:
    link = {"rigid": {"mass": 1.0, "inertia": 2.0}}
    joint = {"name": "j", "type": "revolute", "child": "a"}
    robot = supple.build({"gravity": [0, 0, 0], "links": {"a": link}, "joints": [joint]})
    load = {"a": lambda t: [0.0, 0.0, 3.0 * t, 0.0, 0.0, 0.0]}
    run = quietly(robot, None, 1.0, prescribed={"j": 0}, external=load, samples=5)
    assert run["reaction"][:, 0] == pytest.approx(-3.0 * run.time, abs=1e-12)


def test_cuts_carry_what_the_load_of_that_instant_asks_of_them() -> None:
    robot = supple.load("four-bar-flexible").replace(elastic_kinematics="rigid")
    where = f"{robot.links[-1].name}.tip"
    run = quietly(robot, None, 0.1, external={where: lambda t: [0.0, 40.0 * t, 0.0]}, samples=3)
    for k, t in enumerate(run.time):
        load = {where: [0.0, 0.0, 0.0, 0.0, 40.0 * t, 0.0]}
        found = supple.multipliers(robot, run["q"][k], run["qd"][k], run["tau"][k], load)
        assert_near(run["multipliers"][k], found, 1e-9)


def test_a_reset_to_a_lower_place_loses_what_gravity_had_stored() -> None:
    """2 kg put down by 1.5 m at t = 0.5 s: 30 J are gone, and the balance knows it."""
    down = supple.Event("t - 0.5", "reset", then=lambda at: (at.q - 1.5, at.qd))
    run = supple.simulate(slider(2.0, gravity=-10.0), None, 1.0, events=[down], samples=5)
    assert run["dissipated"][-1] == pytest.approx(2.0 * 10.0 * 1.5)
    assert run.energy_error < 1e-8
