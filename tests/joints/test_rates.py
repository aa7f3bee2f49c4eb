"""Joint rates are the velocities of the poses they change, quaternions included."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from supple.joints import KINDS
from supple.recursion import configuration_rate

LINK = {"rigid": {"mass": 1.0, "inertia": 0.2, "tip": [0.3, -0.2, 0.5]}}
MOVING = [*(name for name, kind in KINDS.items() if kind.axes), "zyx"]


@pytest.mark.parametrize("kind", MOVING)
@pytest.mark.parametrize("seed", range(3))
def test_a_pose_changes_at_its_twist(kind: str, seed: int) -> None:
    how = {"type": "spherical", "coordinates": "zyx"} if kind == "zyx" else {"type": kind}
    origin = {"xyz": [0.1, 0.2, 0.3], "rpy": [0.3, -0.4, 0.5]}
    joints = [how | {"child": "a", "origin": origin}]
    robot = supple.build({"links": {"a": LINK}, "joints": joints})
    rng = np.random.default_rng(seed)
    q, qd, h = robot.normalized(rng.normal(size=robot.nq)), rng.normal(size=robot.nv), 1e-6
    step = h * configuration_rate(robot, q, qd)
    after, before = supple.pose(robot, q + step, "a"), supple.pose(robot, q - step, "a")
    W = (after.R - before.R) / (2 * h) @ supple.pose(robot, q, "a").R.T
    twist = supple.twist(robot, q, qd, "a")
    assert np.allclose([W[2, 1], W[0, 2], W[1, 0]], twist[:3], atol=1e-8)
    assert np.allclose((after.p - before.p) / (2 * h), twist[3:], atol=1e-8)
    assert np.allclose(W, -W.T, atol=1e-8)


def test_a_quaternion_keeps_its_length_at_any_rate() -> None:
    robot = supple.build({"links": {"a": LINK}, "joints": [{"type": "spherical", "child": "a"}]})
    rng = np.random.default_rng(1)
    q, w = rng.normal(size=4), rng.normal(size=3)
    assert q @ configuration_rate(robot, q, w) == pytest.approx(0.0, abs=1e-15)
