"""`supple reproduce mohan-saha`: Table 1, the matrices, both routes, powers, shapes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import supple
from agree import assert_near
from reports import check_report, report_of
from supple.reproduce.mohan_saha import counts, matrices, runs
from supple.reproduce.mohan_saha.arm import canadarm, desired, forced, printed
from supple.reproduce.mohan_saha.chain import flexible_chain
from supple.reproduce.mohan_saha.modes import deviation, end_effector, rigid_path


def test_the_formulas_of_table_1_give_its_numbers() -> None:
    rows = (counts.proposed(2), counts.jain(2), counts.cyril(2))
    for a, (_, mult, add) in zip(rows, printed("counts"), strict=True):
        assert (int(a.mult(8)), int(a.add(8))) == (mult, add)
    assert int(counts.cyril(2, corrected=False).add(8)) != 12683


def test_ours_are_exact_polynomials_that_foretell_longer_chains() -> None:
    """Counted to 8 links, right for 10 and for 11; linear, and cubic."""
    from supple.reproduce.mohan_saha.counts import _operations

    linear, dense = (counts.counted(name, 2) for name in counts.OURS)
    assert [len(a.mult.coefficients) for a in (linear, dense)] == [2, 4]
    for n in (10, 11):
        found = _operations("Supple, recursive", n, 2)
        assert found["multiplications"] == linear.mult(n)
        assert found["additions"] == linear.add(n)
    assert linear.mult(8) < 9874


def test_the_chain_that_is_counted_is_a_robot() -> None:
    """Both ways that are counted give the same accelerations."""
    robot = flexible_chain(3, 2)
    rng = np.random.default_rng(4)
    q, qd, tau = (rng.uniform(-0.1, 0.1, robot.nv) for _ in range(3))
    ways = [np.asarray(run(robot, q, qd, tau), dtype=float) for run in counts.OURS.values()]
    assert_near(ways[0], ways[1], 1e-8)


def test_the_table_of_denavit_and_hartenberg_is_the_shipped_arm() -> None:
    table, arm = matrices.dh_arm(), supple.load("canadarm")
    q = np.linspace(-0.2, 0.3, 9)
    assert_near(supple.mass_matrix(table, q), supple.mass_matrix(arm, q), 1e-12)
    assert_near(supple.pose(table, q, "link3").p, supple.pose(arm, q, "link3").p, 1e-12)


def test_matrices_7_to_15_by_hand() -> None:
    robot, rng = supple.load("canadarm"), np.random.default_rng(2)
    q, qd = rng.uniform(-0.3, 0.3, 9), rng.uniform(-0.3, 0.3, 9)
    D = supple.denoc(robot, q, qd)
    for i in (1, 2):
        assert_near(D.propagation(i, i - 1), matrices.by_hand(robot, q, i), 1e-12)
        assert_near(D.A[D.rows[i], D.rows[i - 1]], matrices.by_hand(robot, q, i), 1e-12)
    assert_near(D.A[D.rows[2], D.rows[0]], np.zeros((8, 8)), 1e-12, size=1.0)
    assert_near(D.A @ D.N @ qd + D.N_d @ qd, D.N @ qd, 1e-12)
    assert [P.shape for P in D.P] == [(8, 3)] * 3
    assert_near(D.P[0][:6, 0], [0, 0, 1, 0, 0, 0], 1e-12)


@pytest.mark.slow
def test_both_routes_give_the_independent_runs_states(reference: Any) -> None:
    for route in ("recursive", "dense"):
        run = forced(route)
        for s in reference("canadarm_planar")["simulation"]["samples"]:
            k = run.at(s["t"])
            assert np.abs(run.q[k] - s["q"]).max() < 1e-7
            assert np.abs(run.tau[k] - s["tau"]).max() < 1e-6
            assert abs(run.work[k] - s["work"]) < 1e-5
            assert np.abs(runs.tip_deflections(run)[k] - s["tip_deflection"]).max() < 1e-6
            assert np.abs(desired(s["t"])[0] - s["theta_desired"]).max() < 1e-12


@pytest.mark.slow
def test_the_dense_route_does_not_blow_up_and_nothing_is_dissipated() -> None:
    a, b = forced("recursive"), forced("dense")
    assert np.abs(a.q - b.q).max() < 1e-9
    assert runs.conditions(100)[1] < 4.5e5
    left, work = runs.energy_left(a)
    assert left < 1e-8 * work
    assert np.abs(a.power - a.desired_power).max() == pytest.approx(24.76, abs=0.01)


@pytest.mark.slow
def test_two_shapes_with_foreshortening_near_the_geometrically_exact_arm() -> None:
    """20.6 mm, and (5.35798, 12.30053) m at the end; without it a quarter is missing."""
    robot, run = canadarm(), forced("recursive")  # by SciPy's solver; native beside it
    place = [supple.pose(robot, q, "link3").p[:2] for q in run.q[::50]]
    assert_near(end_effector(2, "first_order")[::50], place, 1e-6)
    assert_near(deviation(2, "first_order"), run.deviation, 1e-6, least=1.0)
    moved = {}
    for kinematics in ("first_order", "second_order"):
        path = end_effector(2, kinematics)
        moved[kinematics] = np.linalg.norm(path - rigid_path(), axis=1).max()
        if kinematics == "second_order":
            assert np.linalg.norm(path[-1] - [5.35798, 12.30053]) < 1.5e-3
    assert abs(moved["second_order"] / 20.6e-3 - 1) < 0.08
    assert moved["first_order"] / 20.6e-3 < 0.78
    assert canadarm(3).modes == 9


@pytest.mark.slow
def test_the_report_holds_what_it_lists() -> None:
    check_report(report_of("mohan-saha"))
    table = runs.deviations()
    assert [row[0] for row in table.rows] == list(runs.INSTANTS)


def test_shaking_is_told_before_and_after_the_instant_of_the_claim() -> None:
    run = forced("recursive")
    qdd = run.qdd.copy()
    qdd[:, run.joints[0]] = desired(run.t)[2][0] + np.where(run.t < 3.5, 0.1, 0.7)
    assert runs.shaking(replace(run, qdd=qdd)) == pytest.approx((0.1, 0.7))
