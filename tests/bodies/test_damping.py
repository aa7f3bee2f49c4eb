"""Damping and tip angles of a beam against what their words say."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import supple
from supple.recursion import damping_matrix, shape_stiffness, stiffness_matrix


def clamped(**beam: Any) -> Any:
    words = {"length": 1.3, "mass": 2.0, "EI": 40.0, "modes": {"bending_y": 3}} | beam
    joint = {"type": "revolute", "child": "a"}
    return supple.build({"gravity": [0, 0, 0], "links": {"a": {"beam": words}}, "joints": [joint]})


def decay(robot: Any) -> tuple[Any, Any]:
    """Natural frequencies of the clamped link, and the real parts of its roots."""
    body = robot.links[0].body
    inverse, none = np.linalg.inv(body.Mdd), np.zeros((3, 3))
    A = np.block([[none, np.eye(3)], [-inverse @ body.K, -inverse @ body.D]])
    roots = np.linalg.eigvals(A)
    roots = roots[roots.imag > 0]
    roots = roots[np.argsort(np.abs(roots))]
    omega = np.sqrt(np.sort(np.linalg.eigvals(inverse @ body.K).real))
    return omega, roots.real


@pytest.mark.parametrize("family", ["orthogonal", "polynomial", "clamped_free"])
def test_a_ratio_damps_every_mode_of_the_clamped_link_alike(family: str) -> None:
    modes = {"bending_y": 3, "family": family}
    omega, real = decay(clamped(modes=modes, damping={"ratio": 0.03}))
    assert np.allclose(real, -0.03 * omega, rtol=1e-8)


def test_rayleigh_damping_is_a_mass_and_b_stiffness() -> None:
    omega, real = decay(clamped(damping={"rayleigh": [0.4, 2e-4]}))
    assert np.allclose(real, -(0.4 + 2e-4 * omega**2) / 2, rtol=1e-8)


@pytest.mark.parametrize("field", ["bending_y", "bending_z"])
def test_the_chord_angle_points_from_root_to_tip(field: str) -> None:
    robot = clamped(modes={field: 1}, tip_angle="chord")
    d = 1e-5
    tip = supple.pose(robot, [0.0, d], "a.tip")
    assert abs(tip.p[1 if field == "bending_y" else 2]) == pytest.approx(d, rel=1e-6)
    assert np.allclose(tip.R[:, 0], tip.p / np.linalg.norm(tip.p), atol=1e-9)


def test_the_matrices_of_a_robot_give_the_forces_of_its_shapes() -> None:
    words: Any = copy.deepcopy(dict(supple.load("canadarm-spatial").spec or {}))
    for link in words["links"].values():
        if "beam" in link:
            link["beam"]["damping"] = {"rayleigh": [0.3, 0.02]}
    robot = supple.build(words | {"joints": [without_drive(joint) for joint in words["joints"]]})
    q, qd = np.random.default_rng(8).normal(size=(2, robot.nv))
    force = stiffness_matrix(robot) @ q + damping_matrix(robot) @ qd
    assert np.any(damping_matrix(robot))
    assert np.allclose(supple.passive_force(robot, q, qd), force, rtol=1e-12)
    free = robot.mode_indices
    assert np.array_equal(shape_stiffness(robot), stiffness_matrix(robot)[np.ix_(free, free)])


def without_drive(joint: dict[str, Any]) -> dict[str, Any]:
    kept = ("type", "child", "parent", "name", "at", "axis", "origin")
    return {key: value for key, value in joint.items() if key in kept}
