"""Runs against closed forms: work, losses, followed motions, deflections in the link's axes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import supple
from supple.simulation.inputs import motion_file


def wheel(**joint: Any) -> supple.Robot:
    words = {"links": {"a": {"rigid": {"mass": 1.0, "inertia": 2.0}}}}
    return supple.build(words | {"joints": [{"type": "revolute", "child": "a"} | joint]})


@pytest.mark.parametrize("words", [{"damping": 0.5}, {"friction": {"viscous": 0.5}}])
def test_a_damped_wheel_loses_what_it_had(words: Any) -> None:
    run = supple.simulate(wheel(**words), None, 3.0, qd0=[1.5], samples=31)
    rate = 1.5 * np.exp(-0.5 * run.time / 2.0)
    assert np.allclose(run["qd"][:, 0], rate, atol=1e-7)
    assert np.allclose(run["kinetic"], 0.5 * 2.0 * rate**2, atol=1e-7)
    assert np.allclose(run["dissipated"], 0.5 * 2.0 * (1.5**2 - rate**2), atol=1e-7)
    assert run.energy_error < 1e-7


def test_a_torque_does_its_work_along_the_way() -> None:
    run = supple.simulate(wheel(damping=0.5), [0.8], 3.0, samples=31)
    assert np.allclose(run["work"], 0.8 * run["q"][:, 0], atol=1e-7)
    assert run["dissipated"][-1] > 0.1
    assert run.energy_error < 1e-7


def test_a_rigid_robot_follows_its_motion_by_feedforward() -> None:
    words = dict(supple.load("lin-lewis-rr").spec or {})
    one, two = (joint["name"] for joint in words["joints"])
    formulas = {one: "0.3 + 0.2*t**2", two: "0.1*cos(2*t)"}
    words["motions"] = {"go": {"duration": 1, "joints": formulas}}
    run = supple.simulate(supple.build(words), motion="go", samples=11)
    assert np.allclose(run["desired"][:, 0], 0.3 + 0.2 * run.time**2)
    assert np.allclose(run["q"], run["desired"], atol=1e-6)


def test_a_tabled_motion_rests_before_its_first_and_after_its_last_point(tmp_path: Any) -> None:
    robot = wheel(name="j")
    (tmp_path / "m.csv").write_text("t,j\n1,0.5\n2,0.7\n3,1.1\n4,1.3\n")
    motion = motion_file(robot, tmp_path / "m.csv")
    for t, value in ((0.0, 0.5), (1.0, 0.5), (4.0, 1.3), (9.0, 1.3)):
        assert motion(t)[0] == pytest.approx([value])
    assert [float(x[0]) for x in motion(0.0)[1:]] == [0.0, 0.0]


@pytest.mark.parametrize("axis", [[0, 0, 1], [1, 0, 0], [0, -1, 0], [0.3, -0.4, 0.5]])
def test_deflections_are_told_in_the_links_own_axes(axis: list[float]) -> None:
    modes = {"bending_y": 1, "bending_z": 1, "axial": 1}  # orthogonal: 1 at the tip
    beam = {"length": 1.0, "mass": 1.0, "EI": 30.0, "EA": 5e3, "modes": modes}
    joint = {"type": "revolute", "child": "a", "axis": axis}
    hub = {"mass": 1.0, "inertia": 1.0}
    words = {"links": {"a": {"beam": beam, "hub": hub}}, "joints": [joint]}
    robot = supple.build(words | {"elastic_kinematics": "first_order"})  # no foreshortening
    d = [0.01, -0.02, 0.003]
    run = supple.simulate(robot, None, 0.01, q0=[0.4, *d], samples=2)
    assert np.allclose(run["deflection"][0, 0], [d[2], d[0], d[1]])
    assert np.allclose(run["amplitude"][0], d)
