"""Limits with a known answer: stiff links, textbook frequencies, equal robots written twice."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

import supple
from supple.modes import families

CLAMPED = [1.8751040687119611, 4.6940911329741746, 7.854757438237613, 10.995540734875467]


def arm(joint: str = "fixed", **beam: Any) -> supple.Robot:
    words = {"length": 2.0, "mass": 3.0, "EI": 50.0} | beam
    return supple.build(
        {
            "name": "beam",
            "gravity": [0, 0, 0],
            "links": {"a": {"beam": words}},
            "joints": [{"type": joint, "child": "a"}],
        }
    )


def euler_bernoulli(roots: Any) -> Any:
    return np.asarray(roots) ** 2 * np.sqrt(50.0 / 1.5) / 4.0


@pytest.mark.parametrize(
    "family", [f for f in families() if f not in ("functions", "pinned_pinned")]
)
def test_cantilever_has_the_textbook_frequencies(family: str) -> None:
    robot = arm(modes={"bending_y": 8, "bending_z": 8, "family": family})
    omega = supple.frequencies(robot).omega
    exact = np.repeat(euler_bernoulli(CLAMPED), 2)
    tolerance = {"polynomial": 2e-6, "orthogonal": 2e-6}.get(family, 1e-9)
    assert np.abs(omega[:6] / exact[:6] - 1.0).max() < tolerance


def hinged_free(count: int) -> Any:
    roots = [
        brentq(lambda b: np.tan(b) - np.tanh(b), (k + 0.25) * np.pi - 0.2, (k + 0.25) * np.pi + 0.2)
        for k in range(1, count + 1)
    ]
    return euler_bernoulli(roots)


def test_hinged_free_arm_has_the_textbook_frequencies() -> None:
    """tan b = tanh b; the joint's own rotation is the zero frequency."""
    robot = arm("revolute", modes={"bending_y": 9})
    omega = supple.frequencies(robot).omega
    assert abs(omega[0]) < 1e-4
    assert np.abs(omega[1:4] / hinged_free(3) - 1.0).max() < 2e-5
    assert abs(omega[1] / hinged_free(1)[0] - 1.0) < 1e-9


@pytest.mark.parametrize(("family", "order"), [("orthogonal", 15.0), ("clamped_free", 6.0)])
def test_frequencies_converge_from_above_at_the_expected_rate(family: str, order: float) -> None:
    """Ritz values fall to the exact one: spectrally for polynomials, like n^-7 for
    clamped-free shapes, whose root curvature is not the hinged arm's."""
    exact = hinged_free(1)[0]
    errors = []
    for n in (4, 8):
        robot = arm("revolute", modes={"bending_y": n, "family": family})
        errors.append(supple.frequencies(robot).omega[1] / exact - 1.0)
    assert errors[0] > errors[1] > 0.0
    assert np.log2(errors[0] / errors[1]) > order  # n doubled


def test_tip_mass_lowers_the_frequency_as_gorman_says() -> None:
    """Clamped, tip mass equal to the beam's: b = 1.24792."""
    words = {"length": 2.0, "mass": 3.0, "EI": 50.0, "modes": {"bending_y": 6}}
    robot = supple.build(
        {
            "gravity": [0, 0, 0],
            "links": {"a": {"beam": words, "payload": {"mass": 3.0}}},
            "joints": [{"type": "fixed", "child": "a"}],
        }
    )
    root = brentq(
        lambda b: (
            1 + np.cosh(b) * np.cos(b) + b * (np.sinh(b) * np.cos(b) - np.cosh(b) * np.sin(b))
        ),
        1.0,
        1.5,
    )
    assert abs(supple.frequencies(robot).omega[0] / euler_bernoulli(root) - 1.0) < 1e-9


def test_torsion_and_extension_have_rod_frequencies() -> None:
    robot = arm(
        modes={"torsion": 6, "axial": 6}, GJ=8.0, polar_inertia=0.02, EA=9e4, rotary_inertia=True
    )
    k = np.array([0.5, 1.5, 2.5]) * np.pi / 2.0
    exact = np.sort(np.concatenate([k * np.sqrt(8.0 / 0.02), k * np.sqrt(9e4 / 1.5)]))
    omega = supple.frequencies(robot).omega
    for value in exact:
        assert np.abs(omega / value - 1.0).min() < 2e-3
    for value in exact[[0, 1, 3]]:
        assert np.abs(omega / value - 1.0).min() < 1e-5


def test_tapered_beam_has_the_published_frequency() -> None:
    """Depth falling linearly to half, constant width: w L^2 sqrt(rhoA0/EI0) = 3.8238, 18.3173,
    47.2648 (Naguleswaran, J. Sound Vib. 172, 1994)."""
    robot = supple.build(
        {
            "gravity": [0, 0, 0],
            "links": {
                "a": {
                    "beam": {
                        "length": 1.0,
                        "density": 1000.0,
                        "E": 1e9,
                        "section": {"shape": "rectangle", "width": [0.05, 0.025], "height": 0.02},
                        "rotary_inertia": False,
                        "modes": {"bending_y": 8},
                    }
                }
            },
            "joints": [{"type": "fixed", "child": "a"}],
        }
    )
    unit = np.sqrt(1e9 * 0.05**2 / 12 / 1000.0)
    published = np.array([3.8238, 18.3173, 47.2648])
    assert np.abs(supple.frequencies(robot).omega[:3] / unit - published).max() < 1e-3


@pytest.mark.parametrize("name", ["canadarm", "canadarm-spatial", "cibicik-arm", "space-robot"])
def test_stiff_links_move_like_rigid_ones(name: str) -> None:
    """EI x 1e8: the same joint accelerations as the rigid robot, to 1e-6."""
    soft = supple.load(name)
    words = copy.deepcopy(soft.spec)
    for link in words["links"].values():
        for key in ("EI", "E", "G"):
            if key in link.get("beam", {}):
                link["beam"][key] = float(eval_number(link["beam"][key])) * 1e8
    stiff, rigid = supple.build(words), soft.replace(elastic_kinematics="rigid")
    rng = np.random.default_rng(3)
    q, qd, tau = stiff.neutral(), np.zeros(stiff.nv), np.zeros(stiff.nv)
    at = list(stiff.joint_indices)
    q_joint = rigid.normalized(rigid.neutral() + 0.4 * rng.normal(size=rigid.nq))
    for a, b in zip(_joint_links(stiff), _joint_links(rigid), strict=True):
        q[a.q] = q_joint[b.q]
    qd[at], tau[at] = rng.normal(size=len(at)), 10.0 * rng.normal(size=len(at))
    target = supple.forward_dynamics(rigid, q_joint, qd[at], tau[at])
    # statically deflected: without it the shapes would only ring about their rest
    M, h = supple.mass_matrix(stiff, q), supple.bias_force(stiff, q, qd)
    modes = list(stiff.mode_indices)
    K = np.zeros_like(M)
    for link in stiff.links:
        K[link.e, link.e] = link.body.K
    rigid_part = np.zeros(stiff.nv)
    rigid_part[at] = target
    load = (M @ rigid_part + h - tau)[modes]
    shift = np.zeros(stiff.nv)
    shift[modes] = -np.linalg.solve(K[np.ix_(modes, modes)], load)
    for link in stiff.links:
        q[link.d] = shift[link.e]
    ours = supple.forward_dynamics(stiff, q, qd, tau)[at]
    assert np.abs(ours - target).max() < 1e-6 * np.abs(target).max()


def eval_number(value: Any) -> float:
    from supple.model.spec import number

    return float(number(value) if isinstance(value, str) else value)


def _joint_links(robot: supple.Robot) -> list[Any]:
    return [link for link in robot.links if link.joint.nv]


def body_words() -> dict[str, Any]:
    return {
        "beam": {
            "length": 1.0,
            "mass": 2.0,
            "EI": 30.0,
            "modes": {"bending_y": 1, "bending_z": 1},
        },
        "hub": {"mass": 1.0, "com": [0.1, 0.2, 0.0], "inertia": [0.1, 0.2, 0.3]},
    }


def test_floating_base_moves_like_six_single_joints() -> None:
    """Quaternion and twist against three slides and three turns: the same accelerations."""
    one = supple.build(
        {"links": {"b": body_words()}, "joints": [{"type": "floating", "child": "b"}]}
    )
    axes = {"x": [1, 0, 0], "y": [0, 1, 0], "z": [0, 0, 1]}
    links: dict[str, Any] = {k: {"rigid": {"mass": 0}} for k in axes} | {"b": body_words()}
    joints: list[dict[str, Any]] = []
    for k, parent in zip("xyz", ("world", "x", "y"), strict=True):
        joints.append({"type": "prismatic", "child": k, "parent": parent, "axis": axes[k]})
    joints.append({"type": "spherical", "coordinates": "zyx", "child": "b", "parent": "z"})
    six = supple.build({"links": links, "joints": joints})
    rng = np.random.default_rng(1)
    q6, u6 = 0.3 * rng.normal(size=8), rng.normal(size=8)
    tau = {"b.tip": rng.normal(size=6)}
    a6 = supple.forward_dynamics(six, q6, u6, np.zeros(8), external=tau)
    pose, twist = supple.pose(six, q6, "b.origin"), supple.twist(six, q6, u6, "b.origin")
    from scipy.spatial.transform import Rotation

    x, y, z, w = Rotation.from_matrix(pose.R).as_quat()
    q1 = np.concatenate([[w, x, y, z], pose.p, q6[6:]])
    u1 = np.concatenate([pose.R.T @ twist[:3], pose.R.T @ twist[3:], u6[6:]])
    a1 = supple.forward_dynamics(one, q1, u1, np.zeros(8), external=tau)
    for where in ("b.origin", "b.tip"):
        ours = supple.acceleration(one, q1, u1, a1, where)
        assert np.abs(ours - supple.acceleration(six, q6, u6, a6, where)).max() < 1e-9
    assert np.abs(a1[6:] - a6[6:]).max() < 1e-9


@pytest.mark.slow
def test_free_floating_robot_keeps_its_momentum() -> None:
    """No external force: linear and angular momentum about the world's origin stay."""
    robot = supple.load("space-robot")
    rng = np.random.default_rng(2)
    qd0 = np.zeros(robot.nv)
    qd0[list(robot.joint_indices)] = 0.2 * rng.normal(size=len(robot.joint_indices))
    push = 3.0 * rng.normal(size=(len(robot.joint_indices),))
    push[:6] = 0.0
    run = supple.simulate(robot, lambda t: push, 0.5, qd0=qd0, samples=6, rtol=1e-9)
    first = momentum(robot, run["q"][0], run["qd"][0])
    last = momentum(robot, run["q"][-1], run["qd"][-1])
    assert np.abs(last - first).max() < 1e-6 * np.abs(first).max()
    assert run.energy_error < 1e-7


def momentum(robot: supple.Robot, q: Any, qd: Any) -> Any:
    """The floating base's rows of M qd are the whole robot's momentum about its origin."""
    p = supple.mass_matrix(robot, q)[:6] @ qd
    base = supple.pose(robot, q, "bus.origin")
    f = base.R @ p[3:]
    return np.concatenate([base.R @ p[:3] + np.cross(base.p, f), f])
