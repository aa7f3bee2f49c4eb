"""The 4-DOF arm of [CibicikEgeland]: constants, dynamics in the undeformed shape, and its
linearised dynamics from dual screws."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import supple
from arm import ORDER, paper_beam, sections, state
from supple.bodies import Basis, Beam, beam_body
from supple.bodies.beam import quadrature
from supple.formulations import kane, projections
from supple.formulations.linear import still_sections
from supple.formulations.projection import Projection
from supple.screws import skew
from supple.screws.dual import DualArray, differentiated, slopes, wedge


def test_stiffness_and_locked_frequencies(reference: Any) -> None:
    robot, given = supple.load("cibicik-arm").replace(gravity=(0, 0, 0)), reference("cibicik_arm")
    K = np.zeros((16, 16))
    for link in robot.links:
        K[link.e, link.e] = link.body.K
    assert np.abs(K[np.ix_(ORDER, ORDER)] - given["K"]).max() < 1e-9 * np.abs(K).max()
    q = np.zeros(16)
    q[[0, 1, 8, 15]] = [0.0, np.pi / 6, 2 * np.pi / 3, np.pi / 6]
    omega = supple.frequencies(robot, q, locked=True).omega
    assert np.abs(omega / given["locked_joint_frequencies_start_pose"] - 1.0).max() < 1e-9


def test_dynamics_in_the_undeformed_shape(reference: Any) -> None:
    """With d = 0 every definition of the elastic rotation agrees."""
    robot = supple.load("cibicik-arm")
    s = reference("cibicik_arm")["states"][0]
    q, u = np.zeros(16), np.zeros(16)
    q[ORDER], u[ORDER] = s["q"], s["u"]
    assert not np.any(np.array(s["q"])[4:])
    M = supple.mass_matrix(robot, q)[np.ix_(ORDER, ORDER)]
    assert np.abs(M - s["nonlinear"]["M"]).max() < 1e-10 * np.abs(M).max()
    gravity = supple.gravity_force(robot, q)[ORDER]
    assert np.abs(gravity - s["nonlinear"]["gravity"]).max() < 1e-10 * np.abs(gravity).max()


def test_the_shipped_arm_is_that_of_the_table(reference: Any) -> None:
    robot, given = supple.load("cibicik-arm"), reference("cibicik_arm")
    for k in (2, 3):
        ours = robot.links[k - 1].body
        table = beam_body(*paper_beam(given, k), np.zeros(3), np.eye(3))
        for name in ("P", "Q", "N0", "W0", "Mdd", "c1"):
            a, b = getattr(ours, name), getattr(table, name)
            assert np.abs(a - b).max() < 1e-12 * np.abs(b).max()


def compare(robot: supple.Robot, s: Any, given: Any, order: kane.Order, dM: Any = 0.0) -> None:
    """dM: what is to be added to our M."""
    q, u = state(s)
    eq = kane.equations(robot, q, u, order)
    got = {"M": (eq.M + dM)[np.ix_(ORDER, ORDER)], "Cu": (eq.C @ u)[ORDER]}
    got["gravity"] = eq.gravity[ORDER]
    for name, value in got.items():
        assert np.abs(value - given[name]).max() < 1e-10 * (1.0 + np.abs(given[name]).max()), name


@pytest.mark.parametrize("index", [0, 1])
def test_dual_screws_give_the_papers_linearised_model(reference: Any, index: int) -> None:
    """Elastic columns Theta_k, sections' inertia fixed in the link's axes (eq. 104)."""
    given = reference("cibicik_arm")
    s = given["states"][index]
    order = kane.Order("paper", sections(given))
    compare(supple.load("cibicik-arm"), s, s["linearised"], order)
    K = kane.stiffness_matrix(supple.load("cibicik-arm"))[np.ix_(ORDER, ORDER)]
    assert np.abs(K - given["K"]).max() < 1e-9 * np.abs(K).max()


@pytest.mark.parametrize("index", [0, 1])
def test_and_the_taylor_expansion_of_its_nonlinear_model(reference: Any, index: int) -> None:
    """The paper's R = Rx Ry Rz in the columns and in the sections, which turn with it.

    One term is not in the modal body: the sections' share of the modal mass changes with d,
    which is of third order in the energy.
    """
    given = reference("cibicik_arm")
    robot, s = supple.load("cibicik-arm"), given["states"][index]
    q, _ = state(s)
    links, dM = list(robot.links), np.zeros((16, 16))
    for k in (2, 3):
        link, alone, beam = links[k - 1], sections(given)[f"link{k}"], paper_beam(given, k)
        Q, dM[link.e, link.e] = xyz_sections(*beam, q[link.d])
        links[k - 1] = replace(link, body=replace(link.body, Q=link.body.Q - alone.Q + Q))
    robot = replace(robot, links=tuple(links))
    compare(robot, s, s["consistent_taylor"], kane.Order("xyz"), dM)


def xyz_sections(beam: Beam, base: Basis, d: Any) -> tuple[Any, Any]:
    """Of sections turned by Rx Ry Rz: int rho s q_kl^T, with q_kl the second-order
    displacement, and the first-order change of the modal mass, by quadrature."""
    x, weight = quadrature(beam, 2)
    angles = base.rotation(x)  # (shape, place, axis)
    assert beam.turning is not None
    J = np.stack([j(x) * weight for j in beam.turning], axis=1)  # diagonals of (place, 3, 3)
    sigma = 0.5 * J.sum(axis=1, keepdims=True) - J
    Q = np.einsum("gp,kgi,ngj,ijqp->knpq", sigma, angles, angles, second_turns())
    theta = np.einsum("kgi,k->gi", angles, d)
    turned = np.array(
        [skew(t) @ np.diag(j) - np.diag(j) @ skew(t) for t, j in zip(theta, J, strict=True)]
    )
    half = np.einsum("kgi,gi,ngi->kn", xyz(theta, angles), J, angles)
    return Q, half + half.T + np.einsum("kgi,gij,ngj->kn", angles, turned, angles)


def second_turns() -> Any:
    """C of d2/da db (Rx Ry Rz) = a_i b_j C_ij at zero angles."""
    axes = [skew(x) for x in np.eye(3)]
    return np.array([[axes[min(i, j)] @ axes[max(i, j)] for j in range(3)] for i in range(3)])


def xyz(theta: Any, rate: Any) -> Any:
    """First order of the angular velocity of Rx Ry Rz: theta_x x cross the y part of the rate,
    theta_x x + theta_y y cross its z part."""
    x, y, z = np.eye(3)
    first = np.cross(theta * x, rate * y)
    return first + np.cross(theta * (x + y), rate * z)


def test_the_sections_of_a_loaded_robot_are_those_of_its_beams(reference: Any) -> None:
    by_hand = sections(reference("cibicik_arm"))
    for name, part in still_sections(supple.load("cibicik-arm")).items():
        for key in ("P", "Q", "N0"):
            a, b = getattr(part, key), getattr(by_hand[name], key)
            assert np.abs(a - b).max() < 1e-12 * np.abs(b).max()


def test_sections_are_what_rotary_inertia_adds_in_link_axes() -> None:
    """On a joint whose axis is not the file's z, with a beam that starts elsewhere."""
    beam = {"length": 1.0, "density": 2000.0, "E": 1e8, "rotary_inertia": True}
    beam |= {"section": {"shape": "rectangle", "width": 0.06, "height": 0.08}}
    beam |= {"start": [0.1, 0.2, -0.1], "rpy": [0.3, -0.5, 0.7]}
    beam["modes"] = {"family": "polynomial", "bending_y": 2, "bending_z": 1}
    words: Any = {"links": {"a": {"beam": beam}}, "elastic_kinematics": "first_order"}
    words["joints"] = [{"name": "j", "type": "revolute", "child": "a", "axis": [1, 2, 3]}]
    robot = supple.build(words)
    bare = supple.build({**words, "links": {"a": {"beam": {**beam, "rotary_inertia": False}}}})
    part = still_sections(robot)["a"]
    for key in ("P", "Q", "N0", "W0"):
        added = getattr(robot.links[0].body, key) - getattr(bare.links[0].body, key)
        assert np.abs(getattr(part, key) - added).max() < 1e-12 * np.abs(added).max()


def test_fixed_sections_differ_from_turning_ones_by_little(reference: Any) -> None:
    """The choice of eq. (104) moves M by 1e-6 of its size here, and gravity not at all."""
    given = reference("cibicik_arm")
    robot, (q, u) = supple.load("cibicik-arm"), state(given["states"][1])
    fixed = kane.equations(robot, q, u, kane.Order(still=sections(given)))
    turning = kane.equations(robot, q, u)
    difference = np.abs(fixed.M - turning.M).max() / np.abs(fixed.M).max()
    assert 1e-7 < difference < 1e-5
    assert np.abs((fixed.C - turning.C) @ u).max() > 1e-6
    assert np.array_equal(fixed.gravity, turning.gravity)


def test_the_truncated_mass_matrix_can_lose_its_definiteness() -> None:
    robot, q = supple.load("cibicik-arm"), np.zeros(16)
    q[[0, 1, 8, 15]] = [0.0, np.pi / 3, np.pi / 3, np.pi / 3]
    assert np.linalg.eigvalsh(kane.mass_matrix(robot, q))[0] > 0.0
    q[2] = -0.1  # torsion of link 2
    assert np.linalg.eigvalsh(kane.mass_matrix(robot, q))[0] < 0.0
    assert np.linalg.eigvalsh(supple.mass_matrix(robot, q))[0] > 0.0


def test_the_papers_tangent_stiffness_of_gravity_is_not_symmetric() -> None:
    """In the undeformed arm already; with the true angular velocity in the columns it is."""
    robot, q = supple.load("cibicik-arm"), np.zeros(16)
    q[[0, 1, 8, 15]] = [0.4, 0.5, 2.0, 0.5]

    def tangent(order: kane.Order) -> Any:
        return slopes(lambda q: kane.gravity_force(robot, q, order), q, np.eye(16))

    paper, true = tangent(kane.PAPER), tangent(kane.TAYLOR)
    assert np.abs(paper - paper.T).max() > 1.0
    assert np.abs(true - true.T).max() < 1e-12


def test_algorithm_2_as_printed(reference: Any) -> None:
    """d/dt of the dual line of joint 1 at the mass centre of link 4 by eqs. (76)-(78)."""
    robot, (q, u) = supple.load("cibicik-arm"), state(reference("cibicik_arm")["states"][1])
    P = projections(robot, q)
    c = np.array([0.124, 0.0, 0.0])
    X = {(4, k): P[3].pose.X.inverse() @ P[k - 1].pose.X for k in (2, 3, 4)}
    z = DualArray.of(np.array([0.0, 0.0, 1.0]))
    w12, w23, w34 = (X[4, k] @ (z * u[j]) for k, j in ((2, 1), (3, 8), (4, 15)))
    tip = {k: robot.links[k].mount for k in (2, 3)}  # stations 2' and 3'
    e = {2: slice(2, 8), 3: slice(9, 15)}
    w22, w33 = (X[4, k] @ DualArray.first_order(u[e[k]] @ tip[k].Theta) for k in (2, 3))
    v22, v33 = (X[4, k] @ DualArray.first_order(u[e[k]] @ tip[k].S) for k in (2, 3))
    p22, p33 = (-(X[4, k] @ DualArray(tip[k].r0, q[e[k]] @ tip[k].S)) for k in (2, 3))
    w41 = -w12 - w22 - w23 - w33 - w34
    w31, w21 = -w12 - w22 - w23, -w12
    v = wedge(w41) @ (-c) + wedge(w31) @ p33 + wedge(w21) @ p22 + v33 + v22
    L = at_mass_centre(P[3], c)
    t = DualArray(np.concatenate([-w41.r, v.r]), np.concatenate([-w41.d, v.d]))
    rate = differentiated(t, L)
    ours = at_mass_centre(P[3], c, kane.jacobian_rate(robot, 3, P[3].jacobian, u))
    assert np.abs(rate.matrix() - ours.matrix()).max() < 1e-12


def at_mass_centre(P: Projection, c: Any, columns: DualArray | None = None) -> DualArray:
    """Joint 1's column, moved to the point c of link 4."""
    s = (P.jacobian if columns is None else columns)[:6, 0]
    shift = wedge(s[:3]) @ c
    return DualArray(
        np.concatenate([s.r[:3], s.r[3:] + shift.r]), np.concatenate([s.d[:3], s.d[3:] + shift.d])
    )
