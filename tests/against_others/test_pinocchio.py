"""Rigid trees against Pinocchio: every joint kind, floating base included."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import supple
from agree import assert_near
from trees import TREES, states

if sys.platform == "win32":
    pytest.skip("Pinocchio has no wheels for Windows", allow_module_level=True)
import pinocchio as pin

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
