"""Robots made of bodies by hand: all that is computed needs no words of a model file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import supple
from supple.bodies import (
    Beam,
    BeamLine,
    Body,
    FieldShapes,
    MassProperties,
    Profile,
    RigidPart,
    Station,
    basis,
    beam_body,
    rigid_body,
    with_part,
)
from supple.cli.robots import robot_facts
from supple.engine.fingerprint import fingerprint
from supple.joints import Drive, Revolute
from supple.modes import family
from supple.robot import Link, MotionFormulas, Robot, place_coordinates, without_shapes

POINT = np.zeros(3)
HUB = MassProperties(0.0, POINT, 0.3 * np.eye(3))
WORLD = Station(POINT, np.zeros((0, 3)), np.zeros((0, 3)))
BEAM = {"length": 1.2, "mass": 1.8, "EI": 500.0, "modes": {"bending_y": 2}}
M, L, K = 0.7, 0.9, 40.0  # a point mass at L that a spring holds sideways


def beam_by_hand() -> Body:
    """A beam with a line of its own, a hub, and a point mass on its tip."""
    beam = Beam(1.2, Profile.constant(1.8 / 1.2), {"bending_y": Profile.constant(500.0)})
    base = basis(beam, (FieldShapes("bending_y", 2, family("orthogonal")),))
    body = beam_body(beam, base, POINT, np.eye(3), second=True)
    body = replace(body, line=BeamLine(beam, base, POINT, np.eye(3), True, {}))
    payload = MassProperties(0.4, POINT, np.zeros((3, 3)))
    return with_part(with_part(body, RigidPart("hub", HUB)), RigidPart("payload", payload, "tip"))


def point_on_a_spring() -> Body:
    """A body of which the moments alone are known, as if another program had made them."""
    X, S = np.array([L, 0.0, 0.0]), np.array([[0.0, 1.0, 0.0]])
    empty = rigid_body((HUB,), {"origin": replace(WORLD, S=0 * S, Theta=0 * S)})
    return Body(
        mass=M,
        c0=M * X,
        c1=M * S,
        c2=np.zeros((1, 1, 3)),
        W0=empty.W0 + M * np.outer(X, X),
        N0=M * np.einsum("i,kj->kij", X, S),
        P=M * np.einsum("li,kj->lkij", S, S),
        Q=np.zeros((1, 1, 3, 3)),
        Mdd=M * S @ S.T,
        K=np.array([[K]]),
        D=np.array([[0.5]]),
        stations={"tip": Station(X, S, 0 * S)},
        shape_names=("sway1",),
    )


def robot_of(*bodies: Body, kinematics: str = "second_order") -> Robot:
    """A chain of turning links, each on the tip of the one before."""
    links: list[Link] = []
    for i, body in enumerate(bodies):
        mount = bodies[i - 1].stations["tip"] if i else WORLD
        links.append(Link(f"l{i}", i - 1, mount, f"j{i}", Revolute(), Drive(), body))
    gravity = np.array([0.0, -9.81, 0.0])
    motions = {"swing": MotionFormulas(0.3, {"j0": "0.1*t**2"})}
    made = place_coordinates(links)
    return Robot("by hand", made, gravity, kinematics, motions=motions, units="SI")


def twin() -> Robot:
    """The beam again, from words."""
    link = {"beam": BEAM, "hub": {"inertia": 0.3}, "payload": {"mass": 0.4}}
    joint = {"name": "j0", "type": "revolute", "child": "l0"}
    return supple.build({"gravity": [0, -9.81, 0], "links": {"l0": link}, "joints": [joint]})


def test_a_beam_by_hand_is_the_beam_of_the_words() -> None:
    ours, theirs = robot_of(beam_by_hand()), twin()
    q, u, a = np.random.default_rng(2).normal(size=(3, 3)) * [[0.1], [1.0], [1.0]]
    tau = supple.inverse_dynamics(theirs, q, u, a)
    assert np.allclose(supple.inverse_dynamics(ours, q, u, a), tau, rtol=1e-12)
    assert np.allclose(supple.forward_dynamics(ours, q, u, tau), a, rtol=1e-9)
    assert np.allclose(supple.statics(ours, [0.3]).q, supple.statics(theirs, [0.3]).q, rtol=1e-9)
    ours_along, theirs_along = (
        supple.along(r, q)[name] for r, name in ((ours, "l0"), (theirs, "l0"))
    )
    assert np.allclose(ours_along.moment, theirs_along.moment, rtol=1e-9)


def test_its_equations_have_the_names_of_its_parts() -> None:
    ours, theirs = supple.equations(robot_of(beam_by_hand())), supple.equations(twin())
    assert ours.M == theirs.M
    assert ours.G == theirs.G
    assert ours.tip_angle == theirs.tip_angle == "slope"
    values = [{p.name: p.value for p in e.parameters} for e in (ours, theirs)]
    assert values[0] == pytest.approx(values[1])
    assert {"m1", "L1", "EIz1", "mp1", "Ihzz1"} <= set(values[0])


def test_a_body_without_a_line_obeys_its_closed_form() -> None:
    """tau = (J + m L^2 + m d^2) a + m L d'' + 2 m d d' w
    0 = m d'' + m L a - m d w^2 + c d' + k d"""
    robot = replace(robot_of(point_on_a_spring(), kinematics="first_order"), gravity=np.zeros(3))
    (_, d), (w, v), (a, dd) = q, u, qdd = np.random.default_rng(4).normal(size=(3, 2))
    moment = (0.3 + M * L**2 + M * d**2) * a + M * L * dd + 2 * M * d * v * w
    sway = M * dd + M * L * a - M * d * w**2 + 0.5 * v + K * d
    tau = supple.inverse_dynamics(robot, q, u, qdd)
    assert np.allclose(tau, [moment, sway], rtol=1e-12)
    assert np.allclose(supple.forward_dynamics(robot, q, u, tau), qdd, rtol=1e-10)
    assert np.allclose(supple.compile(robot, "inverse_dynamics")(q, u, qdd), tau, rtol=1e-12)


def test_a_body_without_a_line_sways_under_its_weight() -> None:
    robot = robot_of(point_on_a_spring(), kinematics="first_order")
    found = supple.statics(robot, [0.0])
    assert found.shapes == pytest.approx({"l0.sway1": -M * 9.81 / K})
    free = supple.frequencies(replace(robot, gravity=np.zeros(3)), locked=True)
    assert free.omega == pytest.approx([np.sqrt(K / M)])
    assert supple.along(robot, found.q) == {}


def test_its_equations_have_its_moments_as_constants() -> None:
    equations = supple.equations(robot_of(point_on_a_spring(), kinematics="first_order"))
    q, values = np.array([0.3, 0.1]), {p.name: p.value for p in equations.parameters}
    M_found = np.array(equations.M.subs(dict(zip(equations.q, q, strict=True)) | values), float)
    assert np.allclose(M_found, [[0.3 + M * (L**2 + q[1] ** 2), M * L], [M * L, M]], rtol=1e-12)


@pytest.mark.parametrize("body", [beam_by_hand, point_on_a_spring])
def test_robots_by_hand_are_simulated_and_shown(body: Callable[[], Body]) -> None:
    robot = robot_of(body())
    run = supple.simulate(robot, motion="swing", duration=0.3, samples=11)
    assert run.energy_error < 1e-6
    assert np.allclose(run["q"][0], 0.0)
    facts = robot_facts(robot)
    assert facts["links"][0]["modes"] == list(robot.links[0].body.shape_names)
    assert facts["mass"] == pytest.approx(robot.mass)


def test_both_kinds_hang_on_each_other() -> None:
    robot = robot_of(beam_by_hand(), point_on_a_spring())
    q, u, a = 0.1 * np.random.default_rng(5).normal(size=(3, robot.nv))
    tau = supple.inverse_dynamics(robot, q, u, a)
    assert np.allclose(supple.forward_dynamics(robot, q, u, tau), a, rtol=1e-8)
    assert np.allclose(supple.mass_matrix(robot, q) @ a, tau - supple.bias_force(robot, q, u))


def test_what_needs_words_says_so() -> None:
    robot = robot_of(beam_by_hand())
    with pytest.raises(supple.InputError, match="not built from a model; it cannot be changed"):
        robot.replace(gravity=(0, 0, 0))
    with pytest.raises(supple.InputError, match="its tip angle cannot change"):
        supple.equations(robot, tip_angle="chord")
    with pytest.raises(supple.InputError, match="it has no parameters"):
        robot.with_parameters({"gravity.2": 1.0})


def test_a_robot_without_shapes_is_the_rigid_robot() -> None:
    for name in ("canadarm-spatial", "lin-lewis-rfr", "piedboeuf-arm"):
        robot = supple.load(name)
        ours, theirs = without_shapes(robot), robot.replace(elastic_kinematics="rigid")
        q, u, a = np.random.default_rng(6).normal(size=(3, theirs.nv))
        tau = supple.inverse_dynamics(theirs, q, u, a)
        assert np.allclose(supple.inverse_dynamics(ours, q, u, a), tau, rtol=1e-11)


def test_what_a_robot_remembers_does_not_rename_its_code() -> None:
    robot = twin()
    link = robot.links[0]
    bare = replace(link, body=replace(link.body, line=None, parts=()))
    words = {"units": "mm", "description": "x", "source": "y", "notes": ("z",), "spec": None}
    other = replace(robot, links=(bare,), motions={"a": MotionFormulas(1.0, {})}, **words)
    assert fingerprint(other) == fingerprint(robot)
    assert [part.kind for part in link.body.parts] == ["hub", "payload"]
