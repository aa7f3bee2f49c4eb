"""MJCF files against MuJoCo, which compiles them: joints of all kinds with anchors and refs,
springs, dampers, armatures; joints tied to joints; points connected."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import supple
from agree import assert_near
from supple.errors import ModelError

mujoco = pytest.importorskip("mujoco", reason="MuJoCo has no wheel for this machine")

TREE = """<mujoco model="tree"><compiler angle="radian"/><option gravity="0.3 -0.2 -9"/>
<worldbody><body name="base" pos="1 2 3" quat="0.9 0.1 0.3 0.2">
  <joint name="slide" type="slide" axis="1 2 0.5" ref="0.2" damping="0.3" armature="0.4"/>
  <joint name="turn" axis="0 1 1" pos="0.1 0.2 -0.3" ref="0.7" stiffness="3" springref="0.1"/>
  <geom type="box" size="0.1 0.2 0.3" pos="0.1 0 0.05" euler="0.2 0.3 0.1"/>
  <body name="arm" pos="0.4 0 0.2" euler="0.1 -0.6 0.3">
    <joint name="ball" type="ball" pos="0.05 0.1 0" damping="0.2"/>
    <geom type="capsule" size="0.05 0.2" pos="0 0.1 0.2"/>
    <body name="left" pos="0 0.3 0.2"><joint name="l" axis="1 0 0" frictionloss="0"/>
      <geom size="0.1" pos="0.1 0.2 0"/></body>
    <body name="right" pos="0 -0.3 0.2" euler="0 0 1"><joint name="r" axis="1 0 0" limited="true"
      range="-1 1"/><geom type="cylinder" size="0.1 0.2" pos="0.1 0.2 0"/></body>
    <body name="tool" pos="0 0 0.5"><geom size="0.02" mass="0"/></body>
  </body></body></worldbody>{}</mujoco>"""
FREE = """<mujoco><worldbody><body name="hull" pos="0 0 1"><freejoint name="float"/>
<geom type="box" size="0.3 0.2 0.1" pos="0.1 0 0"/><body name="wing" pos="0.3 0 0">
<joint name="flap" axis="1 0 0"/><geom type="box" size="0.1 0.4 0.02" pos="0.1 0.4 0"/></body>
</body></worldbody></mujoco>"""


def loaded(folder: Path, text: str) -> tuple[supple.Robot, Any, Any]:
    file = folder / "robot.xml"
    file.write_text(text)
    model = mujoco.MjModel.from_xml_path(str(file))
    return supple.load(file), model, mujoco.MjData(model)


def mass(model: Any, data: Any) -> Any:
    out = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, out)
    return out


def test_all_kinds_of_joints_are_those_of_mujoco(tmp_path: Path) -> None:
    robot, model, data = loaded(tmp_path, TREE.format(""))
    assert robot.velocity_names[0] == "slide"
    for seed in range(5):
        rng = np.random.default_rng(seed)
        q = robot.normalized(rng.normal(size=robot.nq))
        qd, tau = rng.normal(size=(2, robot.nv))
        data.qpos[:], data.qvel[:], data.qfrc_applied[:] = q, qd, tau
        mujoco.mj_forward(model, data)
        assert_near(supple.forward_dynamics(robot, q, qd, tau), data.qacc_smooth, 1e-9)
        mine = supple.bias_force(robot, q, qd) - supple.passive_force(robot, q, qd)
        assert_near(mine, data.qfrc_bias, 1e-9)
        assert_near(supple.passive_force(robot, q, qd), -data.qfrc_passive, 1e-9)
        for name in ("arm", "tool", "right"):
            place = supple.pose(robot, q, name)
            assert_near(place.p, data.body(name).xpos, 1e-12)
            assert_near(place.R, data.body(name).xmat.reshape(3, 3), 1e-12)


def test_free_bodies_have_the_same_energy_and_motion(tmp_path: Path) -> None:
    robot, model, data = loaded(tmp_path, FREE)
    rng = np.random.default_rng(1)
    p, turn, flap = rng.normal(size=3), rng.normal(size=4), 0.4
    turn /= np.linalg.norm(turn)
    w, v, rate = rng.normal(size=3), rng.normal(size=3), 0.7
    data.qpos[:], data.qvel[:] = [*p, *turn, flap], [*v, *w, rate]
    mujoco.mj_forward(model, data)
    q = np.array([*turn, *p, flap])
    R = supple.pose(robot, q, "hull").R
    qd = np.array([*w, *(R.T @ v), rate])
    energy = 0.5 * data.qvel @ mass(model, data) @ data.qvel
    assert_near(supple.kinetic_energy(robot, q, qd), energy, 1e-11)
    qdd = supple.forward_dynamics(robot, q, qd, np.zeros(7))
    assert_near(qdd[[0, 1, 2, 6]], data.qacc_smooth[[3, 4, 5, 6]], 1e-9)
    assert_near(R @ (qdd[3:6] + np.cross(w, qd[3:6])), data.qacc_smooth[:3], 1e-9)


def test_joints_tied_to_joints_are_mimics(tmp_path: Path) -> None:
    tie = '<equality><joint joint1="r" joint2="l" polycoef="0.1 -2 0 0 0"/></equality>'
    robot, _, _ = loaded(tmp_path, TREE.format(tie))
    assert [(x.ratio, x.offset) for x in robot.loops] == [(-2.0, 0.1)]
    assert "r" not in robot.actuated


def test_ties_of_joints_with_refs_are_as_far_open_as_mujoco_says(tmp_path: Path) -> None:
    tie = '<equality><joint joint1="slide" joint2="turn" polycoef="0.1 -2 0 0 0"/></equality>'
    robot, model, data = loaded(tmp_path, TREE.format(tie))
    q = robot.normalized(np.random.default_rng(3).normal(size=robot.nq))
    data.qpos[:] = q
    mujoco.mj_forward(model, data)
    assert_near(supple.closure(robot, q), data.efc_pos[:1], 1e-12)


def test_plain_shapes_are_as_large_as_those_of_mujoco(tmp_path: Path) -> None:
    """What MuJoCo bounds them by: the half diagonal of a box, radius and half length of others."""
    robot, model, _ = loaded(tmp_path, TREE.format(""))
    around = {
        "box": lambda x: np.linalg.norm(x) / 2,
        "cylinder": lambda x: np.hypot(x[0], x[1] / 2),
        "capsule": lambda x: x[0] + x[1] / 2,
        "sphere": lambda x: x,
    }
    made = [v for x in robot.spec["links"].values() for v in x.get("visuals", [])]
    sizes = [f(v[kind]) for v in made for kind, f in around.items() if kind in v]
    assert_near(np.sort(sizes), np.sort(model.geom_rbound), 1e-12)


def test_connected_points_close_a_loop(tmp_path: Path) -> None:
    text = """<mujoco><worldbody><body name="a"><joint axis="0 1 0" name="ja"/>
    <geom type="capsule" size="0.02" fromto="0 0 0 0.4 0 0"/><body name="b" pos="0.4 0 0">
    <joint axis="0 1 0" name="jb"/><geom type="capsule" size="0.02" fromto="0 0 0 0 0 0.5"/>
    </body></body><body name="c" pos="0.8 0 0"><joint axis="0 1 0" name="jc"/>
    <geom type="capsule" size="0.02" fromto="0 0 0 -0.4 0 0.5"/></body></worldbody>
    <equality><connect body1="b" body2="c" anchor="0 0 0.5"/></equality></mujoco>"""
    robot, model, data = loaded(tmp_path, text)
    assert supple.mobility(robot, robot.home()).degrees_of_freedom == 1
    q, tau = robot.home(), np.array([1.0, 0.0, 0.0])
    M, J = supple.mass_matrix(robot, q), supple.closure_jacobian(robot, q)
    data.qpos[:] = q
    mujoco.mj_forward(model, data)
    assert_near(M, mass(model, data), 1e-10)
    theirs = np.zeros((model.neq * 3, model.nv))
    theirs[:] = data.efc_J.reshape(-1, model.nv)[:3]
    assert_near(np.linalg.svd(theirs)[2][-1] @ J.T, np.zeros(3), 1e-9, least=1.0)
    assert np.isfinite(supple.forward_dynamics(robot, q, np.zeros(3), tau)).all()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (TREE.format('<equality><weld body1="left" body2="right"/></equality>'), "the equality"),
        (TREE.format("").replace('damping="0.2"', 'stiffness="2"'), "a spring of the spherical"),
        ("<mujoco><option viscosity='1'/></mujoco>", "the resistance of a fluid"),
        ("<mujoco><worldbody><bodi/></worldbody></mujoco>", "MuJoCo says: .*bodi"),
        ('<mujoco><include file="../other.xml"/></mujoco>', "outside the folder"),
        ('<mujoco><asset><mesh file="/etc/a.stl"/></asset></mujoco>', "outside the folder"),
        ('<mujoco><compiler meshdir="../.."/></mujoco>', "outside the folder"),
    ],
)
def test_what_is_not_taken_over_is_told(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "robot.xml"
    file.write_text(text)
    with pytest.raises(ModelError, match=words):
        supple.load(file)


ACTING = TREE.replace('<joint name="l" axis="1 0 0" frictionloss="0"/>',
    '<joint name="l" axis="1 0 0" frictionloss="0.4" stiffness="2" springref="9" damping="0.1"/>'
).format(
    '<equality><joint joint1="r" joint2="l" polycoef="0 -2 0 0 0"/></equality>'
    '<actuator><motor joint="l" gear="-3" armature="0.2" damping="0.3"/>'
    '<motor joint="slide" gear="2" armature="0.1"/><motor joint="slide" damping="0.2"/></actuator>'
)  # fmt: skip


def same_motion(robot: Any, model: Any, data: Any, seed: int = 5) -> None:
    """Without constraints, which are no part of MuJoCo's smooth acceleration."""
    robot = robot.replace(loops=[], joints=[without_ties(j) for j in robot.spec["joints"]])
    rng = np.random.default_rng(seed)
    q = robot.normalized(rng.normal(size=robot.nq))
    qd, tau = rng.normal(size=(2, robot.nv))
    data.qpos[:], data.qvel[:], data.qfrc_applied[:] = q, qd, tau
    mujoco.mj_forward(model, data)
    assert_near(supple.forward_dynamics(robot, q, qd, tau), data.qacc_smooth, 1e-9)
    assert_near(supple.passive_force(robot, q, qd), -data.qfrc_passive, 1e-9, least=1.0)


def without_ties(joint: Any) -> Any:
    return {k: v for k, v in joint.items() if k not in ("mimic", "friction")}


def flags() -> list[str]:
    return sorted(n.removeprefix("mjDSBL_").lower() for n in mujoco.mjtDisableBit.__members__
                  if n.startswith("mjDSBL_"))  # fmt: skip


@pytest.mark.parametrize("flag", ["", *flags(), "spring damper", "gravity frictionloss"])
def test_disabled_flags_and_armature_and_damping_of_actuators_are_obeyed(
    tmp_path: Path, flag: str
) -> None:
    words = " ".join(f'{name}="disable"' for name in flag.split())
    text = ACTING.replace('-9"/>', f'-9"><flag {words}/></option>')
    robot, model, data = loaded(tmp_path, text)
    same_motion(robot, model, data)
    whole = "constraint" in flag
    assert len(robot.loops) == (0 if whole or "equality" in flag else 1)
    left = next(j for j in robot.spec["joints"] if j["name"] == "l")
    assert ("friction" in left) == (not whole and "frictionloss" not in flag)
    right = next(j for j in robot.spec["joints"] if j["name"] == "r")
    assert ("limits" in right) == (not whole and "limit" not in flag.split())


def test_an_equality_that_is_not_active_is_left_out_and_noted(tmp_path: Path) -> None:
    tie = '<equality><joint joint1="r" joint2="l" active="false"/></equality>'
    robot, _, _ = loaded(tmp_path, TREE.format(tie))
    assert not robot.loops
    assert "1 equalities are not active, and left out" in robot.notes


def test_a_damped_free_body_moves_as_in_mujoco(tmp_path: Path) -> None:
    text = FREE.replace('<freejoint name="float"/>', '<joint type="free" damping="0.7"/>')
    robot, model, data = loaded(tmp_path, text)
    R = np.linalg.qr(np.random.default_rng(2).normal(size=(3, 3)))[0]
    R *= np.linalg.det(R)
    turn, v, w = np.zeros(4), np.array([0.3, -0.2, 0.5]), np.array([0.4, 0.1, -0.6])
    mujoco.mju_mat2Quat(turn, R.ravel())
    data.qpos[:], data.qvel[:] = [0, 0, 0, *turn, 0.0], [*v, *w, 0.0]
    mujoco.mj_forward(model, data)
    mine = -supple.passive_force(robot, [*turn, 0, 0, 0, 0], [*w, *(R.T @ v), 0.0])
    assert_near(mine[:3], data.qfrc_passive[3:6], 1e-12)
    assert_near(R @ mine[3:6], data.qfrc_passive[:3], 1e-12)


BALL = (
    "<mujoco><asset>{}</asset><worldbody><body><freejoint/><geom {}/></body></worldbody></mujoco>"
)


@pytest.mark.parametrize("inner", ["sub/b.xml", "b.xml"])
def test_files_are_looked_up_beside_the_file_that_names_them(tmp_path: Path, inner: str) -> None:
    """As MuJoCo does; but none outside the folder is read, however deep it is named."""
    home = tmp_path / "model"
    (home / "sub").mkdir(parents=True)
    deep = BALL.format('<mesh name="x" file="{}"/>', 'type="mesh" mesh="x"')
    corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
    for place in (tmp_path / "far.obj", home / "x.obj"):
        place.write_text(corners + "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    (home / "main.xml").write_text('<mujoco><include file="sub/a.xml"/></mujoco>')
    named = "b.xml" if inner == "sub/b.xml" else "../b.xml"
    (home / "sub" / "a.xml").write_text(f'<mujoco><include file="{named}"/></mujoco>')
    up = "../" * inner.count("/")
    (home / inner).write_text(deep.format(f"{up}x.obj"))
    assert supple.load(home / "main.xml").mass == pytest.approx(1000.0 / 6.0)
    (home / inner).write_text(deep.format(f"{up}../far.obj"))
    with pytest.raises(ModelError, match="outside the folder"):
        supple.load(home / "main.xml")


def test_springs_and_dampers_disabled_take_fluids_and_gravcomp_with_them(tmp_path: Path) -> None:
    text = TREE.format("").replace('-9"/>', '-9" density="9"><flag {} damper="disable"/></option>')
    text = text.replace('<body name="left"', '<body name="left" gravcomp="1"')
    same_motion(*loaded(tmp_path, text.format('spring="disable"')))
    with pytest.raises(ModelError, match="the resistance of a fluid"):
        loaded(tmp_path, text.format(""))
