"""Where a zyx joint has no inverse mass matrix, one error names it and the way out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import supple
from supple import InputError, SimulationError

BODY = {"rigid": {"mass": 1.0, "com": [0.1, 0.2, 0.3], "inertia": 0.1, "length": 1.0}}
LOCK = r"joint wrist is in gimbal lock, wrist\.y is a right angle.*coordinates: quaternion"


def arm(**joint: Any) -> supple.Robot:
    wrist = {"name": "wrist", "type": "spherical", "coordinates": "zyx", "child": "hand"}
    return supple.build(
        {
            "gravity": [0, 0, 0],
            "links": {"arm": BODY, "hand": BODY},
            "joints": [{"type": "revolute", "child": "arm"}, wrist | {"parent": "arm"} | joint],
        }
    )


@pytest.mark.parametrize("pitch", [np.pi / 2, -np.pi / 2, 5 * np.pi / 2])
@pytest.mark.parametrize("stiffness", [0.0, 1.0])
def test_lock_is_told_before_any_computing(pitch: float, stiffness: float) -> None:
    robot = arm(stiffness=stiffness)
    q, zero = np.array([0.3, 0.1, pitch, 0.2]), np.zeros(4)
    for call in (
        lambda: supple.forward_dynamics(robot, q, zero, zero),
        lambda: supple.forward_sweeps(robot, q, zero, zero),
        lambda: supple.inverse_mass_matrix(robot, q),
        lambda: supple.udu_factors(robot, q),
        lambda: supple.articulated_bodies(robot, q),
        lambda: supple.frequencies(robot, q),
        lambda: supple.simulate(robot, None, 0.1, q0=q),
        lambda: supple.simulate(robot, None, 0.1, q0=q, method="Radau"),
    ):
        with pytest.raises(InputError, match=LOCK):
            call()
    assert np.all(np.isfinite(supple.mass_matrix(robot, q)))  # this one has an answer


def test_rotors_and_quaternions_pass_through_the_lock() -> None:
    robot = arm(rotor_inertia=0.1)
    q = np.array([0.3, 0.1, np.pi / 2, 0.2])
    tau = np.array([0.1, 0.2, 0.3, 0.4])
    qdd = supple.forward_dynamics(robot, q, np.zeros(4), tau)
    assert np.allclose(supple.inverse_dynamics(robot, q, np.zeros(4), qdd), tau)
    ball = arm(coordinates="quaternion")
    p = [0.3, np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0]
    qdd = supple.forward_dynamics(ball, p, np.zeros(4), tau)
    assert np.allclose(supple.inverse_dynamics(ball, p, np.zeros(4), qdd), tau)


def test_a_run_into_the_lock_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("supple.simulation.run_failures.STALL", 500)
    with pytest.raises(SimulationError, match="at t = .*" + LOCK):
        supple.simulate(arm(stiffness=1.0), None, 0.1, q0=[0.0, 0.1, np.pi / 2 - 1e-6, 0.2])


def test_accelerations_too_large_for_a_number_are_told() -> None:
    robot = arm()
    qd = np.full(4, 1e200)
    with pytest.raises(InputError, match="no finite acceleration of robot"):
        supple.forward_dynamics(robot, np.zeros(4), qd, np.zeros(4))
    with pytest.raises(InputError, match="no finite acceleration of robot"):
        supple.simulate(robot, None, 0.1, qd0=qd)
