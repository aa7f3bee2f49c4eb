"""Links of URDF robots that bend: stiff, they are the rigid robot of the file."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import supple
from agree import assert_near
from real_robots import FOLDER, path
from supple import recursion
from supple.errors import ModelError, SuppleWarning
from supple.model.urdf.bend import Axis, largest_share, mass_properties_of, moments
from supple.model.urdf.mesh_box import mesh_box
from supple.model.urdf.propose import proposal
from supple.screws import rpy_matrix, rpy_of

UR10 = path("ur10")
LINKS = ("upper_arm_link", "forearm_link")
CASES = [  # robot, a link that bends
    (path("ur10"), "forearm_link"),
    (path("xarm7"), "link3"),
    (path("kinova"), "j2s6s200_link_2"),
    (path("solo12"), "FL_UPPER_LEG"),
    (path("talos"), "leg_left_4_link"),
    (path("tiago"), "torso_lift_link"),
    (path("baxter"), "left_upper_forearm"),
]


def bent(file: Path, links: Any, EI: float = 1e4, **more: Any) -> supple.Robot:
    words = {"EI": EI, "modes": {"bending_y": 1, "bending_z": 1}, **more}
    return supple.build({"urdf": str(file), "bend": dict.fromkeys(links, words)})


@cache
def rigid_of(file: Path) -> supple.Robot:
    return supple.load(file)


def spread(robot: supple.Robot, rigid: supple.Robot) -> list[int]:
    """Places of the rigid robot's rates in the bending one."""
    return [robot.velocity_names.index(name) for name in rigid.velocity_names]


@pytest.mark.parametrize(("file", "link"), CASES, ids=lambda x: getattr(x, "stem", x))
@pytest.mark.parametrize("rest", ["root", "centre", "tip"])
def test_unbent_it_is_the_robot_of_the_file(file: Path, link: str, rest: str) -> None:
    rigid, robot = rigid_of(file), bent(file, [link], rest=rest)
    at, rng = spread(robot, rigid), np.random.default_rng(0)
    assert robot.modes == 2
    q, qd, qdd = rng.normal(size=(3, rigid.nv))
    Q, V, A = np.zeros((3, robot.nv))
    Q[at], V[at], A[at] = q, qd, qdd
    want = recursion.inverse_dynamics(rigid, q, qd, qdd)
    assert_near(recursion.inverse_dynamics(robot, Q, V, A)[at], want, 1e-11)
    assert_near(robot.mass, rigid.mass, 1e-14)
    tip = rigid.links[-1].name
    assert_near(supple.jacobian(robot, Q, tip)[:, at], supple.jacobian(rigid, q, tip), 1e-11)


def test_sections_with_inertia_of_their_own_take_no_more_than_the_link_has() -> None:
    """A beam made lighter has less inertia about its axis too."""
    torsion = {"GJ": 1e3, "polar_inertia": 2e-3, "modes": {"bending_y": 1, "torsion": 1}}
    with pytest.warns(SuppleWarning, match="made lighter"):
        robot = bent(UR10, ["upper_arm_link"], **torsion)
    rigid = supple.load(UR10)
    at, q = spread(robot, rigid), np.linspace(-1.0, 2.0, rigid.nv)
    Q = np.zeros(robot.nv)
    Q[at] = q
    M = recursion.mass_matrix(robot, Q)[np.ix_(at, at)]
    assert_near(M, recursion.mass_matrix(rigid, q), 1e-11)


def test_it_converges_to_the_rigid_robot_as_it_stiffens() -> None:
    rigid, rng = supple.load(UR10), np.random.default_rng(1)
    q, qd, tau = rng.normal(size=(3, rigid.nv))
    errors = []
    for EI in (1e6, 1e8):
        robot = bent(UR10, LINKS, EI, end=[0, 0, 0.57])
        at = spread(robot, rigid)
        Q, V, T = np.zeros((3, robot.nv))
        Q[at], V[at], T[at] = q, qd, tau
        sag = supple.forward_dynamics(robot, Q, V, T)
        shapes = robot.mode_indices
        K = robot.links[2].body.K
        assert K.shape == (2, 2)
        M = recursion.mass_matrix(robot, Q)
        stiff = np.linalg.solve(M[np.ix_(at, at)], (T - recursion.bias_force(robot, Q, V))[at])
        assert_near(stiff, supple.forward_dynamics(rigid, q, qd, tau), 1e-9)
        Q[shapes] = _steady(robot, Q, V, T, shapes)
        errors.append(np.abs(supple.forward_dynamics(robot, Q, V, T)[at] - stiff).max())
        assert np.isfinite(sag).all()
    assert errors[1] < 2e-2 * errors[0]


def _steady(robot: supple.Robot, q: Any, qd: Any, tau: Any, shapes: list[int]) -> Any:
    """Shapes at which they do not accelerate, by Newton's method."""
    q = q.copy()
    for _ in range(3):

        def rest(d: Any, q: Any = q) -> Any:
            x = q.copy()
            x[shapes] = d
            return recursion.forward_dynamics(robot, x, qd, tau)[shapes]

        d = q[shapes]
        step = 1e-7
        J = np.array([rest(d + step * e) - rest(d - step * e) for e in np.eye(len(d))])
        q[shapes] = d - 2 * step * np.linalg.solve(J.T, rest(d))
    return q[shapes]


def test_a_beam_that_is_too_heavy_is_made_lighter_and_that_is_told() -> None:
    with pytest.warns(SuppleWarning, match="weighs 12.93 kg, but .* only 1.615 kg can be in it"):
        robot = bent(UR10, ["upper_arm_link"], mass=12.929999)
    assert_near(robot.mass, supple.load(UR10).mass, 1e-14)


def test_a_beam_of_a_table_is_made_lighter_everywhere() -> None:
    table = {"x": [0.0, 0.3, 0.7], "value": [90.0, 60.0, 30.0]}
    with pytest.warns(SuppleWarning, match="made lighter"):
        robot = bent(UR10, ["upper_arm_link"], mass_per_length=table)
    made = robot.spec["links"]["upper_arm_link"]["beam"]["mass_per_length"]["value"]
    assert_near(np.array(made) / made[2], [3.0, 2.0, 1.0], 1e-14)
    assert_near(robot.mass, supple.load(UR10).mass, 1e-14)


def test_a_beam_ends_at_the_farthest_joint_that_moves_and_the_rest_rides_where_told() -> None:
    at = []
    for rest in ("root", "tip"):
        words = bent(path("talos"), ["torso_2_link"], rest=rest).spec["links"]["torso_2_link"]
        at.append(words.get("payload", {}).get("at", "hub" in words))
    assert at == [True, "tip"]
    joints = [x for x in rigid_of(path("talos")).spec["joints"] if x["parent"] == "torso_2_link"]
    far = [np.linalg.norm(x["origin"]["xyz"]) for x in joints if x["type"] != "fixed"]
    assert len(far) > 1
    assert words["beam"]["length"] == pytest.approx(max(far))


def test_an_inertia_that_no_body_has_leaves_a_beam_nothing() -> None:
    whole = np.eye(4) + 2.0 * np.eye(4)[[1, 0, 3, 2]] * [[1.0], [1.0], [0.0], [0.0]]
    assert np.linalg.eigvalsh(whole)[0] == pytest.approx(-1.0)
    assert largest_share(whole, np.diag([0.0, 0.0, 0.0, 0.5])) == 0.0


def test_numbers_of_a_bending_link_may_be_expressions() -> None:
    robots = []
    for mass, end, turn, x in (("2*50", "0.3*2", "pi/2", "0.1+0.2"), (100.0, 0.6, np.pi / 2, 0.3)):
        words = {"mass": mass, "EI": "1e4", "end": [0, 0, end], "modes": {"bending_y": 1}}
        joint = {"elbow_joint": {"origin": {"xyz": [0, 0, x], "rpy": [0, 0, turn]}}}
        model = {"urdf": str(UR10), "bend": {"upper_arm_link": words}, "joints": joint}
        with pytest.warns(SuppleWarning, match="made lighter"):
            robots.append(supple.build(model))
    M = [recursion.mass_matrix(r, np.linspace(0.1, 0.3, r.nv)) for r in robots]
    assert_near(M[0], M[1], 1e-14)


def test_random_bodies_lose_nothing_to_their_beam() -> None:
    rng = np.random.default_rng(5)
    for _ in range(20):
        points, weights = rng.normal(size=(9, 3)), rng.uniform(0.1, 1.0, 9)
        J = sum(w * np.outer(p, p) for w, p in zip(weights, np.c_[points, np.ones(9)], strict=True))
        again = moments(mass_properties_of(J))
        assert_near(again, J, 1e-13)
        R = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        R *= np.linalg.det(R)
        assert_near(rpy_matrix(*rpy_of(R)), R, 1e-14)
        axis = Axis.between(points[0], points[1], None)
        assert_near(axis.R @ [axis.length, 0, 0] + points[0], points[1], 1e-14)
        assert_near(axis.R.T @ axis.R, np.eye(3), 1e-14)


@pytest.mark.parametrize("pitch", [np.pi / 2, -np.pi / 2, np.pi / 2 - 1e-9, 1.5707])
def test_angles_are_right_at_gimbal_lock_too(pitch: float) -> None:
    R = rpy_matrix(0.4, pitch, -1.1)
    assert_near(rpy_matrix(*rpy_of(R)), R, 1e-14)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("bend: {fourarm_link: {EI: 1}}", "the URDF file has no link 'fourarm_link'"),
        ("bend: {forearm_link: {EI: -1}}", "greater than 0"),
        ("bend: {forearm_link: {EI: 10, too: a}}", "unknown key 'too'"),
        ("bend: {forearm_link: {EI: 10, to: nowhere}}", "no joint on link 'forearm_link'"),
        ("bend: {forearm_link: {modes: {bending_y: 1}}}", "bending"),
        ("bend: {tool0: {EI: 10, end: [0, 0, 1]}}", "the link has no mass"),
        ("joints: {elbow: {damping: 1}}", "has no joint 'elbow'"),
        ("locked: [elbow]", "has no joint 'elbow'"),
        ("base: flying", "'fixed' or 'floating'"),
        ("loops: [{type: revolute, between: [tool0, nowhere]}]", "the loop names no link"),
    ],
)
def test_faults_are_told_where_the_model_says_them(tmp_path: Path, change: str, told: str) -> None:
    file = tmp_path / "arm.yaml"
    file.write_text(f"urdf: {UR10}\n{change}\n")
    with pytest.raises(ModelError, match=r"arm\.yaml:2") as caught:
        supple.load(file)
    assert told in str(caught.value)


def test_joints_are_changed_locked_and_driven(tmp_path: Path) -> None:
    drive = {"gear_ratio": 100, "rotor_inertia": 4e-5, "stiffness": 8e3}
    words = {"joints": {"elbow_joint": {"drive": drive}}, "locked": ["wrist_3_joint"]}
    robot = supple.build({"urdf": str(UR10), "gravity": [0, 0, 0], **words})
    assert "elbow_joint.motor" in robot.velocity_names
    assert "wrist_3_joint" not in robot.velocity_names
    assert not robot.gravity.any()


def test_a_proposal_is_one_and_can_be_loaded(tmp_path: Path) -> None:
    file = tmp_path / "arm.yaml"
    text = proposal(file, UR10, ["forearm_link"])
    file.write_text(text)
    assert "PROPOSAL" in text
    robot = supple.load(file)
    section = robot.spec["links"]["forearm_link"]["beam"]["section"]
    assert 0.11 < section["diameter"] < 0.14  # the mesh is 0.12 m wide
    assert 40.0 < supple.frequencies(robot, locked=True).omega[0] / 2 / np.pi < 400.0


def test_boxes_of_meshes(tmp_path: Path) -> None:
    points = np.random.default_rng(0).normal(size=(40, 3, 3)).astype("<f4")
    want = [points.reshape(-1, 3).min(axis=0), points.reshape(-1, 3).max(axis=0)]
    rows = np.zeros(40, [("n", "<f4", 3), ("p", "<f4", (3, 3)), ("m", "<u2")])
    rows["p"] = points
    (tmp_path / "a.stl").write_bytes(b"solid".ljust(80) + np.uint32(40).tobytes() + rows.tobytes())
    flat = points.reshape(-1, 3)
    text = "".join(f"  vertex {p[0]:.9g} {p[1]:.9g} {p[2]:.9g}\n" for p in flat)
    (tmp_path / "b.stl").write_text(f"solid b\n{text}endsolid")
    (tmp_path / "c.obj").write_text("vn 9 9 9\n" + text.replace("  vertex", "v"))
    numbers = " ".join(f"{x:.9g}" for x in 100 * flat.ravel())
    (tmp_path / "d.dae").write_text(
        '<COLLADA><asset><unit meter="0.01"/></asset><source id="p"><float_array>'
        f'{numbers}</float_array></source><vertices><input semantic="POSITION" source="#p"/>'
        "</vertices></COLLADA>"
    )
    for name in ("a.stl", "b.stl", "c.obj", "d.dae"):
        assert_near(mesh_box(tmp_path / name), want, 1e-6)
    (tmp_path / "e.stl").write_bytes(b"\0\1\2")
    assert mesh_box(tmp_path / "e.stl") is None
    assert mesh_box(tmp_path / "none.obj") is None
    assert FOLDER.is_dir()


def test_meshes_of_text_are_read_from_their_first_line_and_across_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("supple.model.urdf.mesh_box.PIECE", 50)
    rows = "vertex 7 0.25 -3.5\nvertex -6.5 8 0.125\nvertex 0.5 -2.25 9.75\n"
    (tmp_path / "a.stl").write_text(rows)
    (tmp_path / "b.obj").write_text(rows.replace("vertex", "v"))
    for name in ("a.stl", "b.obj"):
        assert_near(mesh_box(tmp_path / name), [[-6.5, -2.25, -3.5], [7.0, 8.0, 9.75]], 0.0)


def test_a_link_may_be_a_body_from_finite_elements(tmp_path: Path) -> None:
    first = bent(UR10, ["forearm_link"])
    supple.write_sid(first, "forearm_link", tmp_path / "forearm.sid")
    wrist = next(j for j in first.spec["joints"] if j["name"] == "wrist_1_joint")
    words = {
        "urdf": str(UR10),
        "links": {"forearm_link": {"body": {"file": "forearm.sid"}}},
        "joints": {"wrist_1_joint": {key: wrist[key] for key in ("at", "origin")}},
    }
    robot = supple.build(words, folder=tmp_path)
    q = np.random.default_rng(2).normal(size=first.nv) * [1, 1, 1, 1e-3, 1e-3, 1, 1, 1]
    assert_near(robot.mass, first.mass, 1e-9)
    assert_near(supple.mass_matrix(robot, q), supple.mass_matrix(first, q), 1e-8)
