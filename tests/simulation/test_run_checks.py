"""The limits at which a run warns or is refused, each from both sides, and what a run reports."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import supple
from supple import SimulationError, SuppleWarning
from supple.simulation import SimulatedRobot, StateRate, Tolerances, constant
from supple.simulation.check import failures
from supple.simulation.observe import accelerations
from supple.simulation.run_checks import check_run
from supple.simulation.stiffness import choose


def quietly(*args: Any, **options: Any) -> supple.Result:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SuppleWarning)
        return supple.simulate(*args, **options)


def test_work_of_a_load_is_what_the_robot_gains() -> None:
    """A moment and a force off the axis, neither of which works alone as much as both."""
    words: dict[str, Any] = {"links": {"a": {"rigid": {"mass": 1.0, "inertia": 2.0}}}}
    words["links"]["a"]["stations"] = {"edge": {"offset": [0.5, 0.0, 0.0]}}
    words["joints"] = [{"name": "j", "type": "revolute", "child": "a"}]
    robot = supple.build(words | {"gravity": [0, 0, 0]})
    for wrench in ([0, 0, 3.0, 0, 0, 0], [0, 0, 0, 0, 2.0, 0], [0, 0, 3.0, 0, 2.0, 0]):
        run = supple.simulate(robot, None, 1.0, external={"a.edge": wrench}, samples=3)
        assert run["work"][-1] == pytest.approx(run["kinetic"][-1], rel=1e-7)
        assert run["kinetic"][-1] > 0.1


@pytest.mark.parametrize("axis", [[0, 0, 1], [0, 1, 0], [1, 1, 0], [0.3, -0.4, 0.6]])
def test_deflections_are_in_the_links_own_axes(axis: list[float]) -> None:
    """With its joint at zero the link's axes are the world's."""
    shapes = {"bending_y": 1, "bending_z": 1}
    beam = {"length": 1.0, "mass": 1.0, "EI": [40.0, 60.0], "modes": shapes}
    words = {"gravity": [0, 0, 0], "links": {"a": {"beam": beam}}}
    joint = {"name": "j", "type": "revolute", "axis": axis, "child": "a"}
    robot = supple.build(words | {"joints": [joint]})
    push = {"a.tip": [0.0, 0.3, 0.9]}
    run = supple.simulate(robot, None, 0.3, prescribed={"j": 0}, external=push, samples=4)
    moved = run["tip"][:, 0] - [1.0, 0.0, 0.0]
    assert run["deflection"][:, 0] == pytest.approx(moved, abs=1e-12)
    assert np.abs(moved[-1, 1:]).min() > 1e-3


@pytest.mark.parametrize(("share", "told"), [(0.9, False), (1.1, True)])
def test_a_column_pushed_faster_and_faster_buckles_under_its_own_inertia(
    share: float, told: bool
) -> None:
    """A cantilever buckles under the axial load q a length of q = 7.837 EI / L^3."""
    EI, L, line = 1.4e4, 10.0, 1.2
    beam = {"length": L, "mass_per_length": line, "EI": EI, "modes": {"bending_y": 4}}
    words = {"gravity": [0, 0, 0], "links": {"a": {"beam": beam}}}
    joint = {"name": "push", "type": "prismatic", "axis": [1, 0, 0], "child": "a"}
    robot = supple.build(words | {"joints": [joint]})
    law = f"{0.5 * share * 7.837 * EI / L**3 / line}*t**2"
    run = quietly(robot, None, 0.2, prescribed={"push": law}, samples=5)
    assert any("no stiffness left" in words for words in run.warnings) == told


def drifting(scale: float) -> tuple[supple.Robot, supple.Result]:
    robot = supple.load("space-robot").replace(gravity=(0, 0, 0), elastic_kinematics="linearized")
    qd = np.zeros(robot.nv)
    qd[robot.mode_indices] = 0.1 * scale
    qd[:3] = 0.3 * scale
    return robot, quietly(robot, None, 0.1, qd0=qd, samples=5)


def test_lost_momentum_is_told_from_a_thousandth_on() -> None:
    seen = set()
    for scale in (0.05, 0.1):
        robot, run = drifting(scale)
        rows = zip(run["q"], run["qd"], strict=True)
        h = np.array([supple.momentum(robot, q, qd) for q, qd in rows]).reshape(-1, 2, 3)
        lost = np.linalg.norm(h - h[0], axis=2).max(axis=0) / np.linalg.norm(h, axis=2).max(axis=0)
        told = any("momentum changes by" in words for words in run.warnings)
        assert told == (lost.max() > 1e-3)
        seen.add(told)
    assert seen == {True, False}


@pytest.mark.parametrize(("share", "outcome"), [(5e-5, "fine"), (2e-4, "told"), (0.3, "refused")])
def test_energy_that_is_missing_is_told_or_refused(share: float, outcome: str) -> None:
    words = {"links": {"a": {"rigid": {"mass": 1.0, "inertia": 2.0}}}}
    robot = supple.build(words | {"joints": [{"name": "j", "type": "revolute", "child": "a"}]})
    run = supple.simulate(robot, [1.0], 1.0, samples=5)
    run.data["work"] *= 1.0 + share
    drive = SimulatedRobot(robot, constant(np.ones(1)))

    def findings() -> list[str]:
        return failures(check_run(drive, run, Tolerances(), accelerations(drive, run)))

    if outcome == "refused":
        with pytest.raises(SimulationError, match=r"means nothing: energy.* smaller rtol"):
            findings()
        return
    found = [words for words in findings() if "energy" in words]
    assert bool(found) == (outcome == "told")


@pytest.mark.parametrize(("rtol", "is_told"), [(1e-8, False), (1e-11, True)])
def test_the_balance_of_energy_is_held_against_the_tolerance(rtol: float, is_told: bool) -> None:
    words = {"links": {"a": {"rigid": {"mass": 1.0, "inertia": 2.0}}}}
    robot = supple.build(words | {"joints": [{"name": "j", "type": "revolute", "child": "a"}]})
    run = supple.simulate(robot, [1.0], 1.0, samples=5)
    run.data["work"] *= 1.0 + 1e-5
    drive = SimulatedRobot(robot, constant(np.ones(1)))
    made = check_run(drive, run, Tolerances(rtol=rtol), accelerations(drive, run))
    assert any("smaller rtol" in words for words in failures(made)) == is_told


def method(decay: float, now: str | None) -> str:
    """Of a joint whose rate dies out `decay` times in the time left."""
    words = {"links": {"a": {"rigid": {"mass": 1.0, "inertia": 1.0}}}}
    joint = {"type": "revolute", "child": "a", "damping": decay / 10.0}
    robot = supple.build(words | {"joints": [joint]})
    rate = StateRate(SimulatedRobot(robot, constant(np.zeros(1))))
    return choose(rate, 0.0, np.zeros(4), 10.0, now).method


def test_damping_is_stepped_over_from_twenty_thousand_decays_on() -> None:
    assert [method(d, None) for d in (1e4, 4e4)] == ["explicit", "rosenbrock"]
    assert [method(d, "rosenbrock") for d in (1e3, 1e4)] == [
        "explicit",
        "rosenbrock",
    ]  # and not to and fro


def test_stiff_steps_stand_at_the_first_try() -> None:
    """Their gap is magnified by the stiffness; softened it is within the tolerance."""
    robot = supple.load("lin-lewis-rr")
    control = lambda t, q, qd: -1e6 * (q - 0.1 * np.sin(t)) - 1e5 * qd  # noqa: E731
    run = supple.simulate(robot, control, 2.0, samples=5)
    assert "rosenbrock" in run.data.attrs["method"]
    assert run.data.attrs["steps_redone"] <= 0.1 * run.data.attrs["steps"]
