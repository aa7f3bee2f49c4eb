"""Geometric stiffening: what axial forces do to bending, against closed forms and exact models."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

import supple

pytestmark = pytest.mark.filterwarnings("ignore::supple.errors.SuppleWarning")


def beam(joint: str = "fixed", gravity: Any = (0, 0, 0), **words: Any) -> supple.Robot:
    """A unit beam along x: EI = rho A = L = 1."""
    own = {"length": 1.0, "mass_per_length": 1.0, "EI": 1.0, "modes": {"bending_y": 4}} | words
    return supple.build(
        {
            "gravity": list(gravity),
            "links": {"a": {"beam": own}},
            "joints": [{"name": "hub", "type": joint, "child": "a"}],
        }
    )


def softest(robot: supple.Robot, load: Any) -> float:
    return float(np.linalg.eigvalsh(supple.statics(robot, [], {"a.tip": load}).stiffness)[0])


@pytest.mark.parametrize("field", ["bending_y", "bending_z"])
@pytest.mark.parametrize("family", ["orthogonal", "clamped_free", "polynomial"])
def test_a_cantilever_buckles_under_eulers_load(field: str, family: str) -> None:
    """pi^2 EI / 4 L^2 for a force that keeps its direction."""
    robot = beam(modes={field: 4, "family": family})
    load = brentq(lambda p: softest(robot, [-p, 0, 0]), 1.0, 4.0)
    assert abs(load / (np.pi**2 / 4) - 1.0) < (5e-3 if family == "clamped_free" else 1e-4)
    assert not supple.statics(robot, [], {"a.tip": [-1.1 * load, 0, 0]}).stable


def test_a_pulled_cantilever_stiffens_as_its_equation_says() -> None:
    """Tip force F across under a pull P: v(L) = F/P (L - tanh(kL)/k), k^2 = P/EI."""
    P, F = 5.0, 1e-5
    robot = beam(modes={"bending_y": 7})
    tip = supple.along(robot, supple.statics(robot, [], {"a": [P, F, 0]}).q, points=2)["a"]
    k = np.sqrt(P)
    assert abs(tip.deflection[-1, 1] / (F / P * (1.0 - np.tanh(k) / k)) - 1.0) < 1e-6


def test_a_tapered_cantilever_buckles_under_its_own_equation() -> None:
    """EI y'' + P y = 0 for y = v_tip - v with EI falling linearly, shot from the free tip."""
    from scipy.integrate import solve_ivp

    def free(P: float) -> float:
        rate = lambda s, y: [y[1], -P * y[0] / (1.0 - 0.6 * (1.0 - s))]  # noqa: E731
        return float(solve_ivp(rate, (0, 1), [0.0, 1.0], rtol=1e-10, atol=1e-12).y[1, -1])

    exact = brentq(free, 0.5, 3.0)
    robot = beam(EI=[1.0, 0.4], modes={"bending_y": 6})
    load = brentq(lambda p: softest(robot, [-p, 0, 0]), 0.3, 3.0)
    assert abs(load / exact - 1.0) < 1e-5


def test_a_standing_column_falls_at_greenhills_height() -> None:
    """Own weight: rho g L^3 / EI = 7.8373; softer standing, stiffer hanging."""
    own = brentq(lambda g: supple.frequencies(beam(gravity=(-g, 0, 0))).omega[0], 5.0, 9.0)
    assert abs(own / 7.8373 - 1.0) < 3e-4
    free, hanging, standing = (
        supple.frequencies(beam(gravity=(g, 0, 0))).omega[0] for g in (0.0, 3.0, -3.0)
    )
    assert standing < free < hanging


ORDER = {"elastic_kinematics": "first_order"}


def test_first_order_feels_no_axial_force() -> None:
    hanging = beam(gravity=(3.0, 0, 0)).replace(**ORDER)
    free = beam().replace(**ORDER)
    assert np.allclose(supple.frequencies(hanging).omega, supple.frequencies(free).omega)
    pushed = supple.statics(free, [], {"a": [-10.0, 0, 0]})
    assert pushed.stable


def test_rotating_beam_has_the_published_frequencies(reference: Any) -> None:
    """Flap and lag of a beam turning at Omega, hub radius 0 (Wright et al. 1982)."""
    robot = beam("revolute", modes={"bending_y": 6, "bending_z": 6})
    for row in reference("spin_up_beam")["rotating_beam"]["table"]:
        omega = supple.frequencies(robot, rates={"hub": row["gamma"]}).omega
        for kind in ("flap", "lag", "published_flap"):
            for value in row.get(kind) or []:
                assert np.abs(omega / value - 1.0).min() < 2e-3


def test_first_order_softens_where_turning_stiffens() -> None:
    """w^2 - Omega^2 instead of w^2 + 0.19 Omega^2 in the plane: it falls off the true curve."""
    robot = beam("revolute")
    true = supple.frequencies(robot, rates={"hub": 3.0}).omega[0]
    false = supple.frequencies(robot.replace(**ORDER), rates={"hub": 3.0}).omega[0]
    assert true > 3.5160 > 3.0 > false
    assert abs(false**2 - (3.51602**2 - 9.0)) < 1e-3


def spin_up(t: float) -> tuple[float, float, float]:
    """6 rad/s in 15 s, then steady (Kane, Ryan and Banerjee 1987)."""
    T, w = 15.0, 6.0
    if t >= T:
        return w * T / 2 + w * (t - T), w, 0.0
    a = 2 * np.pi / T
    return (
        w / T * (t * t / 2 + (np.cos(a * t) - 1) / a**2),
        w / T * (t - np.sin(a * t) / a),
        w / T * (1 - np.cos(a * t)),
    )


def spinning(kinematics: str, shapes: int) -> supple.Robot:
    words = {"length": 10.0, "mass_per_length": 1.2, "EI": 1.4e4, "modes": {"bending_y": shapes}}
    return beam("revolute", **words).replace(elastic_kinematics=kinematics)


def test_spin_up_follows_the_exact_beam(reference: Any) -> None:
    """Tip history within 0.5% of the exact peak, and next to the full second-order Lagrangian."""
    given, robot = reference("spin_up_beam")["runs"], spinning("second_order", 5)
    run = supple.simulate(robot, duration=20.0, prescribed={"hub": spin_up}, samples=2001)
    tip = run["deflection"][:, 0]
    peak = abs(given["exact_N8"]["min_tip"])
    for name, tolerance in (("exact_N8", 5e-3), ("second_N6", 1e-4)):
        gap = tip[::100, 1] - given[name]["tip_transverse"]
        assert np.abs(gap).max() < tolerance * peak
    assert np.abs(tip[::100, 0] - given["exact_N8"]["tip_axial"]).max() < 2e-4
    assert abs(run.time[tip[:, 1].argmin()] - 6.76) < 0.02
    assert abs(tip[:, 1].min() / given["exact_N8"]["min_tip"] - 1.0) < 4e-3
    assert np.abs(tip[1500:, 1]).max() < 5e-3
    assert run.energy_error < 1e-8
    # steady: what the hub must give is nothing but the vibration's share
    assert np.abs(run["reaction"][1600:]).max() < 1e-2 * np.abs(run["reaction"]).max()


def test_spin_up_of_first_order_runs_away_and_is_stopped(reference: Any) -> None:
    """Without stiffening the tip is at -72 m after 10 s: it follows the reference until the
    run is refused."""
    given = reference("spin_up_beam")["runs"]["linear_first_order_N3"]["tip_transverse"]
    assert given[10] < -70.0
    robot, law = spinning("first_order", 3), {"hub": spin_up}
    run = supple.simulate(robot, duration=8.0, prescribed=law, samples=9)
    assert abs(run["deflection"][8, 0, 1] / given[8] - 1.0) < 0.02
    with pytest.raises(supple.SimulationError, match=r"bends by a slope of .* at t = (8\.9|9 s)"):
        supple.simulate(robot, duration=10.0, prescribed=law, samples=11)


@pytest.mark.slow
def test_canadarm_with_three_polynomials_is_near_the_exact_one() -> None:
    """Flexibility moves the end effector by 20.6 mm; at 10 s it is at (5.35798, 12.30053)."""
    exact, effect = np.array([5.35798, 12.30053]), 0.0206
    arm, ends = supple.load("canadarm").with_modes(3, family="polynomial"), {}
    for kinematics in ("second_order", "first_order"):
        robot = arm.replace(elastic_kinematics=kinematics)
        # steps wrong by 1e-5 of the state leave 1e-7 of the effect
        run = supple.simulate(robot, motion="paper", samples=11, rtol=1e-5, atol=1e-7)
        ends[kinematics] = np.linalg.norm(run["tip"][-1, 2, :2] - exact) / effect
    assert ends["second_order"] < 0.01
    assert 0.15 < ends["first_order"] < 0.25
