"""Robots written as URDF and as model files, and read again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import supple
from agree import assert_near
from supple import recursion
from supple.errors import ModelError
from supple.recursion import rigid_gears
from supple.robot import without_shapes

OPEN = ["puma", "stanford", "canadarm-spatial", "cibicik-arm", "flexible-joint-arm"]


@pytest.mark.parametrize("name", OPEN)
def test_a_rigid_urdf_file_is_the_robot_without_shapes(tmp_path: Path, name: str) -> None:
    file = tmp_path / "robot.urdf"
    robot = supple.load(name)
    lost = supple.write_model(robot, file)
    again = supple.build({"urdf": str(file), "gravity": robot.gravity})
    rigid = without_shapes(rigid_gears(robot))
    q, qd = np.random.default_rng(0).normal(size=(2, rigid.nv))
    rotors = np.diag([x.drive.rotor_inertia for x in rigid.links for _ in range(x.joint.nv)])
    assert_near(recursion.mass_matrix(again, q), recursion.mass_matrix(rigid, q) - rotors, 1e-13)
    assert_near(supple.gravity_force(again, q), recursion.gravity_force(rigid, q), 1e-12)
    assert_near(supple.coriolis_force(again, q, qd), recursion.coriolis_force(rigid, q, qd), 1e-12)
    assert bool(robot.modes) == any("no longer bend" in words for words in lost)


def test_what_urdf_cannot_say_is_told(tmp_path: Path) -> None:
    lost = " ".join(supple.write_model(supple.load("delta"), tmp_path / "delta.urdf"))
    assert "loops are left open: left_ball1" in lost
    assert "rotor inertias are left out: motor1" in lost
    lost = " ".join(supple.write_model(supple.load("space-robot"), tmp_path / "space.urdf"))
    assert "the base floats" in lost
    assert "gravity [0, 0, 0] is not in the file" in lost


def test_a_base_that_floats_from_elsewhere_keeps_its_place(tmp_path: Path) -> None:
    place = {"xyz": [0.4, -0.2, 0.3], "rpy": [0.3, -0.5, 0.7]}
    part = {"rigid": {"mass": 1, "com": [0.1, 0.2, 0.3], "inertia": [0.2, 0.3, 0.4]}}
    words = {"links": {"a": part}, "joints": [{"type": "floating", "child": "a", "origin": place}]}
    robot, file = supple.build(words), tmp_path / "r.urdf"
    assert supple.write_model(robot, file) == []
    again, q = supple.load(file), robot.normalized(np.linspace(0.2, 0.9, 7))
    assert_near(supple.pose(again, q, "a").p, supple.pose(robot, q, "a").p, 1e-14)
    assert_near(supple.gravity_force(again, q), supple.gravity_force(robot, q), 1e-13)


def test_split_joints_find_free_names_and_limits_may_have_one_end(tmp_path: Path) -> None:
    part = {"rigid": {"mass": 1, "com": [0.1, 0.2, 0.3], "inertia": [0.2, 0.3, 0.4]}}
    ball = {"name": "ball", "type": "spherical", "child": "a", "damping": 0.3}
    knee = {"name": "ball_2", "type": "revolute", "parent": "a", "child": "a_1"}
    knee |= {"at": "origin", "limits": {"lower": -1.0}}
    robot, file = (
        supple.build({"links": {"a": part, "a_1": part}, "joints": [ball, knee]}),
        "r.urdf",
    )
    lost = supple.write_model(robot, tmp_path / file)
    assert lost[0] == "damping and friction of several coordinates are left out: ball"
    last = supple.load(tmp_path / file).links[-1]
    assert (last.name, last.joint_name) == ("a_1", "ball_2")
    assert last.limits is not None
    assert last.limits.lower == -1.0


def test_spherical_and_tied_joints_are_written(tmp_path: Path) -> None:
    part = {"rigid": {"mass": 1, "com": [0.1, 0.2, 0.3], "inertia": [0.2, 0.3, 0.4]}}
    words = {
        "links": {"a": part, "b": part, "c": part},
        "joints": [
            {"type": "spherical", "child": "a", "origin": {"rpy": [0.1, 0.2, 0.3]}},
            {"name": "lead", "type": "revolute", "parent": "a", "child": "b", "axis": [1, 1, 0]},
            {
                **{"type": "prismatic", "parent": "a", "child": "c"},
                "mimic": {"joint": "lead", "ratio": 0.5, "offset": 0.1},
            },
        ],
    }
    robot, file = supple.build(words), tmp_path / "r.urdf"
    assert "spherical joint a_joint is 3 joints in turn" in supple.write_model(robot, file)
    again = supple.load(file)
    assert again.nv == robot.nv
    assert (again.loops[0].ratio, again.loops[0].offset) == (0.5, 0.1)
    turns, q = [0.3, -0.4, 0.5], robot.neutral()
    q[:4] = _quaternion(*turns)
    q[4:] = [0.2, 0.2]
    assert_near(supple.pose(again, [*turns, 0.2, 0.2], "c").p, supple.pose(robot, q, "c").p, 1e-14)
    axes = supple.pose(robot, q, "b").R
    assert_near(supple.pose(again, [*turns, 0.2, 0.2], "b").R, axes, 1e-14)


def _quaternion(z: float, y: float, x: float) -> np.ndarray:
    """Of Rz Ry Rx."""
    (cz, cy, cx), (sz, sy, sx) = np.cos(np.array([z, y, x]) / 2), np.sin(np.array([z, y, x]) / 2)
    return np.array(
        [
            cx * cy * cz + sx * sy * sz,
            sx * cy * cz - cx * sy * sz,
            cx * sy * cz + sx * cy * sz,
            cx * cy * sz - sx * sy * cz,
        ]
    )


@pytest.mark.parametrize("name", ["canadarm", "piedboeuf-arm", "stewart", "flexible-joint-arm"])
def test_a_model_file_is_the_same_robot(tmp_path: Path, name: str) -> None:
    robot, file = supple.load(name), tmp_path / "robot.yaml"
    assert supple.write_model(robot, file) == []
    again = supple.load(file)
    assert again.spec == robot.spec
    assert_near(
        supple.mass_matrix(again, robot.home()), supple.mass_matrix(robot, robot.home()), 0.0
    )


def test_meshes_are_written_as_seen_from_the_file(tmp_path: Path) -> None:
    words = """links: {a: {rigid: {mass: 1, inertia: 1}, visuals: [
      {mesh: looks/a&b.stl, scale: [2, 2, 2]},
      {box: [1, 2, 3], origin: {xyz: [1, 0, 0]}, color: [1, 0, 0, 1]}]}}
joints: [{type: revolute, child: a, axis: [1, 0, 0]}]"""
    (tmp_path / "a.yaml").write_text(words)
    robot = supple.load(tmp_path / "a.yaml")
    for name in ("b.yaml", "c.urdf"):
        assert supple.write_model(robot, tmp_path / name) == []
        again = supple.load(tmp_path / name).links[-1].visuals
        for a, b in zip(robot.links[0].visuals, again, strict=True):
            assert (a.shape, a.size, a.mesh, a.color) == (b.shape, b.size, b.mesh, b.color)
            assert_near(a.r, b.r, 1e-15)
            assert_near(a.R, b.R, 1e-15)
    (tmp_path / "elsewhere").mkdir()
    lost = supple.write_model(robot, tmp_path / "elsewhere" / "d.urdf")
    assert lost == ["1 meshes that are not in the file's folder are left out"]
    (tmp_path / "e.yaml").write_text(words.replace("looks/a&b.stl", "../a.stl"))
    with pytest.raises(ModelError, match="the mesh is not read: it is outside the folder"):
        supple.load(tmp_path / "e.yaml")


def test_wrong_files_are_told(tmp_path: Path) -> None:
    puma = supple.load("puma")
    with pytest.raises(supple.FileError, match=r"written to \.yaml or \.urdf files"):
        supple.write_model(puma, tmp_path / "puma.sdf")
    with pytest.raises(supple.FileError, match="it is no file name"):
        supple.write_model(puma, 3)  # type: ignore[arg-type]
    with pytest.raises(supple.InputError, match="it must be a Robot"):
        supple.write_model("puma", tmp_path / "a.urdf")  # type: ignore[arg-type]
