"""Rigid closed trees against Pinocchio's constrained dynamics: fixed and spherical cuts."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

import supple
from loops.mechanisms import random_closed
from supple.recursion.sweep import ancestry

if sys.platform == "win32":
    pytest.skip("Pinocchio has no wheels for Windows", allow_module_level=True)
pin = pytest.importorskip("pinocchio")
from against_others.test_pinocchio import model_of, to_pinocchio  # noqa: E402

pytestmark = pytest.mark.slow


def contact(model: Any, robot: Any, ids: list[int], loop: Any) -> Any:
    """The cut as a contact of Pinocchio, its two placements on the joints that carry them."""
    kind = {"fixed": pin.ContactType.CONTACT_6D, "spherical": pin.ContactType.CONTACT_3D}
    sides: list[Any] = []
    for i, station in (loop.first, loop.second):
        place = pin.SE3(station.R0, station.r0 + station.rho)
        sides += [ids[i] if i >= 0 else 0, place]
    return pin.RigidConstraintModel(kind[loop.joint.kind], model, *sides, pin.ReferenceFrame.LOCAL)


def depth_first(parents: tuple[int, ...]) -> bool:
    """Whether every link's parent is the link before it, or one that this one hangs on."""
    return all(p in (-1, *ancestry(parents, i - 1)) for i, p in enumerate(parents))


@pytest.mark.parametrize("index", range(60))
def test_closed_trees_agree_with_pinocchio(index: int) -> None:
    case = random_closed(index, ("rigid",), cuts=("spherical", "fixed"))
    if case is None or not depth_first(case[0].parents):
        return
    robot, q, qd, _ = case
    model, ids = model_of(robot)
    for link in robot.links:
        model.armature[link.u] = link.drive.rotor_inertia
    contacts, datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    for loop in robot.loops:
        contacts.append(contact(model, robot, ids, loop))
        datas.append(contacts[-1].createData())
    data = model.createData()
    x, v, rows = to_pinocchio(robot, q, qd)
    tau = np.random.default_rng(index).normal(size=robot.nv)
    force = tau - supple.passive_force(robot, q, qd)
    pin.initConstraintDynamics(model, data, contacts, datas)
    settings = pin.ProximalSettings(1e-13, 1e-10, 50)  # redundant rows: by proximal steps
    theirs = pin.constraintDynamics(model, data, x, v, force[rows], contacts, datas, settings)
    ours = supple.forward_dynamics(robot, q, qd, tau)
    assert np.abs(ours[rows] - theirs).max() < 1e-7 * (1.0 + np.abs(theirs).max())
