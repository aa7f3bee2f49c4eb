"""Accelerations, power and wrenches, which a run holds when asked, found in other ways too."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import supple
from supple import InputError, SuppleWarning

ALL = ("acceleration", "power", "wrench", "reaction")


def kept(robot: supple.Robot, *args: Any, keep: Any = ALL, **options: Any) -> supple.Result:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SuppleWarning)
        return supple.simulate(robot, *args, keep=keep, **options)


def slopes(values: Any, t: Any) -> Any:
    """Central differences of fourth order, at the inner samples."""
    h = t[1] - t[0]
    return (8 * (values[3:-1] - values[1:-3]) - (values[4:] - values[:-4])) / (12 * h)


@pytest.fixture(scope="module")
def arm() -> supple.Robot:
    return supple.load("canadarm").replace(gravity=(0, -1.5, 0), elastic_kinematics="second_order")


@pytest.fixture(scope="module")
def run(arm: supple.Robot) -> supple.Result:
    push = {"link3.tip": lambda t: [0.0, 3.0 * np.sin(2 * t), 0.0]}
    torque = lambda t: [40 * np.cos(t), 10 * t, -5.0]  # noqa: E731
    return kept(arm, torque, 0.2, external=push, samples=2001)


def test_accelerations_are_the_slopes_of_the_rates(run: supple.Result) -> None:
    found = slopes(run["qd"], run.time)
    assert run["acceleration"][2:-2] == pytest.approx(found, abs=1e-5 * np.abs(found).max())


def test_power_is_what_changes_energy_beside_losses_and_loads(run: supple.Result) -> None:
    """sum(power) + power of the load = d/dt (energy + losses)."""
    load = 3.0 * np.sin(2 * run.time[2:-2]) * slopes(run["tip"][:, -1, 1], run.time)
    energy = sum(run[x] for x in ("kinetic", "gravity", "elastic", "dissipated"))
    found = run["power"].sum(axis=1)[2:-2] + load
    assert found == pytest.approx(slopes(energy, run.time), abs=1e-5 * np.abs(found).max())


@pytest.mark.parametrize("k", [10, 500, 1300, 1990])
def test_the_base_carries_the_rate_of_momentum(
    arm: supple.Robot, run: supple.Result, k: int
) -> None:
    """Newton and Euler for all links together, about the world's origin, where joint1 stands."""
    near = slice(k - 2, k + 3)
    rows = zip(run["q"][near], run["qd"][near], strict=True)
    rate = slopes(np.array([supple.momentum(arm, q, qd) for q, qd in rows]), run.time[near])[0]
    force = np.array([0.0, 3.0 * np.sin(2 * run.time[k]), 0.0])
    pushed = np.concatenate([np.cross(run["tip"][k, -1], force), force])
    asked = rate - weight(arm, run["q"][k]) - pushed
    assert run["wrench"][k, 0] == pytest.approx(asked, abs=1e-4 * np.abs(asked).max())


def weight(robot: supple.Robot, q: Any) -> Any:
    """[n; f] of gravity about the world's origin."""
    force = robot.mass * robot.gravity
    return np.concatenate([np.cross(supple.centre_of_mass(robot, q), force), force])


def test_bearings_carry_all_but_the_joints_own_torque(
    arm: supple.Robot, run: supple.Result
) -> None:
    difference = run["wrench"] - run["bearing"]
    joints = [arm.velocity_names.index(link.joint_name) for link in arm.links]
    assert difference[..., 2] == pytest.approx(run["tau"][:, joints], abs=1e-6)
    others = np.delete(difference, 2, axis=2)
    assert others == pytest.approx(np.zeros_like(others), abs=1e-9)


def test_cuts_carry_what_a_free_link_needs() -> None:
    """The rocker of a four-bar: ground joint and cut together move it and carry its weight."""
    robot = supple.load("four-bar-flexible").replace(elastic_kinematics="rigid")
    run = kept(robot, None, 0.1, samples=1001)
    rocker = robot.index("rocker")
    body = robot.links[rocker].body
    angle, r = run["rocker_joint"], 0.5 * 0.27  # a uniform strip, from its ground joint
    c = r * np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    asked = body.mass * (slopes(slopes(c, run.time), run.time[2:-2]) - robot.gravity)
    given = run["wrench"][:, rocker, 3:] + run["cut_wrench"][:, 0, 3:]
    assert given[4:-4] == pytest.approx(asked, abs=1e-3 * np.abs(asked).max())


def test_nothing_more_is_kept_than_was_asked_for(arm: supple.Robot, tmp_path: Any) -> None:
    run = kept(arm, None, 0.01, keep="power", samples=3)
    assert "power" in run.data
    assert not {"acceleration", "wrench", "bearing", "cut_wrench"} & set(run.data)
    again = supple.load_result(run.save(tmp_path / "run.nc"))
    assert np.array_equal(again["power"], run["power"])
    for wrong in ("jerk", ("power", "jerk"), 3):
        with pytest.raises(InputError, match="power"):
            supple.simulate(arm, None, 0.01, keep=wrong)
