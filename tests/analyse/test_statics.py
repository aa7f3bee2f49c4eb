"""Robots at rest: equilibrium, the tangent, curves along links, and the way back."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import supple
from supple.tracer import quickly

pytestmark = pytest.mark.filterwarnings("ignore::supple.errors.SuppleWarning")  # it bends by 22 deg


def arm(**words: Any) -> supple.Robot:
    beam = {"length": 1.0, "mass": 1.5, "EI": 60.0, "GJ": 40.0, "polar_inertia": 0.01}
    beam["modes"] = {"bending_y": 2, "bending_z": 2, "torsion": 1}
    gauge = {"x": 0.2, "offset": [0, 0.01, -0.02]}
    return supple.build(
        {
            "gravity": [0, 0, -9.81],
            "links": {
                "a": {"beam": beam, "stations": {"gauge": gauge}},
                "b": {"beam": beam, "payload": {"mass": 0.5, "com": [0.1, 0.1, 0]}},
            },
            "joints": [
                {"name": "one", "type": "revolute", "child": "a", "axis": [0, 1, 0]},
                {"name": "two", "type": "revolute", "parent": "a", "child": "b", "stiffness": 3.0},
            ],
            **words,
        }
    )


LOAD = {"b.tip": [0.3, -0.2, 0.4, 1.0, 2.0, -3.0], "a.gauge": [0.5, 0.0, 1.0]}


def test_at_rest_nothing_is_left_for_the_shapes() -> None:
    robot = arm()
    found = supple.statics(robot, [0.3, -0.6], LOAD)
    still = np.zeros(robot.nv)
    wrench = {"b.tip": LOAD["b.tip"], "a.gauge": [0, 0, 0, *LOAD["a.gauge"]]}
    tau = supple.inverse_dynamics(robot, found.q, still, still, external=wrench)
    assert np.abs(tau[list(robot.mode_indices)]).max() < 1e-10
    assert np.allclose([found.torques["one"], found.torques["two"]], tau[[0, 6]])
    assert np.abs(supple.forward_dynamics(robot, found.q, still, found.tau, wrench)).max() < 1e-6
    assert found.stable


def test_forces_have_a_potential_and_so_a_symmetric_tangent() -> None:
    """Moments about fixed axes have none: their tangent is not symmetric in space."""
    pushed = supple.statics(arm(), [0.3, -0.6], {"b.tip": [1.0, 2.0, -3.0]}).stiffness
    assert np.allclose(pushed, pushed.T, atol=1e-9 * np.abs(pushed).max())
    turned = supple.statics(arm(), [0.3, -0.6], {"b.tip": [1.0, 2.0, -3.0, 0, 0, 0]}).stiffness
    assert not np.allclose(turned, turned.T, atol=1e-6 * np.abs(turned).max())


def test_the_tangent_is_the_difference_quotient() -> None:
    from supple.analyse.statics import Equilibrium

    robot = arm()
    found = supple.statics(robot, [0.3, -0.6], LOAD)
    at, modes = Equilibrium(robot, found.wrench), list(robot.mode_indices)
    for column, k in enumerate(modes):
        step = 1e-6 * np.eye(robot.nv)[k]
        quotient = (at.force(found.q + step) - at.force(found.q - step))[modes] / 2e-6
        assert np.abs(quotient - found.stiffness[:, column]).max() < 1e-5
    native = Equilibrium(supple.load("piedboeuf-arm"), {})
    q = np.array([0.4, 0.1, -0.05, 0.02, 0.01, 0.0])
    step = 1e-6 * np.eye(6)
    quotient = [(native.force(q + e) - native.force(q - e)) / 2e-6 for e in step]
    assert np.abs(np.array(quotient).T - native.slope(q, list(range(6)))).max() < 1e-6


def test_moments_along_a_link_balance_the_loads_beyond() -> None:
    """EI kappa at x against the moment of gravity and end force on the deformed beam."""
    beam = {"length": 1.0, "mass": 1.5, "EI": 60.0, "modes": {"bending_y": 8}}
    robot = supple.build(
        {
            "gravity": [0, -9.81, 0],
            "links": {"a": {"beam": beam}},
            "joints": [{"name": "hub", "type": "revolute", "child": "a"}],
        }
    )
    found = supple.statics(robot, [0.4], {"a.tip": [3.0, -4.0, 0.0]})
    line = found.along(81)["a"]
    p, weight = line.position, np.array([0.0, -9.81 * 1.5 / 80, 0.0])
    for i in (0, 20, 60):
        arms, share = p[i:] - p[i], np.full(81 - i, 1.0)
        share[0] = share[-1] = 0.5
        moment = np.cross(p[-1] - p[i], [3.0, -4.0, 0.0])[2]
        moment += (np.cross(arms, weight)[:, 2] * share).sum()
        assert abs(line.moment[i, 2] - moment) < 5e-3 * abs(line.moment[0, 2])
    assert abs(line.moment[0, 2] + found.torques["hub"]) < 2e-3 * abs(found.torques["hub"])
    lengths = np.linalg.norm(np.diff(p, axis=0), axis=1).sum()
    assert abs(lengths - 1.0) < 1e-3  # the axis keeps its length


def test_a_gauge_reads_the_strain_of_its_fibre() -> None:
    robot = arm()
    found = supple.statics(robot, [0.3, -0.6], LOAD)
    gauge = supple.gauge(robot, found.q, "a.gauge")
    near = supple.along(robot, found.q, points=6)["a"]
    assert gauge.x == 0.2
    assert np.allclose(near.curvature[1], gauge.curvature)
    assert np.isclose(gauge.strain, -0.01 * gauge.curvature[2] - 0.02 * gauge.curvature[1])


def test_the_way_back_finds_the_joints() -> None:
    robot = arm()
    there = supple.statics(robot, [0.3, -0.6], LOAD).position("b.tip")
    with quickly():
        found = supple.reach(robot, {"b.tip": there}, LOAD, start=[0.2, -0.4])
        free = supple.reach(robot, {"b.tip": (None, None, there[2])}, LOAD, start=[0.2, -0.4])
    assert np.abs(found.position("b.tip") - there).max() < 1e-10
    assert np.allclose(found.q[[0, 6]], [0.3, -0.6], atol=1e-8)
    assert abs(free.position("b.tip")[2] - there[2]) < 1e-10


def test_stiff_links_ask_for_the_rigid_torques() -> None:
    robot = arm()
    words = copy.deepcopy(robot.spec)
    for link in words["links"].values():
        link["beam"] = link["beam"] | {"EI": 6e9, "GJ": 4e9}
    stiff, rigid = supple.build(words), robot.replace(elastic_kinematics="rigid")
    a, b = (supple.statics(r, {"one": 0.3, "two": -0.6}, LOAD).torques for r in (stiff, rigid))
    assert np.allclose(list(a.values()), list(b.values()), rtol=1e-6)


@pytest.mark.parametrize(
    ("joints", "load", "message"),
    [
        ([0.1], None, "expected (2,)"),
        ({"oen": 0.1}, None, "Did you mean one"),
        (None, {"b.tpi": [0, 0, 1]}, "Did you mean tip"),
        (None, {"b.tip": [0, 0]}, "give a force"),
        (None, {"b.tip": [0, 0, np.nan]}, "must be finite"),
    ],
)
def test_bad_input_and_impossible_loads_are_told(joints: Any, load: Any, message: str) -> None:
    with pytest.raises(supple.SuppleError, match=message.replace("(", r"\(").replace(")", r"\)")):
        supple.statics(arm(), joints, load)


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ({}, "needs a target"),
        ({"b.tip": (1.0, 2.0)}, "three numbers"),
        ({"b.tip": (None, None, None)}, "three numbers"),
        ({"b.tip": (9.0, 0.0, 0.0)}, "out of reach"),
    ],
)
def test_bad_targets_are_told(target: Any, message: str) -> None:
    with quickly(), pytest.raises(supple.SuppleError, match=message):
        supple.reach(arm(), target)


def test_the_way_back_is_found_from_afar() -> None:
    """A straight arm cannot begin to draw back along its axis; other starts lead there."""
    links = {
        name: {"beam": {"length": 1.0, "mass": 0.3, "EI": 200.0, "modes": {"bending_y": 2}}}
        for name in ("a", "b", "c")
    }
    joints = [
        {"name": f"j{name}", "type": "revolute", "parent": parent, "child": name}
        for parent, name in zip(("world", "a", "b"), links, strict=True)
    ]
    robot = supple.build({"gravity": [0, 0, 0], "links": links, "joints": joints})
    for place in ((1.5, 0.0), (0.2, 0.0), (-2.5, 0.0)):
        found = supple.reach(robot, {"c": (*place, None)})
        assert np.abs(found.position("c")[:2] - place).max() < 1e-9
    with pytest.raises(supple.SuppleError, match=r"of 12 starts the best ends 1(\.0\d*)? m away"):
        supple.reach(robot, {"c": (4.0, 0.0, None)})


@pytest.mark.parametrize("kinematics", ["second_order", "first_order"])
def test_a_turned_beam_is_deflected_in_its_own_axes(kinematics: str) -> None:
    """v = d phi(x) in the plane of the beam, whatever the link's axes and the joint's."""
    beam = {"length": 0.8, "mass": 1.0, "EI": 5.0, "start": [0.1, 0.3, -0.2], "rpy": [0.5, -0.4, 1]}
    modes = {"family": "polynomial", "bending_y": 1, "bending_z": 1}
    robot = supple.build(
        {
            "elastic_kinematics": kinematics,
            "links": {"a": {"beam": beam | {"modes": modes}}},
            "joints": [{"name": "j", "type": "revolute", "child": "a", "axis": [1, 2, 3]}],
        }
    )
    q = np.array([0.7, 0.02, -0.03])
    line = supple.along(robot, q, points=5)["a"]
    assert np.allclose(line.deflection[:, 1], 0.02 * line.x**2, atol=1e-12)
    assert np.allclose(line.deflection[:, 2], -0.03 * line.x**2, atol=1e-12)
    short = -0.5 * (0.04**2 + 0.06**2) * line.x**3 / 3.0  # -1/2 int v'^2 + w'^2
    assert np.allclose(line.deflection[:, 0], short * (kinematics == "second_order"), atol=1e-12)
    ends = [supple.pose(robot, q, f"a.{end}").p for end in ("root", "tip")]
    assert np.allclose(line.position[[0, -1]], ends, atol=1e-12)


def test_a_gauge_feels_the_pull() -> None:
    """u' = F / EA everywhere; bending by the weight of nothing."""
    beam = {"length": 2.0, "mass": 1.0, "EI": 7.0, "EA": 50.0}
    beam["modes"] = {"bending_y": 2, "axial": 2}
    link = {"beam": beam, "stations": {"gauge": {"x": 0.6, "offset": [0, 0.1, 0]}}}
    joints = [{"name": "j", "type": "fixed", "child": "a"}]
    robot = supple.build({"gravity": [0, 0, 0], "links": {"a": link}, "joints": joints})
    gauge = supple.statics(robot, [], {"a": [2.0, 0, 0]}).gauge("a.gauge")
    assert gauge.strain == pytest.approx(2.0 / 50.0, rel=1e-9)
    assert gauge.force[0] == pytest.approx(2.0, rel=1e-9)
    turned = supple.statics(robot, [], {"a": [0, 0, 0.3, 2.0, 0, 0]}).gauge("a.gauge")
    assert turned.strain == pytest.approx(2.0 / 50.0 - 0.1 * turned.curvature[2], rel=1e-9)
    assert turned.curvature[2] > 0.01


def test_torques_work_on_shapes_that_turn_the_root() -> None:
    """At rest the joint torques alone hold a pinned beam: nothing accelerates."""
    beam = {"length": 1.0, "mass": 1.0, "EI": 30.0}
    beam["modes"] = {"bending_y": 3, "family": "finite_elements", "root": "pinned"}
    joints = [{"name": "j", "type": "revolute", "child": "a"}]
    hub = {"mass": 0.5, "inertia": 0.2}
    links = {"a": {"beam": beam, "hub": hub}}
    robot = supple.build({"gravity": [0, -9.81, 0], "links": links, "joints": joints})
    found = supple.statics(robot, [0.3])
    torque = [found.torques["j"]]
    still = supple.forward_dynamics(robot, found.q, np.zeros(robot.nv), torque)
    assert np.abs(still).max() < 1e-8
    assert np.allclose(found.tau, robot.input_matrix @ torque, atol=1e-9)
    assert np.abs(found.tau[1:]).max() > 1.0
