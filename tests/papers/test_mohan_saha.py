"""The flexible Canadarm of [MohanSaha], against Lagrange and d'Alembert by other programs."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

import supple
from agree import assert_near

near = partial(assert_near, tolerance=1e-9, least=1e-6)


@pytest.fixture(scope="module")
def planar(reference: Any) -> Any:
    return reference("canadarm_planar")


def test_planar_mass_matrix_bias_and_energy(planar: Any) -> None:
    robot = supple.load("canadarm")
    for s in planar["states"]:
        q, qd = np.array(s["q"]), np.array(s["qd"])
        near(supple.mass_matrix(robot, q), s["M"])
        near(supple.coriolis_force(robot, q, qd), s["coriolis"])
        near(supple.elastic_force(robot, q), s["stiffness_force"])
        near(supple.bias_force(robot, q, qd), s["bias_total"])
        near(supple.kinetic_energy(robot, q, qd), s["T"])
        near(supple.potential_energy(robot, q), s["V"])
        tips = [supple.pose(robot, q, f"link{i}").p[:2] for i in (1, 2, 3)]
        near(np.ravel(tips), np.ravel(s["tip_positions"]))


def test_planar_frequencies(planar: Any) -> None:
    robot = supple.load("canadarm")
    given = planar["natural_frequencies_rad_s"]
    near(supple.frequencies(robot, locked=True).omega, given["joints_locked"])
    near(supple.frequencies(robot).omega[3:], given["joints_free"][3:])


def test_mode_constants_of_the_paper(planar: Any) -> None:
    robot, constants = supple.load("canadarm"), planar["mode_constants"]
    for link, tip, slope in zip(robot.links, constants["tip"], constants["tip_slope"], strict=True):
        station = link.body.stations["tip"]
        near(station.S[:, 1], tip, tolerance=1e-12)
        near(station.Theta[:, 2], slope, tolerance=1e-12)
    near(robot.links[0].body.K, np.array(planar["K"])[1:3, 1:3])


@pytest.mark.slow
def test_forced_run_of_eq_44(planar: Any) -> None:
    robot = supple.load("canadarm")
    run = supple.simulate(robot, motion="paper", samples=101, rtol=1e-9, atol=1e-11)
    for s in planar["simulation"]["samples"]:
        i = int(np.argmin(np.abs(run.time - s["t"])))
        assert abs(run.time[i] - s["t"]) < 1e-12
        assert np.abs(run["q"][i] - s["q"]).max() < 1e-6
        assert np.abs(run["desired"][i] - s["theta_desired"]).max() < 1e-12
        near(run["tau"][i][[0, 3, 6]], s["tau"], tolerance=1e-9)
        assert np.abs(run["deflection"][i, :, 1] - s["tip_deflection"]).max() < 1e-6
        assert abs(run["work"][i] - s["work"]) < 1e-6
    assert run.energy_error < 1e-8


def test_spatial_mass_matrix_bias_and_energy(reference: Any) -> None:
    robot = supple.load("canadarm-spatial")
    case = reference("canadarm_spatial")["cases"]["alpha_0"]
    for s in case["states"]:
        q, qd = np.array(s["q"], dtype=float), np.array(s["qd"], dtype=float)
        near(supple.mass_matrix(robot, q), s["M"])
        near(supple.coriolis_force(robot, q, qd), s["coriolis"])
        near(supple.kinetic_energy(robot, q, qd), s["T"])
        near(supple.potential_energy(robot, q), s["V"])
    given = case["natural_frequencies_rad_s"]
    near(supple.frequencies(robot, locked=True).omega, given["joints_locked"])


@pytest.mark.slow
def test_spatial_free_run(reference: Any) -> None:
    robot = supple.load("canadarm-spatial")
    run = reference("canadarm_spatial")["cases"]["alpha_0"]["simulation"]
    start, t = np.array(run["initial"]), np.array(run["t"])
    ours = supple.simulate(
        robot, duration=t[-1], q0=start[:15], qd0=start[15:], samples=len(t), rtol=1e-9, atol=1e-11
    )
    assert np.abs(ours.time - t).max() < 1e-12
    assert np.abs(ours["q"] - run["q"]).max() < 1e-6
    assert np.abs(ours["tip"].reshape(len(t), -1) - run["tips"]).max() < 1e-6
    assert ours.energy_error < 1e-8


@pytest.mark.slow
def test_first_order_misses_a_fifth_of_what_bending_does_in_the_manoeuvre() -> None:
    """Largest distance of the end effector from second_order, over that of a rigid arm."""
    tips = {}
    for kinematics in ("rigid", "first_order", "second_order"):
        robot = supple.load("canadarm").replace(elastic_kinematics=kinematics)
        run = supple.simulate(robot, motion="paper", rtol=1e-5, atol=1e-7)
        tips[kinematics] = np.array([supple.pose(robot, q, "link3").p for q in run["q"][::10]])
    first, rigid = (
        np.linalg.norm(tips[k] - tips["second_order"], axis=1).max()
        for k in ("first_order", "rigid")
    )
    assert 0.18 < first / rigid < 0.22
