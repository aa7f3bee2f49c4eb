"""Saha's section 4: subsystems, their order, and the carpet scraper's numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import supple
from loops.mechanisms import (
    closed_near,
    consistent,
    five_bar,
    four_bar,
    place,
    planar,
    rod,
    scraper,
    stewart,
    three_legs,
)
from supple.joints import KINDS
from supple.loops.actuation import cut_forces
from supple.loops.rows import independent_rows, settled
from supple.loops.subsystems import order_of_solution, subsystem_forces, subsystems
from supple.loops.wrenches import cut_wrenches
from supple.robot import Loop

NAMES = ("I-1", "I-2", "II-1", "III-1^0", "III-2^0", "III-3^0", "III-1^1")
JOINTS = (("rocker", "0-3"), ("coupler", "2-3"), ("crank", "0-1"), ("l4", "0-4"), ("l6", "4-6"))
JOINTS += (("l7", "6-7"), ("l5", "4-5"))


def two_sided_four_bar() -> tuple[Any, Any]:
    """Fig. 17a: cut between crank and coupler, which hangs on the rocker."""
    bodies = {
        name: {"rigid": rod(a, m)}
        for name, a, m in (("rocker", 0.7, 1.2), ("coupler", 0.9, 1.5), ("crank", 0.3, 1.0))
    }
    robot = planar(
        "split", bodies, {"rocker": [0.8, 0, 0], "coupler": "rocker", "crank": [0, 0, 0]}
    )
    cut = Loop("pin", robot.station("coupler"), robot.station("crank"), KINDS["revolute"]())
    robot = replace(robot, loops=(cut,), actuated=("crank_joint",))
    q = closed_near(robot, np.array([1.8, 1.4, 1.0]))
    return settled(robot, q), q


MECHANISMS = {
    "five_bar": five_bar,
    "four_bar": four_bar,
    "split": two_sided_four_bar,
    "three_legs": three_legs,
    "stewart": stewart,
    "bending": lambda: four_bar(True),
}


@pytest.mark.parametrize("case", MECHANISMS)
def test_subsystems_and_multipliers_agree(case: str) -> None:
    robot, q = MECHANISMS[case]()
    qd, qdd = consistent(robot, q, np.random.default_rng(2))
    found = subsystem_forces(robot, q, qd, qdd)
    tau = supple.inverse_dynamics(robot, q, qd, qdd)
    size = 1.0 + np.abs(tau).max()
    assert np.abs(found.tau - tau).max() < 1e-9 * size
    forces = cut_forces(robot, q, qd, qdd)
    assert np.abs(found.multipliers - forces).max() < 1e-9 * (1.0 + np.abs(forces).max())


def test_both_cuts_of_the_four_bar_are_the_papers() -> None:
    robot, _ = two_sided_four_bar()
    first, second = subsystems(robot)
    assert (first.determinate, second.determinate) == (True, False)
    assert [(s.subsystems, s.size) for s in order_of_solution(robot)] == [(("I",), 2), (("II",), 1)]
    robot, _ = five_bar()  # Fig. 17b: both indeterminate, the whole tree at once
    assert [(s.subsystems, s.size) for s in order_of_solution(robot)] == [(("I", "II"), 4)]


def test_the_scraper_is_solved_in_the_papers_order() -> None:
    robot = scraper()
    labels = [label for s in subsystems(robot) for label in s.labels]
    assert labels == [f"#{name}" for name in NAMES]
    steps = [(s.subsystems, s.size) for s in order_of_solution(robot)]
    assert steps == [(("III",), 4), (("I",), 2), (("II",), 1)]


def motion(point: Any) -> tuple[Any, ...]:
    """Tree coordinates from absolute angles: rocker, coupler, crank, l4, l6, l7, l5."""
    T = np.eye(7)
    for child, parent in ((1, 0), (4, 3), (5, 4), (6, 3)):
        T[child, parent] = -1.0
    keys = ("abs_angles", "abs_rates", "abs_accelerations")
    return tuple(T @ np.array([point[key][name] for name in NAMES]) for key in keys)


def test_the_scrapers_torque_and_all_its_forces(reference: Any) -> None:
    robot = scraper()
    for case in reference("saha_carpet_scraper")["cases"]:
        moved = replace(robot, gravity=np.array([0.0, -case["gravity"], 0.0]))
        if case["L6"] != 0.8340104166666666:
            continue
        for point in case["points"]:
            q, qd, qdd = motion(point)
            found = subsystem_forces(moved, q, qd, qdd)
            np.testing.assert_allclose(found.tau[2], point["tau_D"], atol=1e-8)
            cuts = cut_wrenches(moved, q, found.multipliers)
            for k, name in enumerate(("lambda1", "lambda2", "lambda3")):
                np.testing.assert_allclose(cuts[k, 3:5], point[name], atol=1e-8)
            joints = supple.joint_wrenches(moved, q, qd, qdd)
            for link, name in JOINTS:
                force = joints[moved.index(link), 3:5]
                np.testing.assert_allclose(force, point["other_joint_forces"][name], atol=1e-8)
            tau = supple.inverse_dynamics(moved, q, qd, qdd)
            np.testing.assert_allclose(supple.forward_dynamics(moved, q, qd, tau), qdd, atol=1e-8)


def test_the_scrapers_rows_are_found(reference: Any) -> None:
    robot = scraper()
    q = motion(reference("saha_carpet_scraper")["cases"][0]["points"][0])[0]
    loose = replace(robot, loops=tuple(replace(loop, kept=None) for loop in robot.loops))
    assert independent_rows(loose, q) == (2, 3, 7, 8, 12, 13)
    assert (
        np.abs(
            place(robot, q, robot.loops[0].first)[1] - place(robot, q, robot.loops[0].second)[1]
        ).max()
        < 1e-12
    )


def test_a_body_with_known_motion_may_be_the_base() -> None:
    robot, q = two_sided_four_bar()
    qd, qdd = consistent(robot, q, np.random.default_rng(2))
    robot = replace(robot, actuated=("rocker_joint",))
    names = [s.name for s in subsystems(robot, base="rocker")]
    assert names == ["I", "II", "base"]
    found = subsystem_forces(robot, q, qd, qdd, base="rocker")
    np.testing.assert_allclose(found.tau, supple.inverse_dynamics(robot, q, qd, qdd), atol=1e-10)


def test_redundant_motors_are_not_for_subsystems() -> None:
    robot, _ = five_bar()
    more = replace(robot, actuated=("a1_joint", "a2_joint", "b1_joint"))
    with pytest.raises(supple.InputError, match="too many motors to be solved by subsystems"):
        order_of_solution(more)
    with pytest.raises(supple.InputError, match="too few motors to be solved by subsystems"):
        order_of_solution(replace(robot, actuated=("a1_joint",)))


def test_the_public_order_of_solution_names_its_steps() -> None:
    steps = supple.solution_order(supple.load("carpet-scraper"))
    assert [step.size for step in steps] == [4, 2, 1]
    names = [part.name for part in supple.subsystems(supple.load("carpet-scraper"))]
    assert names == ["I", "II", "III"]
    with pytest.raises(supple.InputError, match="has no loops"):
        supple.subsystems(supple.load("canadarm"))
