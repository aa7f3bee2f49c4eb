"""The arm of [Piedboeuf] in all its models, against an energy solution by another program."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

import supple
from agree import assert_near
from reports import check_report, report_of
from supple.reproduce.piedboeuf import cases, kinematics, state
from supple.reproduce.piedboeuf.elastica import PiedboeufArm, elastica

near = partial(assert_near, tolerance=1e-9, size=1.0)
NAMES = {"O(2)": "O2", "O(1)": "O1_noforeshort", "O(1) pure": "O1_pure"}


@pytest.fixture(scope="module")
def given(reference: Any) -> Any:
    return reference("piedboeuf_statics")


@pytest.mark.parametrize("model", list(NAMES))
def test_torques_amplitudes_curvatures_and_deflections(given: Any, model: str) -> None:
    for row in given["rows"]:
        ours, theirs = state(model, row["theta_deg"], row["fey"]), row[NAMES[model]]
        near(ours.torque, theirs["T"])
        near(ours.torque_squares, theirs["T_untruncated"])
        near(ours.shapes, theirs["eta"])
        near(ours.curvature, theirs["kappa"])
        near(ours.tip, theirs["tip_v"])


def test_rigid_torques(given: Any) -> None:
    for row in given["rows"]:
        near(state("O(0)", row["theta_deg"], row["fey"]).torque, row["O0"]["T"])


def test_exact_elastica(given: Any) -> None:
    gauges = np.array(given["inputs"]["xg"])
    for row in given["rows"]:
        ours = elastica(PiedboeufArm(), np.deg2rad(row["theta_deg"]), row["fey"], gauges)
        theirs = row["elastica"]
        near(ours.torque, theirs["T"])
        near(ours.curvature, theirs["kappa"])
        near(ours.tip, [theirs["tip_x_minus_l"], theirs["tip_y"]])
        near(ours.endpoint, theirs["endpoint_xy"])


def test_linear_statics_are_the_papers_models(given: Any) -> None:
    """By the public function: rigid, first_order and second_order are O(0), O(1) and O(2)."""
    row = given["rows"][-3]
    theta, push = np.deg2rad(row["theta_deg"]), {"arm.endpoint": [0, row["fey"], 0]}
    words = {"rigid": "O0", "first_order": "O1_noforeshort", "second_order": "O2"}
    for kind, name in words.items():
        robot = supple.load("piedboeuf-arm").replace(elastic_kinematics=kind)
        found = supple.statics(robot, [theta], push, linear=True)
        near(found.torques["motor"], row[name]["T"])
        near(list(found.shapes.values()) or 0.0, row[name].get("eta", 0.0))


@pytest.mark.slow
def test_claims_of_the_paper(given: Any) -> None:
    report = report_of("piedboeuf")
    rows = {row[0]: row[2] for row in report.tables[0].rows}
    told = given["claims"]
    for k in (5, 7):
        peak = f"curve{k}_torque_O2-O1_noforeshort_max_pct_of_peak"
        near(rows[f"curve {k}: torque O(2) - O(1), % of its peak"], told[peak], tolerance=1e-6)
        local = f"curve{k}_torque_O2-O0_max_pct_of_local"
        near(rows[f"curve {k}: torque O(2) - O(0), % at that angle"], told[local], tolerance=1e-6)
        tip = f"curve{k}_tip_O2-O1_noforeshort_max_mm"
        near(rows[f"curve {k}: tip O(2) - O(1), mm"], told[tip], tolerance=1e-6)
    assert rows["curve 5: torque O(2) - O(1), % of its peak"] < 1.0
    assert rows["curve 7: torque O(2) - O(1), % of its peak"] < 2.0
    assert rows["curve 5: torque O(2) - O(0), % at that angle"] > 8.0
    assert rows["curve 7: torque O(2) - O(0), % at that angle"] > 12.0
    assert rows["curve 5: tip O(2) - O(1), mm"] > 5.0
    assert rows["curve 7: tip O(2) - O(1), mm"] > 13.0
    errors = given["error_vs_elastica"]
    for curve, model, torque, squares, bend, tip in report.tables[1].rows:
        if model in NAMES:
            theirs = errors[NAMES[model]][f"curve{curve}"]
            near(torque, theirs["T_max"], tolerance=1e-9)
            near(squares, theirs["T_untruncated_max"], tolerance=1e-9)
            near(bend, theirs["kappa1_max"], tolerance=1e-9)
            near(tip, theirs["tip_max_mm"], tolerance=1e-6)
    assert len(cases()) == 7 * 13
    (table,) = (t for t in report.tables if t.title.startswith("Curvature at gauge 1"))
    bends = {(row[0], row[1]): dict(zip(table.columns, row, strict=True)) for row in table.rows}
    for row in given["rows"]:
        ours = bends[row["curve"], row["theta_deg"]]
        for model, name in {**NAMES, "exact": "elastica"}.items():
            near(ours[model], row[name]["kappa_calibrated"][0])


@pytest.mark.slow
def test_the_report_holds_what_it_lists() -> None:
    report = report_of("piedboeuf")
    assert len(report.figures) == 7
    check_report(report)


def test_three_polynomials_are_exact_for_first_order_kinematics() -> None:
    """3.5: against the quartic that solves (43); two are not."""
    assert kinematics.quartic_gap(3) < 1e-13
    assert kinematics.quartic_gap(2) > 1e-4


def test_only_curvatures_give_rotations_to_second_order() -> None:
    """(7) and (8) are off by s^2, (16) and the tip of a bent link by s^3."""
    orders = [row[4] for row in kinematics.rotations().rows[:4]]
    np.testing.assert_allclose(orders, [2, 2, 3, 3], atol=0.05)


def test_the_endpoint_jacobian_of_eq_38(given: Any) -> None:
    """Corrected: rows x and y in link axes, to first order in eta."""
    robot, x = supple.load("piedboeuf-arm"), given["inputs"]
    eta = 1e-6 * np.array([0.3, -0.2, 0.1, 0.05, 0.02])
    n, L = np.arange(1, 6), x["l"]
    phi, slope = L ** (n + 1), (n + 1) * L**n
    inner = np.outer(n + 1, n + 1) * L ** (n[:, None] + n + 1) / (n[:, None] + n + 1)
    turn = np.outer(slope, slope)
    first = -x["l2y"] * slope - eta @ (x["l2x"] * turn + inner)
    second = phi + x["l2x"] * slope - x["l2y"] * eta @ turn
    joint = [
        -x["l2y"] - (x["l2x"] * slope + phi) @ eta,
        x["l1x"] + L + x["l2x"] - x["l2y"] * slope @ eta,
    ]
    expected = np.vstack([np.append(joint[0], first), np.append(joint[1], second)])
    ours = supple.jacobian(robot, np.append(0.0, eta), "arm.endpoint")[3:5]
    near(ours, expected, tolerance=1e-10)
