"""Elastic gears on moving parents against Pinocchio, its rotors bodies of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import supple
from agree import assert_near

pin = pytest.importorskip("pinocchio", reason="Pinocchio has no wheel for this machine")

AXES = ([0, 0, 1], [0, 0.6, 0.8], [0.36, 0.48, 0.8])
RATIOS, ROTORS = (50.0, 80.0, 1500.0), (2e-3, 1e-3, 5e-4)
SPRINGS, DAMPERS = (300.0, 200.0, 4e4), (0.2, 0.1, 5.0)
MASS, COM, INERTIA, TIP = 1.5, [0.2, 0.05, -0.1], [0.03, 0.05, 0.04], [0.4, 0.1, 0.2]


def ours() -> supple.Robot:
    """Two revolute joints and a ball screw, each on the link before it."""
    lump = {"mass": MASS, "com": COM, "inertia": INERTIA, "tip": TIP}
    joints = []
    for i, axis in enumerate(AXES):
        drive = {"gear_ratio": RATIOS[i], "rotor_inertia": ROTORS[i]}
        drive |= {"stiffness": SPRINGS[i], "damping": DAMPERS[i]}
        joint = {"type": "prismatic" if i == 2 else "revolute", "child": f"l{i}", "axis": axis}
        joints.append(joint | {"parent": f"l{i - 1}" if i else "world", "drive": drive})
    return supple.build({"links": {f"l{i}": {"rigid": lump} for i in range(3)}, "joints": joints})


def theirs() -> Any:
    """Of the same numbers, from nothing of ours."""
    model, parent, place = pin.Model(), 0, pin.SE3.Identity()
    for i, axis in enumerate(map(np.array, AXES)):
        spin = pin.JointModelRevoluteUnaligned(*map(float, axis))
        rotor = model.addJoint(parent, spin, place, f"rotor{i}")
        alone = pin.Inertia(0.0, np.zeros(3), ROTORS[i] * np.outer(axis, axis))
        model.appendBodyToJoint(rotor, alone, pin.SE3.Identity())
        kind = pin.JointModelPrismaticUnaligned if i == 2 else pin.JointModelRevoluteUnaligned
        parent = model.addJoint(parent, kind(*map(float, axis)), place, f"joint{i}")
        body = pin.Inertia(MASS, np.array(COM), np.diag(INERTIA))
        model.appendBodyToJoint(parent, body, pin.SE3.Identity())
        place = pin.SE3(np.eye(3), np.array(TIP))
    return model


def springs(q: Any, qd: Any) -> Any:
    """Forces of the gears on the left-hand side."""
    out = np.zeros(6)
    for i, (r, k, d) in enumerate(zip(RATIOS, SPRINGS, DAMPERS, strict=True)):
        torque = k * (q[2 * i] / r - q[2 * i + 1]) + d * (qd[2 * i] / r - qd[2 * i + 1])
        out[2 * i : 2 * i + 2] = torque / r, -torque
    return out


@pytest.mark.parametrize("seed", range(5))
def test_an_arm_with_fast_rotors_on_its_links(seed: int) -> None:
    robot, model, rng = ours(), theirs(), np.random.default_rng(seed)
    q, qd, qdd = rng.normal(size=(3, 6))
    qd[::2] *= RATIOS  # rotors turn fast: what they do to their parents is large
    data = model.createData()
    M = pin.crba(model, data, q)
    M = np.triu(M) + np.triu(M, 1).T
    assert_near(supple.mass_matrix(robot, q), M, 1e-12)
    assert np.abs(M[2, :2]).max() > 0.0  # a rotor feels how its parent turns
    force = pin.rnea(model, data, q, qd, qdd) + springs(q, qd)
    assert_near(supple.inverse_dynamics(robot, q, qd, qdd), force, 1e-11)
    tau = rng.normal(size=6)
    free = pin.aba(model, data, q, qd, tau - springs(q, qd))
    assert_near(supple.forward_dynamics(robot, q, qd, tau), free, 1e-9)
    assert_near(supple.compile(robot, "forward_dynamics")(q, qd, tau), free, 1e-9)
