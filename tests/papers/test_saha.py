"""PUMA and Stanford arms of [Saha], against numbers made with Pinocchio and CasADi."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

import supple
from agree import assert_near

near = partial(assert_near, tolerance=1e-10, least=1e-3)
ROBOTS = ("puma", "stanford")


def state(s: Any) -> tuple[Any, Any, Any]:
    return np.array(s["q"]), np.array(s["qd"]), np.array(s["qdd"])


@pytest.mark.parametrize("name", ROBOTS)
def test_torques_along_the_papers_trajectory(name: str, reference: Any) -> None:
    robot = supple.load(name)
    for point in reference(f"saha_{name}")["inverse_dynamics"]["points"]:
        near(supple.inverse_dynamics(robot, *state(point)), point["tau"])


@pytest.mark.parametrize("name", ROBOTS)
def test_the_motion_in_the_file_is_the_papers(name: str, reference: Any) -> None:
    from supple.simulation import named_motion

    motion = named_motion(supple.load(name), "paper")
    assert motion is not None
    for point in reference(f"saha_{name}")["inverse_dynamics"]["points"]:
        for ours, theirs in zip(motion(point["t"]), state(point), strict=True):
            assert np.abs(ours - theirs).max() < 1e-12


@pytest.mark.parametrize("name", ROBOTS)
def test_matrices_vectors_and_factors(name: str, reference: Any) -> None:
    robot = supple.load(name)
    for s in reference(f"saha_{name}")["states"]:
        q, qd, qdd = state(s)
        near(supple.mass_matrix(robot, q), s["mass_matrix"])
        near(supple.coriolis_force(robot, q, qd), s["coriolis_vector"])
        near(supple.gravity_force(robot, q), s["gravity_vector"])
        near(supple.inverse_mass_matrix(robot, q), np.linalg.inv(s["mass_matrix"]))
        U, D = supple.udu_factors(robot, q)
        near(U, s["UDUT"]["U"])
        near(D, s["UDUT"]["D"])
        near(supple.forward_dynamics(robot, q, qd, s["tau_inverse_dynamics"]), qdd)
        fd = s["forward_dynamics"]
        near(supple.forward_dynamics(robot, q, qd, fd["tau"]), fd["qdd"])
        near(supple.kinetic_energy(robot, q, qd), s["kinetic_energy"])
        near(supple.potential_energy(robot, q), s["potential_energy"])


@pytest.mark.parametrize("name", ROBOTS)
def test_poses_and_twists(name: str, reference: Any) -> None:
    """A missing A_{i,i-1} in the recursion shows here, not in the torques."""
    robot = supple.load(name)
    for s in reference(f"saha_{name}")["states"]:
        q, qd, _ = state(s)
        tool = supple.pose(robot, q, "link6.tip")
        T = np.array(s["tool_frame_T_1_to_7"])
        near(tool.R, T[:3, :3])
        near(tool.p, T[:3, 3])
        frames = supple.twists(robot, q, qd)
        near(frames[:, :3], s["omega_links_world"])
        tips = [supple.twist(robot, q, qd, f"{link.name}.tip") for link in robot.links]
        near(np.array(tips)[:, 3:], s["v_Oiplus1_world"])


@pytest.mark.parametrize("name", ROBOTS)
def test_free_fall(name: str, reference: Any) -> None:
    robot = supple.load(name)
    for fall in reference(f"saha_{name}")["free_fall"]:
        samples = [s for s in fall["samples"] if 0.0 < s["t"] <= 1.0]
        run = supple.simulate(
            robot,
            duration=1.0,
            q0=fall["q0"],
            qd0=fall["qd0"],
            samples=101,
            rtol=1e-11,
            atol=1e-13,
        )
        assert samples[-1]["t"] == 1.0
        for s in samples:
            i = int(np.argmin(np.abs(run.time - s["t"])))
            assert abs(run.time[i] - s["t"]) < 1e-12
            assert np.abs(run["q"][i] - s["q"]).max() < 1e-8
            assert np.abs(run["qd"][i] - s["qd"]).max() < 1e-7
