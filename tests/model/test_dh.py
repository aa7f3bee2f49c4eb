"""One arm (revolute, prismatic, revolute) in three DH conventions and as links and joints.

The arm is given once, in the frames of the modified convention (frame i at joint i); each
other form is worked out from it here by hand with homogeneous matrices.
"""

import numpy as np
import pytest

import supple

RNG = np.random.default_rng(7)
JOINTS = ("revolute", "prismatic", "revolute")
THETA, B = (0.3, -0.4, 0.5), (0.2, 0.35, -0.1)  # of joint i
A, ALPHA = (0.4, 0.25, 0.6), (0.7, -1.1, 0.3)  # of link i, from joint i to joint i+1
MASS = (3.0, 2.0, 1.0)
COM = RNG.normal(scale=0.2, size=(3, 3))  # in the frame at joint i, turned and moved with link i
INERTIA = [np.diag([0.3, 0.4, 0.5]) + 0.05 * (x + x.T) for x in RNG.random((3, 3, 3))]
GRAVITY = [1.0, -2.0, -9.0]


def rx(a):
    return np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])


def row(i, **words):
    return {"joint": JOINTS[i], "mass": MASS[i], **words}


def modified():
    rows = []
    for i in range(3):
        a, alpha = (0.0, 0.0) if i == 0 else (A[i - 1], ALPHA[i - 1])
        inertia, com = INERTIA[i].tolist(), COM[i].tolist()
        rows.append(row(i, a=a, alpha=alpha, b=B[i], theta=THETA[i], com=com, inertia=inertia))
    return {"dh": {"convention": "modified", "rows": rows}}


def distal(convention):
    """Link data in the distal frame, which stands at (a, 0, 0) of the joint's, turned by alpha."""
    rows = []
    for i in range(3):
        R = rx(ALPHA[i])
        com = R.T @ (COM[i] - [A[i], 0, 0])
        where = {"r": (-com).tolist()} if convention == "saha" else {"com": com.tolist()}
        inertia = (R.T @ INERTIA[i] @ R).tolist()
        rows.append(
            row(i, a=A[i], alpha=ALPHA[i], b=B[i], theta=THETA[i], inertia=inertia, **where)
        )
    return {"dh": {"convention": convention, "rows": rows}}


def links_and_joints():
    links, joints = {}, []
    for i in range(3):
        rigid = {"mass": MASS[i], "com": COM[i].tolist(), "inertia": INERTIA[i].tolist()}
        links[f"l{i}"] = {"rigid": {**rigid, "tip": [A[i], 0, 0], "tip_rpy": [ALPHA[i], 0, 0]}}
        origin = {"xyz": [0, 0, B[i]], "rpy": [0, 0, THETA[i]]}
        parent = f"l{i - 1}" if i else "world"
        joints.append({"type": JOINTS[i], "parent": parent, "child": f"l{i}", "origin": origin})
    return {"links": links, "joints": joints}


FORMS = {
    "modified": modified(),
    "standard": distal("standard"),
    "saha": distal("saha"),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_convention_gives_the_same_arm(form):
    ours = supple.build({"gravity": GRAVITY, **links_and_joints()})
    theirs = supple.build({"gravity": GRAVITY, **FORMS[form]})
    for q, qd, qdd in RNG.normal(size=(5, 3, 3)):
        assert supple.mass_matrix(theirs, q) == pytest.approx(supple.mass_matrix(ours, q))
        assert supple.gravity_force(theirs, q) == pytest.approx(supple.gravity_force(ours, q))
        tau = supple.inverse_dynamics(ours, q, qd, qdd)
        assert supple.inverse_dynamics(theirs, q, qd, qdd) == pytest.approx(tau)


def test_a_planar_row_gives_the_textbook_pendulum():
    table = {"convention": "saha", "rows": [{"a": 2.0, "mass": 3.0, "r": [0.5, 0, 0]}]}
    robot = supple.build({"dh": table, "gravity": [0, -9.81, 0]})
    assert supple.mass_matrix(robot, [0.4]) == pytest.approx(np.array([[3.0 * 1.5**2]]))
    assert supple.gravity_force(robot, [0.4]) == pytest.approx(3.0 * 9.81 * 1.5 * np.cos([0.4]))


def as_table(name, convention):
    """A shipped arm of parallel axes with beams, written as a table."""
    words = supple.load(name).spec
    links, joints = words["links"], words["joints"]
    rows = [{"name": k, "beam": {**v["beam"]}} for k, v in links.items()]
    spans = [row["beam"].pop("length") for row in rows]
    for i, row in enumerate(rows):
        if convention != "modified":
            row["a"] = spans[i]
        elif i > 0:
            row["a"] = spans[i - 1]
    if convention == "modified":
        rows[-1]["beam"]["length"] = spans[-1]
    assert all(joint["type"] == "revolute" and "axis" not in joint for joint in joints)
    top = {key: value for key, value in words.items() if key not in ("links", "joints")}
    return supple.build(top | {"dh": {"convention": convention, "rows": rows}})


@pytest.mark.parametrize("kinematics", ["first_order", "second_order"])
@pytest.mark.parametrize("name", ["canadarm", "canadarm-spatial"])
@pytest.mark.parametrize("convention", ["saha", "standard", "modified"])
def test_beams_in_a_table_are_the_same_arm(name, convention, kinematics):
    ours = supple.load(name).replace(elastic_kinematics=kinematics, gravity=GRAVITY)
    theirs = as_table(name, convention).replace(elastic_kinematics=kinematics, gravity=GRAVITY)
    assert theirs.coordinate_names == ours.coordinate_names
    q, qd, tau = RNG.normal(scale=0.05, size=(3, ours.nv))
    M = supple.mass_matrix(ours, q)
    assert np.abs(supple.mass_matrix(theirs, q) - M).max() < 1e-12 * np.abs(M).max()
    qdd = supple.forward_dynamics(ours, q, qd, tau)
    assert np.abs(supple.forward_dynamics(theirs, q, qd, tau) - qdd).max() < 1e-10


BEAM = {"mass": 0.8, "EIy": 30.0, "EIz": 12.0, "modes": {"bending_y": 2, "bending_z": 1}}
LUMPS = {"hub": {"mass": 0.3, "com": [0, 0, 0.02], "inertia": 1e-3}}
TIP = {"payload": {"mass": 0.2, "com": [0, 0.1, 0]}, "stations": {"eye": {"offset": [0, 0, 0.1]}}}


def bent_links(last_tip):
    """Two twisted links as links and joints: a beam over A[i], its axes turned by ALPHA[i] as
    the distal frame's, or not turned as in the modified convention."""
    links, joints = {}, []
    for i in range(2):
        beam = {**BEAM, "length": A[i], "start": [0, 0, B[i]], "rpy": [ALPHA[i], 0, 0]}
        links[f"l{i}"] = {"beam": beam, **LUMPS, **(TIP if i == last_tip else {})}
        parent = f"l{i - 1}" if i else "world"
        origin = {"rpy": [0, 0, THETA[i]]}
        joint = {"name": f"joint{i + 1}", "type": "revolute", "parent": parent, "child": f"l{i}"}
        joints.append({**joint, "origin": origin})
    return {"links": links, "joints": joints, "gravity": GRAVITY}


@pytest.mark.parametrize("convention", ["saha", "standard"])
def test_a_beam_of_a_twisted_row_ends_in_the_distal_frame(convention):
    rows = [
        {"name": f"l{i}", "a": A[i], "alpha": ALPHA[i], "b": B[i], "theta": THETA[i], "beam": BEAM}
        for i in range(2)
    ]
    rows = [row | LUMPS for row in rows]
    rows[1] |= TIP
    theirs = supple.build({"gravity": GRAVITY, "dh": {"convention": convention, "rows": rows}})
    ours = supple.build(bent_links(1))
    same_motion(theirs, ours)
    # undeformed, the stations are where the rigid table has them
    rigid = [{k: v for k, v in row.items() if k not in ("beam", "hub")} for row in rows]
    stiff = supple.build(
        {"dh": {"convention": convention, "rows": [{**r, "mass": 1.0} for r in rigid]}}
    )
    q = RNG.normal(size=2)
    place = supple.pose(theirs, [q[0], 0, 0, 0, q[1], 0, 0, 0], "l1.eye")
    want = supple.pose(stiff, q, "l1.eye")
    assert np.allclose(place.p, want.p, atol=1e-14)
    assert np.allclose(place.R, want.R, atol=1e-14)


def test_a_beam_of_a_modified_row_runs_along_its_own_x():
    rows = [
        {"name": "l0", "b": B[0], "theta": THETA[0], "beam": BEAM, **LUMPS},
        {"name": "l1", "a": A[0], "alpha": ALPHA[0], "b": B[1], "theta": THETA[1], **TIP},
    ]
    rows[1] |= {"beam": {**BEAM, "length": A[1]}, **LUMPS}
    theirs = supple.build({"gravity": GRAVITY, "dh": {"convention": "modified", "rows": rows}})
    words = bent_links(1)
    for i in range(2):
        beam = words["links"][f"l{i}"]["beam"]
        beam |= {"start": [0, 0, 0], "rpy": [0, 0, 0]}
        # Rx(alpha) Rz(theta), with b along the turned z: by hand, not by the table's code
        alpha = ALPHA[0] if i else 0.0
        c, s, ct, st = np.cos(alpha), np.sin(alpha), np.cos(THETA[i]), np.sin(THETA[i])
        R = np.array([[ct, -st, 0], [c * st, c * ct, -s], [s * st, s * ct, c]])
        yaw, pitch = np.arctan2(R[1, 0], R[0, 0]), -np.arcsin(R[2, 0])
        roll = np.arctan2(R[2, 1], R[2, 2])
        words["joints"][i]["origin"] = {
            "xyz": [0, -s * B[i], c * B[i]],
            "rpy": [roll, pitch, yaw],
        }
    same_motion(theirs, supple.build(words))


def same_motion(theirs, ours):
    q, qd, tau = RNG.normal(scale=0.02, size=(3, ours.nv))
    q[list(ours.joint_indices)] *= 50.0
    M = supple.mass_matrix(ours, q)
    assert np.abs(supple.mass_matrix(theirs, q) - M).max() < 1e-12 * np.abs(M).max()
    qdd = supple.forward_dynamics(ours, q, qd, tau)
    assert np.abs(supple.forward_dynamics(theirs, q, qd, tau) - qdd).max() < 1e-9 * abs(qdd).max()


ROW = {"a": 1.0, "beam": {"mass": 1, "EI": 1, "modes": {"bending_y": 1}}}
# what a row has besides, convention, the key blamed, words
WRONG = [
    ({"a": 0}, "saha", "beam", "a of this row is 0"),
    ({"a": -1}, "standard", "beam", "a of this row is -1"),
    ({"a": 0, "joint": "prismatic"}, "saha", "beam", "a of this row is 0"),
    ({"mass": 1}, "saha", "mass", "no mass of its own"),
    ({"r": [0, 0, 0]}, "saha", "r", "no r of its own"),
    ({"inertia": 1}, "modified", "inertia", "no inertia of its own"),
    ({"beam": {**ROW["beam"], "length": 2}}, "saha", "beam.length", "has the length 2, but a"),
    ({"beam": {**ROW["beam"], "start": [0, 0, 0]}}, "saha", "beam.start", "the table places"),
    ({"beam": {**ROW["beam"], "rpy": [0, 0, 0]}}, "saha", "beam.rpy", "the table places"),
    ({}, "modified", "beam.length", "last row needs its length"),
    ({"beam": {**ROW["beam"], "EI": -1}}, "saha", "beam.EI", "greater than 0"),
    ({"beam": {"mass": 1, "modes": {"torsion": 1}}}, "saha", "beam.modes.torsion", "need the"),
]


@pytest.mark.parametrize(("words", "convention", "key", "message"), WRONG)
def test_what_cannot_be_a_beam_of_a_row_is_told_there(words, convention, key, message):
    with pytest.raises(supple.ModelError) as error:
        supple.build({"dh": {"convention": convention, "rows": [ROW | words]}})
    fault = next(f for f in error.value.faults if message in f.message)
    assert fault.key == f"dh.rows.0.{key}"


def test_modes_of_a_table_can_be_changed():
    robot = as_table("canadarm", "saha").with_modes(3).with_modes("link2", bending_z=1)
    assert [link.body.m for link in robot.links] == [3, 4, 3]
    assert "link1.beam.EI" in robot.parameter_names


def test_the_tip_angle_of_a_table_is_that_of_its_beams() -> None:
    beam = {"mass": 1.0, "EI": 10.0, "modes": {"bending_y": 1}}
    rows = [{"a": 1.0, "beam": beam}, {"a": 0.5, "mass": 1.0, "com": [-0.2, 0, 0], "inertia": 1}]
    table = {"convention": "standard", "rows": rows}
    slope = supple.equations(supple.build({"dh": table}))
    chord = supple.equations(slope.robot, tip_angle="chord")
    rows[0]["beam"] = beam | {"tip_angle": "chord"}
    assert (slope.tip_angle, chord.tip_angle) == ("slope", "chord")
    assert chord.M == supple.equations(supple.build({"dh": table})).M != slope.M
