"""The five-bar and the carpet scraper of [Saha] close where the reference angles say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import supple
from supple.loops.assembly import AssemblyProblem, descend, motor_links

SCRAPER = {
    "crank_joint": "II-1",
    "rocker_joint": "I-1",
    "coupler_joint": "I-2",
    "arm_joint": "III-1^0",
    "blade_joint": "III-2^0",
    "lower_joint": "III-3^0",
    "upper_joint": "III-1^1",
}


def apart(a: Any, b: Any) -> float:
    """Angles, whole turns apart or not."""
    return float(np.abs(np.exp(1j * np.asarray(a)) - np.exp(1j * np.asarray(b))).max())


@pytest.mark.parametrize("k", range(11))
def test_the_five_bar_closes_at_the_reference_angles_and_at_their_mirror(
    k: int, reference: Any
) -> None:
    robot = supple.load("five-bar")
    point = reference("saha_fivebar")["cases"][0]["inverse_dynamics_eq35"]["points"][k]
    (t1, t2), (e1, e2) = point["theta1"], point["theta2_rel"]
    below, above = supple.assemble(robot, {"motor1": t1, "motor2": t2})
    assert apart(below, [t1, e1, t2, e2]) < 1e-10
    assert np.allclose(supple.pose(robot, below, "distal1.tip").p[:2], point["P"], atol=1e-10)
    elbows = [supple.pose(robot, above, x).p[:2] for x in ("proximal1", "proximal2")]
    line = (elbows[1] - elbows[0]) / np.linalg.norm(elbows[1] - elbows[0])
    v = np.array(point["P"]) - elbows[0]
    mirror = elbows[0] + 2.0 * (v @ line) * line - v
    assert np.allclose(supple.pose(robot, above, "distal1.tip").p[:2], mirror, atol=1e-10)


def test_the_scraper_closes_at_the_reference_angles_all_the_way_round(reference: Any) -> None:
    robot = supple.load("carpet-scraper")
    closing, q = AssemblyProblem(robot, motor_links(robot)), robot.home()
    for point in reference("saha_carpet_scraper")["cases"][0]["points"]:
        target = np.radians(point["crank_deg"])
        for crank in np.linspace(q[0], target, 3)[1:]:
            q[0] = crank
            q = descend(closing, q).q
        theirs = [point["joint_angles_rel"][SCRAPER[name]] for name in robot.coordinate_names]
        assert apart(q, theirs) < 1e-10
        for station, name in (("coupler.b", "B"), ("blade.pin", "S"), ("blade.tip", "tip")):
            at = supple.pose(robot, q, station).p[:2]
            assert np.allclose(at, point["points"][name], atol=1e-10)


def test_the_scraper_has_its_pantograph_on_either_side(reference: Any) -> None:
    robot = supple.load("carpet-scraper")
    found = supple.assemble(robot)
    corner = [supple.pose(robot, q, "arm.tip").p[:2] for q in found]
    point = reference("saha_carpet_scraper")["cases"][0]["points"][0]["points"]
    pivot, B, R = np.array([0.038, 0.41]), np.array(point["B"]), np.array(point["R"])
    line = (B - pivot) / np.linalg.norm(B - pivot)
    mirror = pivot + 2.0 * ((R - pivot) @ line) * line - (R - pivot)
    assert all(min(np.linalg.norm(x - c) for c in (R, mirror)) < 1e-10 for x in corner)
    assert min(np.linalg.norm(x - mirror) for x in corner) < 1e-10
    assert np.allclose(found[0], robot.home(), atol=1e-9)


def test_the_motions_in_the_file_are_the_papers(reference: Any) -> None:
    from supple.expressions import CONSTANTS, parse

    assert CONSTANTS
    motion = supple.load("five-bar").motions["paper"]
    for point in reference("saha_fivebar")["cases"][0]["inverse_dynamics_eq35"]["points"]:
        words = {"t": point["t"], "pi": np.pi, "deg": np.pi / 180.0, "sin": np.sin}
        for name, angle in zip(("motor1", "motor2"), point["theta1"], strict=True):
            assert parse(motion.joints[name], ("t", *CONSTANTS))
            assert eval(motion.joints[name], words) == pytest.approx(angle, abs=1e-14)
