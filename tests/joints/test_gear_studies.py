"""Linear models, Campbell diagrams and maps of robots with elastic gears: motors are held."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from agree import assert_near
from geared import LOAD, J, K, R, hanging, two_mass


def test_a_linear_model_is_that_of_two_masses() -> None:
    model = supple.linearise(two_mass(damping=0.3), outputs=["j"])
    A = np.zeros((4, 4))  # of (phi, q, and their rates)
    A[:2, 2:] = np.eye(2)
    pull = np.array([[1 / R**2 / J, -1 / R / J], [-1 / R / LOAD, 1 / LOAD]])
    A[2:, :2], A[2:, 2:] = -K * pull, -0.3 * pull
    found, wanted = (np.sort_complex(np.linalg.eigvals(x)) for x in (model.A, A))
    assert np.abs(found - wanted).max() < 1e-6 * np.abs(wanted).max()
    assert model.inputs == ("j.motor",)
    s = 2.0j
    transfer = (0.3 * s + K) / R / (s**2 * (LOAD * J * s**2 + (LOAD / R**2 + J) * (0.3 * s + K)))
    given = model.C @ np.linalg.solve(s * np.eye(4) - model.A, model.B) + model.D
    assert given[0, 0] == pytest.approx(transfer, rel=1e-9)


def test_a_campbell_diagram_has_the_frequencies_of_a_turning_arm_on_its_gear() -> None:
    beam = {"length": 2, "mass": 1, "EI": 20, "modes": {"bending_y": 2}}
    drive = {"gear_ratio": R, "rotor_inertia": J, "stiffness": K}
    robot = supple.build(
        {
            "gravity": [0, 0, 0],
            "links": {"a": {"beam": beam, "hub": {"mass": 1, "inertia": 0.2}}},
            "joints": [{"name": "j", "type": "revolute", "child": "a", "drive": drive}],
        }
    )
    found = supple.campbell(robot, "j", [0.0, 6.0]).data["omega"].values
    assert_near(found[0], supple.frequencies(robot, locked=True).omega, 1e-9)
    assert_near(found[1], supple.frequencies(robot, rates={"j": 6.0}).omega, 1e-9)


def test_a_map_has_the_sag_of_the_gear() -> None:
    robot = hanging(drive={"gear_ratio": R, "rotor_inertia": J, "stiffness": 5e4})
    found = supple.workspace_map(robot, "a", {"j": [0.2, 0.6]}).data
    for k, q in enumerate((0.2, 0.6)):
        rest = supple.statics(robot, {"j": q})
        assert_near(found["q"].values[k], rest.q, 1e-12)
        assert rest.torques["j.motor"] == pytest.approx(found["torque"].values[k][0])
