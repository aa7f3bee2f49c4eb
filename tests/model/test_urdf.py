"""URDF files: what is read of them, and what is told of those that are wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import supple
from agree import assert_near
from platforms import POSIX
from supple.errors import ModelError, SuppleWarning
from supple.recursion import poses
from supple.recursion.path import paths

ARM = """<?xml version="1.0"?>
<robot name="arm">
  <material name="red"><color rgba="1 0 0 1"/></material>
  <link name="base"/>
  <link name="upper">
    <inertial><origin xyz="0 0 0.2" rpy="0.3 0 0"/><mass value="2"/>
      <inertia ixx="0.02" iyy="0.03" izz="0.01" ixy="0" ixz="0.001" iyz="0"/></inertial>
    <visual><origin xyz="0 0 0.2"/><geometry><cylinder radius="0.05" length="0.4"/></geometry>
      <material name="red"/></visual>
    <collision><geometry><box size="0.1 0.2 0.3"/></geometry></collision>
  </link>
  <link name="fore">
    <inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01"/></inertial>
    <visual><geometry>
      <mesh filename="meshes/fore.stl" scale="0.001 0.001 0.001"/></geometry></visual>
  </link>
  <link name="tool"/>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/><axis xyz="0 1 0"/><origin xyz="0 0 0.1"/>
    <limit lower="-1" upper="2" effort="50" velocity="3"/>
    <dynamics damping="0.4" friction="0.2"/>
    <safety_controller k_velocity="10"/>
  </joint>
  <joint name="elbow" type="continuous">
    <parent link="upper"/><child link="fore"/><origin xyz="0 0 0.4" rpy="0 1.2 0"/>
  </joint>
  <joint name="grip" type="fixed"><parent link="fore"/><child link="tool"/>
    <origin xyz="0 0.1 0.3"/></joint>
  <transmission name="t"><joint name="shoulder"/><actuator name="m">
    <mechanicalReduction>50</mechanicalReduction></actuator></transmission>
  <gazebo/>
</robot>
"""


def written(folder: Path, text: str = ARM, name: str = "arm.urdf", mesh: bool = True) -> Path:
    file = folder / name
    if mesh:
        (folder / "meshes").mkdir(exist_ok=True)
        (folder / "meshes" / "fore.stl").write_text("solid empty")
    file.write_text(text, encoding="utf-8")
    return file


def faults(folder: Path, *changes: tuple[str, str]) -> str:
    text = ARM
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    with pytest.raises(ModelError) as caught:
        supple.load(written(folder, text))
    return str(caught.value)


def test_everything_the_file_says_is_kept(tmp_path: Path) -> None:
    robot = supple.load(written(tmp_path))
    assert robot.coordinate_names == ("shoulder", "elbow")
    shoulder = robot.links[1]
    assert (shoulder.drive.damping, shoulder.drive.coulomb) == (0.4, 0.2)
    assert shoulder.limits is not None
    assert (shoulder.limits.lower, shoulder.limits.effort) == (-1.0, 50.0)
    assert robot.spec is not None
    assert robot.spec["joints"][1]["drive"] == {"gear_ratio": 50.0}
    assert robot.spec["joints"][2]["axis"] == [1.0, 0.0, 0.0]  # where none is given
    assert robot.notes == ("not read: 1 <gazebo>, 1 <joint/safety_controller>",)
    reach = np.array([0.4 * np.sin(0.3), 0.0, 0.1 + 0.4 * np.cos(0.3)])
    assert_near(supple.pose(robot, [0.3, 0.0], "fore").p, reach, 1e-15)


def test_visuals_are_where_the_file_puts_them(tmp_path: Path) -> None:
    robot = supple.load(written(tmp_path))
    upper, fore = robot.links[1], robot.links[2]
    assert [v.shape for v in upper.visuals] == ["cylinder", "box"]
    assert upper.visuals[0].color == (1.0, 0.0, 0.0, 1.0)
    assert upper.visuals[1].collision
    assert fore.visuals[0].mesh == str((tmp_path / "meshes/fore.stl").resolve())
    assert fore.visuals[0].size == (0.001, 0.001, 0.001)
    q = np.array([0.3, 0.0])
    frame = poses(robot, paths(robot, q, np.zeros(2)))[1]
    middle = frame.p + frame.R @ upper.visuals[0].r
    assert_near(middle, [0.2 * np.sin(0.3), 0.0, 0.1 + 0.2 * np.cos(0.3)], 1e-15)


def test_a_root_that_is_called_world_is_the_world(tmp_path: Path) -> None:
    text = ARM.replace('"base"', '"world"')
    robot = supple.load(written(tmp_path, text))
    assert robot.links[0].name == "upper"
    assert robot.links[0].parent == -1


def test_faults_below_a_root_that_is_called_world_point_at_their_joint(tmp_path: Path) -> None:
    axis = ('rpy="0 1.2 0"/>', 'rpy="0 1.2 0"/><axis xyz="0 0 0"/>')
    told = faults(tmp_path, ('"base"', '"world"'), ('"base"', '"world"'), axis)
    assert "the axis is zero" in told
    assert "(robot/joint[elbow]/axis)" in told


def test_links_without_mass_may_hang_on_joints_but_do_not_move_by_forces(tmp_path: Path) -> None:
    text = ARM.replace('name="grip" type="fixed"', 'name="grip" type="revolute"')
    robot = supple.load(written(tmp_path, text))
    assert robot.massless == ("grip",)
    assert supple.mass_matrix(robot, [0, 0, 0])[2, 2] == 0.0
    with pytest.raises(supple.InputError, match="grip moves no inertia"):
        supple.forward_dynamics(robot, [0, 0, 0], [0, 0, 0], [0, 0, 0])
    with pytest.raises(supple.InputError, match="simulation of arm: grip moves no inertia"):
        supple.simulate(robot, duration=0.1)


def test_all_faults_are_told_at_once_with_line_and_path(tmp_path: Path) -> None:
    told = faults(
        tmp_path,
        ('mass value="2"', 'mass value="two"'),
        ('type="continuous"', 'type="continuos"'),
        ('<child link="tool"/>', '<child link="tol"/>'),
        ('lower="-1"', 'lower="-1 2"'),
    )
    assert "value should be one number, got 'two'" in told
    assert "arm.urdf:6:58  (robot/link[upper]/inertial/mass@value)" in told
    assert "unknown type of joint 'continuos'" in told
    assert "help: did you mean continuous?" in told
    assert "no link is named 'tol'" in told
    assert "lower should be one number, got '-1 2'" in told
    assert "4 errors; nothing was run" in told


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('name="fore">', 'name="upper">', "two links are named 'upper'"),
        ('<parent link="base"/>', '<parent link="fore"/>', "the joints form a cycle"),
        ('<parent link="base"/>', "", "<joint> needs a <parent link=...>"),
        ('axis xyz="0 1 0"', 'axis xyz="0 0 0"', "the axis is zero"),
        ('<mass value="1"/>', "", "<inertial> needs a <mass"),
        ('<mass value="1"/>', '<mass value="-1"/>', "greater than or equal to 0"),
        ('damping="0.4"', 'damping="-0.4"', "damping should be 0 or above"),
        ('value="2"', 'value="nan"', "one number, got 'nan'"),
        ('<link name="tool"/>', '<link name="tool"/><link name="lone"/>', "2 links hang on no"),
        ('xyz="0 0 0.4"', 'xyz="${length}"', "macros of xacro that are not expanded"),
        ("<gazebo/>", "<xacro:macro/>", "xacro robot.urdf.xacro > robot.urdf"),
        ("</robot>", "", "not valid XML"),
        ('<robot name="arm">', '<!DOCTYPE robot><robot name="arm">', "document type or entities"),
    ],
)
def test_what_is_wrong_is_told(tmp_path: Path, old: str, new: str, words: str) -> None:
    told = faults(tmp_path, (old, new))
    assert words in told
    assert "arm.urdf" in told


def test_entities_are_not_expanded(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("42")
    bomb = '<!DOCTYPE r [<!ENTITY a "xx"><!ENTITY b "&a;&a;">]><robot name="&b;"/>'
    outside = f'<!DOCTYPE r [<!ENTITY a SYSTEM "file://{secret}">]><robot name="&a;"/>'
    for text in (bomb, outside):
        with pytest.raises(ModelError, match="a document type or entities"):
            supple.load(written(tmp_path, text))


@pytest.mark.parametrize(
    "name",
    [
        *("../outside.stl", "/etc/outside.stl", "file:///etc/outside.stl", "..\\outside.stl"),
        *("package://arm/../outside.stl", "%2e%2e/outside.stl", "https://host/mesh.stl"),
    ],
)
def test_meshes_outside_the_folder_are_left_out_and_noted(tmp_path: Path, name: str) -> None:
    robot = supple.load(written(tmp_path, ARM.replace("meshes/fore.stl", name)))
    assert not robot.links[2].visuals
    assert "is not read: " in str(robot.notes)


@pytest.mark.parametrize("kind", ["visual", "collision"])
def test_a_mesh_that_is_not_there_is_noted_and_changes_nothing(tmp_path: Path, kind: str) -> None:
    whole = supple.load(written(tmp_path))
    (tmp_path / "meshes" / "fore.stl").unlink()
    robot = supple.load(written(tmp_path, ARM.replace("visual>", f"{kind}>"), mesh=False))
    (note,) = set(robot.notes) - set(whole.notes)
    assert note == "meshes that are not there: 1, e.g. 'meshes/fore.stl'"
    x = np.random.default_rng(4).normal(size=(3, 2))
    assert (supple.inverse_dynamics(robot, *x) == supple.inverse_dynamics(whole, *x)).all()


@POSIX
def test_links_out_of_the_folder_are_left_out_too(tmp_path: Path) -> None:
    inner = tmp_path / "model"
    inner.mkdir()
    (tmp_path / "far").mkdir()
    (inner / "meshes").symlink_to(tmp_path / "far")
    robot = supple.load(written(inner, mesh=False))
    assert not robot.links[2].visuals
    assert "it is outside the folder model" in str(robot.notes)


def test_packages_are_folders_that_the_file_is_in_or_that_are_given(tmp_path: Path) -> None:
    home = tmp_path / "arm_description" / "urdf"
    home.mkdir(parents=True)
    (tmp_path / "far").mkdir()
    text = ARM.replace("meshes/fore.stl", "package://arm_description/meshes/fore.stl")
    robot = supple.load(written(home, text))
    assert Path(robot.links[2].visuals[0].mesh) == home.parent.resolve() / "meshes" / "fore.stl"
    written(home, ARM.replace("meshes/fore.stl", "package://looks/fore.stl"))
    yaml = written(
        tmp_path, "urdf: arm_description/urdf/arm.urdf\npackages: {looks: far}", "a.yaml"
    )
    mesh = supple.load(yaml).links[2].visuals[0].mesh
    assert Path(mesh) == (tmp_path / "far" / "fore.stl").resolve()


def test_damping_of_joints_with_several_coordinates_is_noted(tmp_path: Path) -> None:
    file = tmp_path / "arm.urdf"
    file.write_text(ARM.replace('name="shoulder" type="revolute"', 'name="shoulder" type="planar"'))
    assert "1 <joint/dynamics>, 1 <joint/limit>" in supple.load(file).notes[-1]


def test_what_a_file_does_not_say_is_as_the_format_has_it(tmp_path: Path) -> None:
    """A tie is one to one, and a continuous joint has no ends; a motor that turns the other way
    round is geared down all the same; what has no size is not there."""
    tie = '<mimic joint="shoulder"/><limit lower="-1" upper="1" effort="4" velocity="2"/>'
    text = ARM.replace('1.2 0"/>', f'1.2 0"/>{tie}').replace(">50<", ">-50<")
    robot = supple.load(written(tmp_path, text.replace("0.1 0.2 0.3", "0.1 0.2 0")))
    assert [(loop.ratio, loop.offset) for loop in robot.loops] == [(1.0, 0.0)]
    assert robot.spec is not None
    assert robot.spec["joints"][1]["drive"] == {"gear_ratio": 50.0}
    assert robot.spec["joints"][2]["limits"] == {"effort": 4.0, "velocity": 2.0}
    assert [list(v) for v in robot.spec["links"]["upper"]["visuals"]] == [
        ["cylinder", "origin", "color"]
    ]


def test_a_transmission_of_two_joints_is_not_read(tmp_path: Path) -> None:
    both = '<joint name="elbow"/><joint name="shoulder"/><actuator'
    robot = supple.load(written(tmp_path, ARM.replace('<joint name="shoulder"/><actuator', both)))
    assert not any("drive" in joint for joint in robot.spec["joints"])
    assert any("a transmission of 2 joints is not read" in note for note in robot.notes)


def test_a_model_locks_joints_frees_them_and_adds_notes(tmp_path: Path) -> None:
    """Locked a joint is held at zero, where it was."""
    tied = ARM.replace('1.2 0"/>', '1.2 0"/><mimic joint="shoulder"/>')
    file, high = written(tmp_path, tied), {"stations": {"high": {"offset": [0.1, 0, 0.2]}}}
    words = {"urdf": str(file), "links": {"upper": high}, "joints": {"elbow": {"at": "high"}}}
    free = supple.build(words | {"free": ["elbow"]})
    assert (free.loops, free.nv) == ((), 2)
    locked = supple.build(words | {"locked": ["elbow"], "notes": ["mine"]})
    assert locked.coordinate_names == ("shoulder",)
    for part in "pR":
        here, there = (supple.pose(r, q, "tool") for r, q in ((locked, [0.3]), (free, [0.3, 0])))
        assert_near(getattr(here, part), getattr(there, part), 1e-14)
    assert locked.notes == ("mine", "not read: 1 <gazebo>, 1 <joint/safety_controller>")


def test_a_mimic_of_nothing_is_warned_of(tmp_path: Path) -> None:
    tied = '<mimic joint="lost" multiplier="2"/><origin xyz="0 0 0.4" rpy="0 1.2 0"/>'
    text = ARM.replace('<origin xyz="0 0 0.4" rpy="0 1.2 0"/>', tied)
    with pytest.warns(SuppleWarning, match="mimics 'lost', which is no joint"):
        assert not supple.load(written(tmp_path, text)).loops


def test_names_become_names_of_a_model(tmp_path: Path) -> None:
    text = ARM.replace('"elbow"', '"q"').replace('"tool"', '"my tool.0"').replace("fore", "f.a")
    robot = supple.load(written(tmp_path, text))
    assert robot.coordinate_names == ("shoulder", "q_joint")
    assert [x.name for x in robot.links] == ["base", "upper", "f_a", "my_tool.0"]
    assert_near(
        supple.pose(robot, [0, 0], "my_tool.0").p, supple.pose(robot, [0, 0], "my_tool.0.origin").p
    )
