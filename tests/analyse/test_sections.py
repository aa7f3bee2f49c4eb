"""Section forces by equilibrium: against joint torques, moving points and closed forms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import supple

KINDS = ("second_order", "first_order", "linearized", "rigid")
FAMILIES = ("orthogonal", "clamped_free", "clamped_mass", "polynomial")
TUBE = {"shape": "tube", "diameter": 0.05, "wall": 0.004}
LOADS = {"a.mid": [0.3, -0.2, 0.5], "b.tip": [0.1, 0.2, -0.3, 1.0, -2.0, 0.5]}
WRENCHES = LOADS | {"a.mid": [0, 0, 0, 0.3, -0.2, 0.5]}


def arm(family: str, kinematics: str = "second_order", joint: Any = None, **more: Any) -> Any:
    """A turned beam with torsion, extension and rotary inertia; on it a tool at mid-beam and a
    tapered beam with payloads at its tip."""
    modes: dict[str, Any] = {"bending_y": 2, "bending_z": 2, "torsion": 1, "axial": 1}
    for field in ("torsion", "axial") if family == "clamped_mass" else ():
        modes[field] = {"count": 1, "family": "orthogonal"}
    first = {"length": 1.0, "density": 2700, "E": 2e9, "nu": 0.3, "section": TUBE}
    first |= {"start": [0.05, -0.1, 0.02], "rpy": [0.4, 0.3, -0.8]}
    second = {"length": 0.7, "mass_per_length": [0.9, 0.4], "EI": [40.0, 15.0]}
    links: dict[str, Any] = {
        "a": {"beam": first | {"modes": modes | {"family": family}}, **more},
        "tool": {"rigid": {"mass": 0.3, "com": [0, 0.1, 0.1], "inertia": 0.01}},
        "b": {"beam": second | {"modes": {"bending_z": 2, "family": family}}},
    }
    links["a"]["stations"] = {"mid": {"x": 0.4, "offset": [0, 0.01, 0.02]}}
    links["b"] |= {"payload": {"mass": 0.5}, "stations": {"end": {"offset": [0.1, 0.0, 0.05]}}}
    joints = [
        {"name": "one", "type": "floating", "child": "a"} | (joint or {}),
        {"name": "two", "type": "prismatic", "parent": "a", "at": "mid", "child": "tool"},
        {"name": "three", "type": "revolute", "parent": "a", "child": "b", "axis": [0, 1, 1]},
    ]
    words = {"gravity": [1.0, -2.0, -9.0], "elastic_kinematics": kinematics}
    return supple.build(words | {"links": links, "joints": joints})


def moving(robot: supple.Robot, size: float = 0.1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(3)
    q = robot.neutral() + 0.5 * random.normal(size=robot.nq)
    qd, qdd = random.normal(size=(2, robot.nv))
    for link in robot.links:
        q[link.d] *= size
    return robot.normalized(q), qd, qdd


def root_wrench(robot: supple.Robot, name: str, line: Any) -> np.ndarray:
    """[n; f] about the link's origin, in the axes of its body, for a root that cannot turn."""
    own = robot.links[robot.index(name)].body.line
    f, n = own.R @ line.force[0], own.R @ line.moment[0]
    return np.concatenate([n + np.cross(own.start, f), f])


@pytest.mark.parametrize(
    ("family", "kinematics"),
    [*((f, k) for f in FAMILIES for k in KINDS), ("finite_elements", "second_order")],
)
def test_the_root_holds_what_the_joint_gives(family: str, kinematics: str) -> None:
    """A floating joint shows the whole wrench, a turning one its axis, z of its body."""
    robot = arm(family, kinematics)
    q, qd, qdd = moving(robot)
    for state in ((q, 0 * qd, 0 * qdd), (q, qd, qdd)):
        tau = supple.inverse_dynamics(robot, *state, WRENCHES)
        lines = supple.along(robot, *state, LOADS, points=3)
        assert np.abs(root_wrench(robot, "a", lines["a"]) + tau[:6]).max() < 1e-10
        row = robot.velocity_names.index("three")
        assert abs(root_wrench(robot, "b", lines["b"])[2] + tau[row]) < 1e-10


@pytest.mark.parametrize("root", ["clamped", "pinned"])
def test_hub_and_rotor_are_on_the_joint_side(root: str) -> None:
    """A hub changes the torque, not the sections; a pinned root turns about the axis with it."""
    modes = {"bending_y": {"count": 3, "family": "finite_elements", "root": root}}
    beam = {"length": 1.0, "mass": 2.0, "EI": 50.0, "modes": modes}
    hub = {"mass": 3.0, "com": [0.1, 0.05, 0], "inertia": 0.4}
    one, two = (
        supple.build(
            {
                "gravity": [0, -9.81, 0],
                "links": {"a": {"beam": beam, **part}},
                "joints": [{"name": "j", "type": "revolute", "child": "a", **drive}],
            }
        )
        for part, drive in (({}, {}), ({"hub": hub}, {"rotor_inertia": 0.7}))
    )
    q, qd, qdd = moving(one, 0.05)
    bare, full = (supple.along(r, q, qd, qdd, points=5)["a"] for r in (one, two))
    torques = [supple.inverse_dynamics(r, q, qd, qdd)[0] for r in (one, two)]
    assert np.allclose(full.moment, bare.moment, atol=1e-12)
    assert np.allclose(full.force, bare.force, atol=1e-12)
    assert abs(bare.moment[0, 2] + torques[0]) < 1e-10
    assert abs(torques[1] - torques[0]) > 0.1


def test_a_child_at_mid_beam_loads_the_sections_before_it() -> None:
    """The moment jumps there by the tool's inertia and weight less the load; nothing else does."""
    robot = arm("orthogonal")
    q, qd, qdd = moving(robot)
    line = supple.along(robot, q, qd, qdd, LOADS, points=2001)["a"]
    steps = np.diff(line.force, axis=0)
    assert np.argmax(np.abs(steps).max(axis=1)) == 800
    mass, R = 0.3, supple.pose(robot, q, "a.mid").R
    inner = supple.acceleration(robot, q, qd, qdd, "tool.origin")
    twist = supple.twist(robot, q, qd, "tool.origin")
    arm_ = supple.pose(robot, q, "tool.origin").R @ [0, 0.1, 0.1]
    a = inner[3:] + np.cross(inner[:3], arm_) + np.cross(twist[:3], np.cross(twist[:3], arm_))
    jump = R.T @ (mass * (a - robot.gravity) - LOADS["a.mid"])
    assert np.allclose(steps[800] - steps[799], jump, atol=1e-3)
    at = supple.gauge(robot, q, "a.mid", qd, qdd, LOADS)
    assert np.allclose(at.force, line.force[800], atol=1e-12)
    assert np.allclose(at.moment, line.moment[800], atol=1e-12)


@pytest.mark.parametrize(
    ("kinematics", "size", "gap"),
    [("first_order", 0.1, 1e-9), ("second_order", 1e-3, 1e-7), ("second_order", 0.05, 2e-2)],
)
def test_sections_balance_the_moving_points_beyond(
    kinematics: str, size: float, gap: float
) -> None:
    """Points of the beam, seen as stations, with the accelerations of the recursion; of second
    order the energy of the body, and so the balance, is exact to that order."""
    x, weight = np.polynomial.legendre.leggauss(10)
    x, weight = 0.65 + 0.35 * x, 0.35 * weight  # from 0.3 to 1
    stations = {f"p{k}": {"x": float(v)} for k, v in enumerate(x)} | {"cut": {"x": 0.3}}
    modes = {"bending_y": 3, "bending_z": 2, "axial": 1}
    ends = {"payload": {"mass": 0.6}, "hub": {"mass": 1.0, "inertia": 0.1}}
    beam = {"length": 1.0, "mass_per_length": [2.0, 1.0], "EI": 9.0, "EA": 300.0, "modes": modes}
    robot = supple.build(
        {
            "elastic_kinematics": kinematics,
            "links": {"a": {"beam": beam, "stations": stations, **ends}},
            "joints": [{"name": "j", "type": "spherical", "child": "a"}],
        }
    )
    q, qd, qdd = moving(robot, size)
    qd[3:], qdd[3:] = size * qd[3:], size * qdd[3:]
    section = supple.pose(robot, q, "a.cut")
    masses = {f"a.p{k}": w * (2.0 - v) for k, (v, w) in enumerate(zip(x, weight, strict=True))}
    force, moment = np.zeros(3), np.zeros(3)
    for where, mass in (masses | {"a.tip": 0.6}).items():
        pull = mass * (robot.gravity - supple.acceleration(robot, q, qd, qdd, where)[3:])
        force += pull
        moment += np.cross(supple.pose(robot, q, where).p - section.p, pull)
    found = supple.gauge(robot, q, "a.cut", qd, qdd)
    assert np.abs(found.force - section.R.T @ force).max() < gap
    assert np.abs(found.moment - section.R.T @ moment).max() < gap


def cantilever(shapes: int = 4, EI: float = 1e4, **words: Any) -> supple.Robot:
    beam = {"length": 2.0, "mass": 3.0, "EI": EI, "modes": {"bending_y": shapes}}
    joint = {"name": "j", "type": "revolute", "child": "a"}
    return supple.build(
        {"gravity": [0, 0, 0], "links": {"a": {"beam": beam}}, "joints": [joint]} | words
    )


def test_a_stiff_cantilever_has_the_moments_of_the_textbook() -> None:
    w, L, F = 3.0 * 9.81 / 2.0, 2.0, 5.0
    pushed = supple.statics(cantilever(EI=1e7), [0.0], {"a": [0.0, F, 0.0]}).along()["a"]
    assert np.allclose(pushed.moment[:, 2], F * (L - pushed.x), atol=1e-9)
    assert np.allclose(pushed.force[:, 1], F, atol=1e-9)
    heavy = supple.statics(cantilever(EI=1e7, gravity=[0, -9.81, 0]), [0.0]).along()["a"]
    assert np.allclose(heavy.moment[:, 2], -w * (L - heavy.x) ** 2 / 2.0, atol=1e-6)
    assert np.allclose(heavy.force[:, 1], -w * (L - heavy.x), atol=1e-6)


def test_a_turning_beam_is_pulled_and_a_speeding_one_is_bent() -> None:
    rho, L, omega, alpha = 1.5, 2.0, 7.0, 3.0
    q, rate, push = np.zeros((3, 5))
    rate[0], push[0] = omega, alpha
    line = supple.along(cantilever(), q, rate, push)["a"]
    assert np.allclose(line.force[:, 0], rho * omega**2 * (L**2 - line.x**2) / 2.0)
    assert np.allclose(line.force[:, 1], -rho * alpha * (L**2 - line.x**2) / 2.0)
    far = line.x
    arm_ = rho * alpha * ((L**3 - far**3) / 3.0 - far * (L**2 - far**2) / 2.0)
    assert np.allclose(line.moment[:, 2], -arm_)


def test_the_tip_carries_the_load_put_on_it() -> None:
    robot = arm("orthogonal", joint={"type": "fixed"})
    q, qd, qdd = moving(robot, 0.05)
    load = np.array([0.3, -0.5, 0.2, 4.0, -2.0, 1.0])
    found = supple.gauge(robot, q, "b.tip", 0 * qd, 0 * qdd, {"b.tip": load})
    R, weight = supple.pose(robot, q, "b.tip").R, 0.5 * robot.gravity
    assert np.allclose(found.force, R.T @ (load[3:] + weight), atol=1e-12)
    assert np.allclose(found.moment, R.T @ load[:3], atol=1e-12)
    end = supple.gauge(robot, q, "b.tip", external={"b.end": load})
    lever = supple.pose(robot, q, "b.end").p - supple.pose(robot, q, "b.tip").p
    assert np.allclose(end.moment, R.T @ (load[:3] + np.cross(lever, load[3:])), atol=1e-12)


def test_a_section_turned_by_its_chord_is_the_station_there() -> None:
    beam = {"length": 2.0, "mass": 3.0, "EI": 5.0, "modes": {"bending_y": 2, "bending_z": 1}}
    links = {"a": {"beam": beam | {"tip_angle": "chord"}, "stations": {"mid": {"x": 1.2}}}}
    robot = cantilever(links=links, elastic_kinematics="first_order")
    q, force = np.array([0.4, 0.1, 0.05, -0.1]), np.array([1.0, 2.0, -3.0])
    for where in ("a.mid", "a.tip"):
        found = supple.gauge(robot, q, where, external={"a.tip": force})
        assert np.allclose(found.force, supple.pose(robot, q, where).R.T @ force, atol=1e-12)


def test_shapes_bring_the_elastic_moment_to_that_of_equilibrium() -> None:
    """Weight and an end force on a tapered beam: few shapes miss the root's moment by far."""
    beam = {"length": 1.0, "mass_per_length": [8.0, 2.0], "EI": [500.0, 100.0]}
    gaps = []
    for shapes in (1, 2, 4, 8):
        words = {"links": {"a": {"beam": beam | {"modes": {"bending_y": shapes}}}}}
        found = supple.statics(cantilever(gravity=[0, -9.81, 0], **words), [0.3], {"a": [1, -9, 0]})
        line = found.along()["a"]
        assert abs(line.moment[0, 2] + found.torques["j"]) < 1e-10
        gaps.append(np.abs(line.elastic_moment - line.moment).max() / np.abs(line.moment).max())
    assert gaps[0] > 0.1
    assert gaps[-1] < 1e-3
    assert gaps == sorted(gaps, reverse=True)


def test_a_linearised_robot_has_sections_to_first_order() -> None:
    """Half of all shapes and rates: what is left besides the linear part is nothing."""
    robot = arm("orthogonal", "linearized")
    q, qd, qdd = moving(robot)
    parts = []
    for share in (0.0, 0.5, 1.0):
        p, v = q.copy(), qd.copy()
        for link in robot.links:
            p[link.d], v[link.e] = share * q[link.d], share * qd[link.e]
        line = supple.along(robot, p, v, qdd, LOADS, points=4)["a"]
        parts.append(np.concatenate([line.force, line.moment, line.position]))
    assert np.allclose(parts[1], 0.5 * (parts[0] + parts[2]), rtol=0, atol=1e-10)
    assert np.abs(parts[2] - parts[0]).max() > 0.1
    tip = supple.pose(robot, q, "a.tip").p
    assert np.allclose(supple.along(robot, q, points=2)["a"].position[-1], tip, atol=1e-12)
