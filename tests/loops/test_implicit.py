"""Springs and dampers absorbed into the sweeps, against the dense equations."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import block_diag, null_space

import supple
from loops.mechanisms import four_bar
from supple import recursion
from supple.loops import closure_jacobian
from supple.loops.dynamics import answer_to_force
from supple.loops.implicit import absorbed_step


def arm() -> supple.Robot:
    """A sprung joint, one without spring or damper, a damped one; the last two links bend."""
    words = {"length": 0.6, "mass": 0.5, "EI": 20.0, "damping": {"ratio": 0.05}}
    beam = {"beam": words | {"modes": {"bending_y": 2, "bending_z": 1}}}
    hub = {"rigid": {"mass": 1.0, "inertia": 0.1, "length": 0.3}}
    joints = [
        {"name": "a", "type": "revolute", "child": "hub", "stiffness": 30.0, "damping": 0.7},
        {"name": "b", "type": "revolute", "parent": "hub", "child": "one"},
        {"name": "c", "type": "revolute", "parent": "one", "child": "two", "damping": 0.4},
    ]
    return supple.build({"links": {"hub": hub, "one": beam, "two": beam}, "joints": joints})


@pytest.mark.parametrize("s", [1e-3, 0.05])
def test_an_absorbed_step_solves_the_dense_equations(s: float) -> None:
    """(1/s - A) u = r with dv/dt = -M^-1 (K q + D v), dq/dt = v of what has springs or dampers."""
    robot, rng = arm(), np.random.default_rng(5)
    n = robot.nv
    q, v = robot.neutral() + 0.05 * rng.normal(size=n), rng.normal(size=n)
    K, D = np.zeros((n, n)), np.zeros((n, n))
    for link in robot.links:
        K[link.e, link.e], D[link.e, link.e] = link.body.K, link.body.D
        K[link.u, link.u], D[link.u, link.u] = link.drive.stiffness, link.drive.damping
    moves = np.diag((np.abs(K) + np.abs(D)).sum(axis=1) > 0.0).astype(float)
    M = supple.mass_matrix(robot, q)
    A = np.zeros((2 * n + 2, 2 * n + 2))
    A[:n, n : 2 * n] = moves
    A[n : 2 * n, :n], A[n : 2 * n, n : 2 * n] = -np.linalg.solve(M, K), -np.linalg.solve(M, D)
    r = rng.normal(size=2 * n + 2)
    y = np.concatenate([q, v, [0.0, 0.0]])
    exact = np.linalg.solve(np.eye(len(A)) / s - A, r)
    assert absorbed_step(robot, y, s, r) == pytest.approx(exact, rel=1e-9, abs=1e-12)


def test_a_closed_chain_answers_a_force_along_its_loops() -> None:
    """(M + E) x = force along the null space Z of J, in which x lies."""
    robot, q = four_bar(True)
    force = np.random.default_rng(6).normal(size=robot.nv)
    parts = [(0.2 * (i + 1) * np.eye(x.body.m), 0.3 * (i + 1)) for i, x in enumerate(robot.links)]
    x = answer_to_force(robot, q, force, lambda i: parts[i])
    E = block_diag(*(part for shapes, joint in parts for part in ([[joint]], shapes)))
    Z = null_space(closure_jacobian(robot, q), rcond=1e-9)
    exact = Z @ np.linalg.solve(Z.T @ (recursion.mass_matrix(robot, q) + E) @ Z, Z.T @ force)
    assert x == pytest.approx(exact, rel=1e-9, abs=1e-12)
