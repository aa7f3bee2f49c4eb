"""Runs whose steps follow what moves, not the fastest mode; energy that does not drift."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import supple
from quick_runs import quick_run
from supple.analyse import validity


def two_beams(ratio: float) -> supple.Robot:
    """Links that bend and twist; torsion `ratio` times as stiff as in the first."""
    beam = {
        "length": 1.0,
        "mass": 2.0,
        "EI": 200.0,
        "GJ": 150.0 * ratio,
        "polar_inertia": 1e-3,
        "modes": {"bending_z": 1, "torsion": 1},
    }
    joints: list[dict[str, Any]] = [
        {"name": "a", "type": "revolute", "child": "one", "axis": [0, 1, 0]},
        {"name": "b", "type": "revolute", "parent": "one", "child": "two", "axis": [0, 0, 1]},
    ]
    words = {"gravity": [0, 0, -9.81], "links": {"one": {"beam": beam}, "two": {"beam": beam}}}
    return supple.build(words | {"joints": joints, "elastic_kinematics": "first_order"})


def fall(ratio: float, method: str) -> Any:
    return supple.simulate(
        two_beams(ratio), None, 0.2, q0={"a": 0.3, "b": 0.7}, method=method, samples=3,
        rtol=1e-4, atol=1e-4,
    )  # fmt: skip


@pytest.mark.parametrize("method", ["rosenbrock", "sweep"])
def test_implicit_steps_do_not_depend_on_the_fastest_mode(method: str) -> None:
    """Torsion a million times as stiff: explicit steps are a thousand times as many."""
    with quick_run(method, "explicit"):
        soft, stiff = fall(1.0, method), fall(1e6, method)
        rigid = fall(1e4, "explicit")  # twists as little
    assert stiff.data.attrs["steps"] < 1.2 * soft.data.attrs["steps"]
    assert rigid.data.attrs["steps"] > 10 * stiff.data.attrs["steps"]
    assert np.abs(stiff["q"][-1] - rigid["q"][-1]).max() < 2e-3


def test_a_flexible_pendulum_keeps_its_energy() -> None:
    """To 1e-11 of its swing in 20 s."""
    rod = {"length": 1.0, "mass": 1.0, "EI": 2.0, "modes": {"bending_y": 2}}
    words = {"gravity": [0, -9.81, 0], "links": {"rod": {"beam": rod}}}
    robot = supple.build(words | {"joints": [{"name": "pin", "type": "revolute", "child": "rod"}]})
    run = supple.simulate(
        robot, None, 20.0, q0={"pin": -0.8}, method="explicit", rtol=1e-12, atol=1e-14, samples=41
    )
    total = run["kinetic"] + run["gravity"] + run["elastic"]
    assert np.ptp(run["q"][:, 1]) > 1e-3  # it bends
    assert np.ptp(total) < 1e-11 * np.ptp(run["kinetic"])


def test_states_that_mean_nothing_are_seen_among_many() -> None:
    """By a bound first: states beyond it are looked at along their links, and no number is bad."""
    robot = supple.load("canadarm")
    look = validity.BendCheck(robot)
    q = 0.01 * np.random.default_rng(0).normal(size=(5, 7, robot.nq))
    assert look(q)
    slopes = validity.slopes(robot, q)["link1"]
    share = validity.MEANINGLESS / float(slopes[3, 2])
    for factor, fine in ((0.999, True), (1.001, False), (np.nan, False)):
        bent = q.copy()
        bent[3, 2, 1:3] *= factor * share
        assert look(bent) is fine
