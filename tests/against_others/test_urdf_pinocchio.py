"""Robots of URDF files against Pinocchio, which reads the same files: arms, a hand, quadrupeds,
humanoids, a mobile manipulator; on a fixed and on a floating base, with mimic joints."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import supple
from agree import assert_near
from real_robots import MIMICS, ROBOTS, path
from supple import recursion
from supple.loops import dynamics
from supple.loops.reduced import reduced

pin = pytest.importorskip("pinocchio", reason="Pinocchio has no wheel for this machine")

STATES = 20
FLOATING = ("solo12", "simple-humanoid")
PLANAR = """<robot name="cart"><link name="floor"/>
<link name="cart"><inertial><origin xyz="0.1 0.2 0.3" rpy="0.2 0.1 -0.4"/><mass value="3"/>
<inertia ixx="0.2" iyy="0.3" izz="0.4" ixy="0.01" ixz="-0.02" iyz="0.03"/></inertial></link>
<link name="arm"><inertial><origin xyz="0.3 0 0.1"/><mass value="1.5"/>
<inertia ixx="0.02" iyy="0.05" izz="0.04" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="move" type="planar"><parent link="floor"/><child link="cart"/><axis xyz="0 0 1"/>
<origin xyz="1 2 0.5" rpy="0.3 -0.2 0.9"/></joint>
<joint name="turn" type="continuous"><parent link="cart"/><child link="arm"/><axis xyz="0 1 1"/>
<origin xyz="0.2 0 0.1" rpy="0.1 0.5 -0.3"/></joint></robot>"""


@cache
def robot_of(file: Path, base: str = "fixed") -> supple.Robot:
    return supple.build({"urdf": str(file), "base": base})


@cache
def model_of(file: Path, base: str = "fixed", mimic: bool = False) -> Any:
    if base == "floating":
        return pin.buildModelFromUrdf(str(file), pin.JointModelFreeFlyer(), mimic=mimic)
    return pin.buildModelFromUrdf(str(file), mimic=mimic)


def mapped(robot: supple.Robot, model: Any, q: Any) -> tuple[Any, Any]:
    """Their configuration, and S (their nv, our nv): their rates are S qd. Theirs: position,
    quaternion (x, y, z, w), linear before angular rates; cosine and sine of continuous joints;
    rates of planar joints in the moved axes."""
    x, S = pin.neutral(model), np.zeros((model.nv, robot.nv))
    for link in robot.links:
        name, _, part = link.joint_name.partition(".")
        name = link.joint_name if model.existJointName(link.joint_name) else name
        if not link.joint.nv or not model.existJointName(name):
            continue
        k = model.getJointId(name)
        iq, iv, nq = model.idx_qs[k], model.idx_vs[k], model.nqs[k]
        own = q[link.q]
        if link.joint.kind == "floating":
            x[iq : iq + 7] = [*own[4:], *own[1:4], own[0]]
            S[iv : iv + 6, link.u] = np.eye(6)[[3, 4, 5, 0, 1, 2]]
        elif nq == 4:  # planar, our x, y, turn
            turn = q[next(x.q.start for x in robot.links if x.joint_name == f"{name}.turn")]
            c, s = np.cos(turn), np.sin(turn)
            columns = {"x": [c, -s, 0.0], "y": [s, c, 0.0], "turn": [0.0, 0.0, 1.0]}
            S[iv : iv + 3, link.u.start] = columns[part]
            x[iq + "xy".find(part) if part != "turn" else slice(iq + 2, iq + 4)] = (
                own[0] if part != "turn" else [c, s]
            )
        elif nq:  # none of a mimic joint
            x[iq : iq + nq] = own if nq == 1 else [np.cos(own[0]), np.sin(own[0])]
            S[iv, link.u.start] = 1.0
    return x, S


def states(robot: supple.Robot, many: int = STATES) -> Any:
    rng = np.random.default_rng(7)
    for _ in range(many):
        q = robot.normalized(rng.uniform(-2.0, 2.0, robot.nq))
        yield q, rng.normal(size=robot.nv), rng.normal(size=robot.nv)


def agree(robot: supple.Robot, model: Any, places: list[str], many: int = STATES) -> None:
    """M, bias, forward dynamics and frame Jacobians; what acts passively is ours alone."""
    data, still = model.createData(), np.zeros(robot.nv)
    for q, qd, tau in states(robot, many):
        x, S = mapped(robot, model, q)
        M = pin.crba(model, data, x)
        M = S.T @ (np.triu(M) + np.triu(M, 1).T) @ S
        nudge = 1e-6 * recursion.configuration_rate(robot, q, qd)
        forth, back = (mapped(robot, model, q + way * nudge)[1] for way in (1.0, -1.0))
        turning = (forth - back) @ qd / 2e-6  # S_dot qd, of planar joints alone
        theirs = S.T @ pin.rnea(model, data, x, S @ qd, turning)
        passive = recursion.passive_force(robot, q, qd)
        ours = recursion.bias_force(robot, q, qd) - passive
        assert_near(recursion.mass_matrix(robot, q), M, 1e-9)
        assert_near(ours, theirs, 1e-9, least=1.0)
        qdd = np.linalg.solve(M, tau - theirs - passive)
        assert_near(recursion.forward_dynamics(robot, q, qd, tau), qdd, 1e-9)
        if model.nv == robot.nv and not turning.any():
            aba = np.linalg.solve(
                S, pin.aba(model, data, x, S @ qd, np.linalg.solve(S.T, tau - passive))
            )
            assert_near(qdd, aba, 1e-8)
        for place in places:
            J = pin.computeFrameJacobian(
                model, data, x, model.getFrameId(place), pin.LOCAL_WORLD_ALIGNED
            )
            assert_near(supple.jacobian(robot, q, place), (J @ S)[[3, 4, 5, 0, 1, 2]], 1e-9)
    assert not np.any(still)


def ends(robot: supple.Robot) -> list[str]:
    """Three links that carry none, the last the first."""
    tips = [x.name for i, x in enumerate(robot.links) if i not in robot.parents]
    return tips[::-1][:3]


@pytest.mark.parametrize("name", ROBOTS)
def test_real_robots_are_those_of_pinocchio(name: str) -> None:
    robot = robot_of(path(name))
    agree(robot, model_of(path(name)), ends(robot))


@pytest.mark.parametrize("name", FLOATING)
def test_on_a_floating_base_too(name: str) -> None:
    robot = robot_of(path(name), "floating")
    agree(robot, model_of(path(name), "floating"), ends(robot), 5)


def test_planar_joints_move_as_theirs(tmp_path: Path) -> None:
    file = tmp_path / "cart.urdf"
    file.write_text(PLANAR)
    agree(robot_of(file), model_of(file), ["arm"])


@pytest.mark.parametrize("name", MIMICS)
def test_mimic_joints_are_tied_as_theirs(name: str) -> None:
    robot, model = robot_of(path(name)), model_of(path(name), mimic=True)
    data, rng = model.createData(), np.random.default_rng(3)
    kept = [k for k, x in enumerate(robot.velocity_names) if x in robot.actuated]
    for _ in range(3):
        q, qd = np.zeros(robot.nq), np.zeros(robot.nv)
        q[kept], qd[kept] = rng.uniform(-1, 1, len(kept)), rng.normal(size=len(kept))
        for tie in robot.loops:
            a, b = (robot.links[i].u.start for i, _ in (tie.first, tie.second))
            q[b], qd[b] = tie.ratio * q[a] + tie.offset, tie.ratio * qd[a]
        x, S = mapped(robot, model, q)
        at, T = reduced(robot, q, qd, independent=tuple(kept)), S[:, kept]
        M = pin.crba(model, data, x)
        theirs = T.T @ pin.rnea(model, data, x, T @ qd[kept], np.zeros(model.nv))
        passive = at.K.T @ recursion.passive_force(robot, q, qd)
        assert_near(at.I, T.T @ (np.triu(M) + np.triu(M, 1).T) @ T, 1e-9)
        assert_near(at.h - passive, theirs, 1e-9)
        tau = np.zeros(robot.nv)
        tau[kept] = rng.normal(size=len(kept))
        qdd = dynamics.forward_dynamics(robot, q, qd, tau)
        assert_near(qdd[kept], np.linalg.solve(at.I, tau[kept] - at.h), 1e-9)
