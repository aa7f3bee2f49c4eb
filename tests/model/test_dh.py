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
