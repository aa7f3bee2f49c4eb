"""MuJoCo gives the same accelerations for the same rigid robot."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from studies.chains import rigid_chain
from studies.peers import mujoco_words

mujoco = pytest.importorskip("mujoco", reason="MuJoCo has no wheel for this machine")


@pytest.mark.parametrize("robot", [supple.load("puma"), rigid_chain(12)], ids=lambda r: r.name)
def test_forward_dynamics(robot: supple.Robot) -> None:
    model = mujoco.MjModel.from_xml_string(mujoco_words(robot))
    data = mujoco.MjData(model)
    for seed in range(5):
        x = np.random.default_rng(seed).normal(size=(3, robot.nv))
        data.qpos[:], data.qvel[:], data.qfrc_applied[:] = x
        mujoco.mj_forward(model, data)
        ours = supple.forward_dynamics(robot, *x)
        assert np.abs(data.qacc - ours).max() <= 1e-10 * np.abs(ours).max()
