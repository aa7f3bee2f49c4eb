"""Rigid trees against Pinocchio: every joint kind, floating base included."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import supple
from agree import assert_near
from supple.tracer import quickly
from trees import TREES, random_state, states

pin = pytest.importorskip("pinocchio", reason="Pinocchio has no wheel for this machine")

pytestmark = pytest.mark.slow
KINDS = ("revolute", "revolute_axis", "prismatic", "spherical", "fixed")


def model_of(robot: supple.Robot) -> tuple[Any, list[int]]:
    """The same tree built from our links' constants alone."""
    model, ids, places = pin.Model(), [], []
    kinds = {
        "revolute": pin.JointModelRZ,
        "prismatic": pin.JointModelPZ,
        "spherical": pin.JointModelSpherical,
        "floating": pin.JointModelFreeFlyer,
    }
    for i, link in enumerate(robot.links):
        mount = pin.SE3(link.mount.R0, link.mount.r0 + link.mount.rho)
        above = places[link.parent] if link.parent >= 0 else pin.SE3.Identity()
        base = ids[link.parent] if link.parent >= 0 else 0
        if link.joint.kind == "fixed":
            joint, place = base, above * mount
        else:
            kind = kinds[link.joint.kind]()
            joint, place = model.addJoint(base, kind, above * mount, f"j{i}"), pin.SE3.Identity()
        body = link.body
        c = body.c0 / body.mass
        W = body.W0 - body.mass * np.outer(c, c)
        inertia = pin.Inertia(body.mass, c, np.trace(W) * np.eye(3) - W)
        model.appendBodyToJoint(joint, inertia, place)
        ids.append(joint)
        places.append(place)
    model.gravity.linear = robot.gravity
    return model, ids


def to_pinocchio(robot: supple.Robot, q: Any, qd: Any) -> tuple[Any, Any, Any]:
    """Their order: position, quaternion (x, y, z, w); linear before angular velocity."""
    configuration: list[float] = []
    rows: list[int] = []
    for link in robot.links:
        part = list(q[link.q])
        u = list(range(link.u.start, link.u.stop))
        if link.joint.kind == "spherical":
            part = part[1:] + part[:1]
        if link.joint.kind == "floating":
            part, u = part[4:] + part[1:4] + part[:1], u[3:] + u[:3]
        configuration += part
        rows += u
    return np.array(configuration), qd[rows], rows


@settings(max_examples=TREES)
@given(states(joints=KINDS, bodies=("rigid",)))
def test_rigid_trees_agree_with_pinocchio(case: Any) -> None:
    robot, q, qd, qdd = case
    model, ids = model_of(robot)
    data = model.createData()
    x, v, rows = to_pinocchio(robot, q, qd)
    order = np.argsort(rows)
    # their joints follow ours, so only floating rates change places
    rotor = np.zeros(robot.nv)
    for link in robot.links:
        rotor[link.u] = link.drive.rotor_inertia
    tau = pin.rnea(model, data, x, v, qdd[rows])[order]
    ours = supple.inverse_dynamics(robot, q, qd, qdd) - supple.passive_force(robot, q, qd)
    assert np.abs(ours - rotor * qdd - tau).max(initial=0.0) < 1e-10 * (
        1.0 + np.abs(tau).max(initial=0.0)
    )
    # column by column: crba needs joints in depth-first order, ours come in file order
    still = np.zeros(robot.nv)
    rest = pin.rnea(model, data, x, still, still)
    columns = [pin.rnea(model, data, x, still, unit[rows]) - rest for unit in np.eye(robot.nv)]
    M = np.array(columns).reshape(robot.nv, robot.nv)[:, order]
    assert np.abs(supple.mass_matrix(robot, q) - np.diag(rotor) - M).max(initial=0.0) < 1e-11 * (
        1.0 + np.abs(M).max(initial=0.0)
    )
    if 0 not in ids:  # they leave out what is fixed to the world
        h, c = pin.computeCentroidalMomentum(model, data, x, v), data.com[0]
        world = np.concatenate([h.angular + np.cross(c, h.linear), h.linear])
        assert_near(supple.momentum(robot, q, qd), world, 1e-11)
        assert_near(supple.centre_of_mass(robot, q), c, 1e-11)


def test_derivatives_along_the_tangent_agree_with_pinocchio() -> None:
    """A free-flying base with two arms, one on a ball joint: their derivatives are along rates in
    link axes too, quaternions moved by them."""
    rng = np.random.default_rng(5)

    def link() -> dict[str, Any]:
        lump = {"mass": rng.uniform(0.5, 2), "com": rng.uniform(-0.2, 0.2, 3).tolist()}
        return {"rigid": lump | {"inertia": rng.uniform(0.1, 0.15, 3).tolist(), "tip": [0.4, 0, 0]}}

    joints: list[dict[str, Any]] = [{"type": "floating", "child": "a"}]
    for child, parent, kind in (("b", "a", "revolute"), ("c", "b", "prismatic")):
        joints.append({"type": kind, "child": child, "parent": parent})
    joints += [{"type": "spherical", "child": "d", "parent": "a"}]
    origin = {"xyz": [0.1, 0.2, 0.0], "rpy": [0.4, 0.5, 0.6]}
    joints = [joint | {"origin": origin} for joint in joints]
    words = {"links": {name: link() for name in "abcd"}, "joints": joints, "gravity": [1, 2, -9]}
    robot = supple.build(words)
    q, qd, x = random_state(robot, rng)
    model, _ = model_of(robot)
    data = model.createData()
    at, v, rows = to_pinocchio(robot, q, qd)
    order = np.argsort(rows)
    pick = np.ix_(order, order)
    for what, theirs in (
        ("inverse_dynamics", pin.computeRNEADerivatives),
        ("forward_dynamics", pin.computeABADerivatives),
    ):
        with quickly():
            f = supple.compile(robot, what)
            slope = f.jacobian(*f.arguments, tangent=True)
        n = robot.nv
        assert [*slope.results.values()] == [(n, 3 * n)]
        parts = np.split(slope(q, qd, x), 3, axis=1)
        for ours, part in zip(parts, theirs(model, data, at, v, x[rows]), strict=True):
            full = np.triu(part) + np.triu(part, 1).T if ours is parts[2] else part
            assert_near(ours, np.asarray(full)[pick], 1e-10)
