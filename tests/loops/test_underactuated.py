"""Closed chains with too few motors, and with too many: one message, or what the forces say."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import yaml
from typer.testing import CliRunner

import supple
from supple.cli.commands import app

TOO_FEW = "too few motors: 3 joint coordinates have none, its loops hold 2.* need 1 more motor"
ZERO = np.zeros(8)


def with_pendulum(**changes: object) -> supple.Robot:
    """The four-bar, a pendulum hung on its coupler."""
    words = json.loads(json.dumps(dict(supple.load("four-bar-flexible").spec), default=dict))
    words["links"]["bob"] = {"rigid": {"mass": 0.3, "com": [0.1, 0, 0], "inertia": 0.001}}
    words["joints"] += [{"name": "hang", "type": "revolute", "parent": "coupler", "child": "bob"}]
    return supple.build(words | changes)


def turned(robot: supple.Robot) -> supple.Motion:
    at = float(robot.home()[0])
    return supple.quintic(robot, {"crank_joint": (at, at + 0.1)}, 0.2)


ASKED = {
    "feedforward": lambda r: supple.feedforward(r, turned(r)),
    "simulate": lambda r: supple.simulate(r, motion=turned(r), samples=3),
    "inverse_along": lambda r: supple.inverse_along(r, turned(r), samples=5),
    "compile": lambda r: supple.compile(r, "inverse_dynamics"),
    "linearise": lambda r: supple.linearise(r, r.home(), ZERO),
    "inverse_dynamics": lambda r: supple.inverse_dynamics(r, r.home(), ZERO, ZERO),
}


@pytest.mark.parametrize("name", ASKED)
def test_too_few_motors_are_told_by_everything_that_asks_for_their_forces(name):
    with pytest.raises(supple.InputError, match=TOO_FEW):
        ASKED[name](with_pendulum())


def test_the_shell_tells_it_too(tmp_path: Path):
    (tmp_path / "table.csv").write_text("t,crank_joint\n0,1.0\n0.1,1.05\n0.2,1.1\n0.3,1.15\n")
    words = json.loads(json.dumps(dict(with_pendulum().spec), default=dict))
    (tmp_path / "model.yaml").write_text(yaml.safe_dump(words))
    for command in ("inverse", "simulate"):
        told = CliRunner().invoke(
            app,
            [command, str(tmp_path / "model.yaml"), "--trajectory", str(tmp_path / "table.csv")],
        )
        assert isinstance(told.exception, supple.InputError | SystemExit)
        assert "too few motors" in f"{told.exception} {told.output}"


def test_a_run_of_a_chain_with_too_few_motors_has_its_joint_wrenches():
    """They follow from its own multipliers: the pendulum's pin carries what its motion asks for."""
    robot = with_pendulum()
    run = supple.simulate(robot, None, 0.1, samples=5, keep=("wrench", "acceleration"))
    link = robot.index("bob")
    for q, qd, qdd, found in zip(
        run["q"], run["qd"], run["acceleration"], run["wrench"][:, link], strict=True
    ):
        p, R = (getattr(supple.pose(robot, q, "bob.origin"), k) for k in "pR")
        motion = supple.acceleration(robot, q, qd, qdd, "bob.origin")
        w, r = supple.twist(robot, q, qd, "bob.origin")[:3], R @ [0.1, 0, 0]
        a = motion[3:] + np.cross(motion[:3], r) + np.cross(w, np.cross(w, r))
        assert found[3:] == pytest.approx(0.3 * (a - [0, -9.81, 0]), abs=1e-6)
        assert found[2] == pytest.approx(0.0, abs=1e-6)  # nothing drives its pin
        assert p.shape == (3,)


def test_joints_of_a_run_with_redundant_motors_carry_the_torques_that_act():
    """Not the smallest that would move it so."""
    words = dict(supple.load("five-bar").spec) | {"actuated": ["motor1", "motor2", "elbow1"]}
    robot = supple.build(words)
    torque = np.array([1.0, -3.0, 2.0, 0.0])  # motor1, elbow1, motor2, elbow2
    run = supple.simulate(robot, lambda t, q, qd: torque, 0.05, samples=3, keep=("wrench",))
    for wrench in run["wrench"]:
        assert wrench[:, 2] == pytest.approx(torque, abs=1e-8)  # all axes are the world's z


def test_a_chain_without_motors_is_linearised_where_it_is_told_to_be():
    robot = with_pendulum(actuated=[])
    assert not supple.linearise(robot, robot.home(), ZERO, inputs=[]).tau.any()
