"""Robots at rest: equilibrium, the tangent, curves along links, and the way back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import supple


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
    found = supple.reach(robot, {"b.tip": there}, LOAD, start=[0.2, -0.4])
    assert np.abs(found.position("b.tip") - there).max() < 1e-10
    assert np.allclose(found.q[[0, 6]], [0.3, -0.6], atol=1e-8)
    free = supple.reach(robot, {"b.tip": (None, None, there[2])}, LOAD, start=[0.2, -0.4])
    assert abs(free.position("b.tip")[2] - there[2]) < 1e-10


def test_stiff_links_ask_for_the_rigid_torques() -> None:
    robot = arm()
    words = dict(robot.spec or {})
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
    with pytest.raises(supple.SuppleError, match=message):
        supple.reach(arm(), target)
