"""How far a link may bend: against the exact elastica, and against a beam wound into a helix."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_bvp
from scipy.linalg import expm

import supple
from supple.analyse import validity
from supple.elastic_kinematics import KINEMATICS
from supple.screws import skew


def cantilever(kinematics: str = "second_order", pieces: int = 1, **modes: Any) -> supple.Robot:
    """L = EI = 1, of several pieces fixed to each other."""
    modes = modes or {"bending_y": 4}
    beam = {"length": 1.0 / pieces, "mass": 1.0 / pieces, "EI": 1.0, "modes": modes}
    beam |= {"GJ": 1.0, "polar_inertia": 0.01}
    names = [f"a{k}" for k in range(pieces)]
    return supple.build(
        {
            "gravity": [0, 0, 0],
            "elastic_kinematics": kinematics,
            "links": {name: {"beam": beam} for name in names},
            "joints": [
                {"type": "fixed", "child": name, "parent": parent}
                for parent, name in zip(["world", *names], names, strict=False)
            ],
        }
    )


def elastica(force: float, moment: float = 0.0) -> tuple[np.ndarray, float]:
    """Tip and largest angle: phi'' + F cos(phi) = 0, phi(0) = 0, phi'(1) = M."""
    sol = solve_bvp(
        lambda s, y: np.array([y[1], -force * np.cos(y[0]), np.cos(y[0]), np.sin(y[0])]),
        lambda a, b: np.array([a[0], b[1] - moment, a[2], a[3]]),
        np.linspace(0, 1, 40),
        np.zeros((4, 40)),
        tol=1e-8,
    )
    return np.array([*sol.y[2:, -1], 0.0]), float(np.abs(sol.y[0]).max())


def miss(robot: supple.Robot, force: float, moment: float = 0.0) -> tuple[float, float]:
    """Largest slope, and the error of the tip over its displacement."""
    from supple.analyse.statics import Equilibrium, open_equilibrium

    name = robot.links[-1].name
    found = open_equilibrium(
        Equilibrium(robot, {name: np.array([0, 0, moment, 0, force, 0.0])}), robot.neutral()
    )
    exact, _ = elastica(force, moment)
    error = np.linalg.norm(found.position(name) - exact) / np.linalg.norm(exact - [1, 0, 0])
    return max(float(s) for s in validity.slopes(robot, found.q).values()), float(error)


@pytest.mark.parametrize(
    ("kinematics", "force", "moment", "low", "high"),
    [
        ("second_order", 0.4, 0.0, 0.01, 0.02),
        ("second_order", 0.0, 0.2, 0.003, 0.02),
        ("first_order", 0.1, 0.0, 0.015, 0.025),
        ("linearized", 0.1, 0.0, 0.015, 0.025),
    ],
)
def test_at_the_limit_deflections_are_two_per_cent_wrong(
    kinematics: str, force: float, moment: float, low: float, high: float
) -> None:
    slope, error = miss(cantilever(kinematics), force, moment)
    assert slope == pytest.approx(KINEMATICS[kinematics].doubtful, rel=1e-6)
    assert low < error < high


def test_where_a_slope_is_refused_the_tip_is_far_off() -> None:
    slope, error = miss(cantilever(), 2.0)
    assert slope == pytest.approx(validity.MEANINGLESS, rel=1e-6)
    assert error > 0.35


def test_pieces_bring_a_link_back_into_the_range() -> None:
    (whole, bad), (part, good) = miss(cantilever(), 1.0), miss(cantilever(pieces=4), 1.0)
    assert whole > 0.45
    assert bad > 0.1
    assert part < 0.25
    assert good < 0.01


@pytest.mark.parametrize(("twist", "bend"), [(0.0, 0.3), (0.3, 0.3), (0.8, 0.1), (1.5, 0.0)])
def test_a_twist_counts_only_with_a_slope(twist: float, bend: float) -> None:
    """A beam of constant curvature is a helix: r = int exp(s kappa~) e_1."""
    robot = cantilever(family="polynomial", bending_y=1, torsion=1)
    q = np.array([bend / 2.0, twist])
    helix = np.zeros((4, 4))
    helix[:3, :3], helix[0, 3] = skew(np.array([twist, 0.0, bend])), 1.0
    error = np.linalg.norm(supple.pose(robot, q, "a0").p - expm(helix)[:3, 3])
    (slope,) = validity.slopes(robot, q).values()
    assert error == pytest.approx(float(slope) ** 3 / 24.0, rel=0.03, abs=1e-12)


def test_many_states_at_once_and_when_they_were() -> None:
    robot = cantilever()
    q = np.linspace(0.0, 0.3, 7)[:, None] * np.ones((1, 4))
    times = np.linspace(0.0, 3.0, 7)
    each = [float(validity.slopes(robot, row)["a0"]) for row in q]
    assert np.allclose(validity.slopes(robot, q.reshape(7, 1, 4))["a0"][:, 0], each)
    (words,) = validity.findings(robot, times, q[:3])
    assert "link a0" in words
    assert f"{np.degrees(each[2]):.3g} deg" in words
    assert "t = 1 s" in words
    first = next(i for i, slope in enumerate(each) if slope > 1.0)
    assert f"t = {times[first]:.4g} s" in str(validity.refusal(robot, q, times))
    assert validity.refusal(robot, np.full(4, np.nan)) is not None


def test_slopes_and_deflections_of_a_known_shape() -> None:
    """v = d x^2: the slope is 2 d at the tip, the deflection d."""
    robot = cantilever(family="polynomial", bending_z=1)
    for one in (robot, without_line(robot)):
        assert validity.slopes(one, np.array([0.11]))["a0"] == pytest.approx(0.22)
        assert validity.deflections(one, np.array([0.11]))["a0"] == pytest.approx(0.11)
    rigid = robot.replace(elastic_kinematics="rigid")
    assert validity.findings(rigid, None, np.zeros((5, 0))) == []


def without_line(robot: supple.Robot) -> supple.Robot:
    from dataclasses import replace

    (link,) = robot.links
    return replace(robot, links=(replace(link, body=replace(link.body, line=None)),))
