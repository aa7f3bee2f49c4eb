"""Flexible robots as clouds of mass points: no moments, no recursion, only positions.

Each beam becomes its Gauss points (and, with section inertia, small crosses of points riding
on each section). Positions are differentiated by complex steps, so
M = sum m J^T J comes out to rounding, from code that shares only the mode shapes with ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import supple
from supple.modes import family, line_points, uniform

STEP = 1e-30
L, MASS, EI = 1.3, 2.1, 40.0


def turned(a: Any) -> Any:
    """exp(a~) by its series, of one vector or of each row."""
    x, y, z = np.moveaxis(np.asarray(a, dtype=complex), -1, 0)
    A = np.moveaxis(np.array([[0 * x, -z, y], [z, 0 * x, -x], [-y, x, 0 * x]]), (0, 1), (-2, -1))
    term = out = np.eye(3) + 0 * A
    for k in range(1, 40):
        term = term @ A / k
        out = out + term
    return out


def words(rotary: bool) -> dict[str, Any]:
    """Two flexible links, oblique axes, a tool behind the second, all fields of a beam."""
    beam = {
        "length": L,
        "mass": MASS,
        "EI": EI,
        "GJ": 30.0,
        "EA": 4e3,
        "modes": {"bending_y": 2, "bending_z": 1, "axial": 1, "family": "orthogonal"},
    }
    if rotary:
        beam |= {"polar_inertia": 0.02}
        beam["modes"] = {"bending_y": 1, "bending_z": 1, "torsion": 1}
    tool = {"mass": 0.7, "com": [0.1, -0.2, 0.05]}
    axis = [0.2, -0.5, 0.8]
    return {
        "gravity": [1.0, -2.0, -9.0],
        "elastic_kinematics": "first_order",
        "links": {"a": {"beam": beam}, "b": {"beam": beam, "payload": tool}},
        "joints": [
            {"type": "revolute", "child": "a", "axis": [0, 1, 0]},
            {"type": "revolute", "parent": "a", "child": "b", "axis": axis},
        ],
    }


def cloud(q: Any, rotary: bool) -> tuple[Any, Any]:
    """Positions (complex) and masses of all points at configuration q."""
    line = uniform(L)
    x, weight = line_points(line, 3)
    bend, rod = family("orthogonal"), uniform(L, bending=False)
    y, z = bend.shapes(2, line), bend.shapes(1, line)
    twist = family("orthogonal").shapes(1, rod)
    points, masses = [], []
    R, p = np.eye(3, dtype=complex), np.zeros(3, dtype=complex)
    axes = [np.array([0.0, 1.0, 0.0]), np.array([0.2, -0.5, 0.8])]
    for i, axis in enumerate(axes):
        m = 3 if rotary else 4
        theta, d = q[i * (m + 1)], q[i * (m + 1) + 1 : (i + 1) * (m + 1)]
        R = R @ turned(axis / np.linalg.norm(axis) * theta)

        def section(at: Any, d: Any = d) -> tuple[Any, Any]:
            at = np.atleast_1d(at)
            if rotary:
                v, w, alpha, u = d[0] * y(at)[0], d[1] * z(at)[0], d[2] * twist(at)[0], 0 * at
                slopes = d[0] * y(at, 1)[0], d[1] * z(at, 1)[0]
            else:
                v, w = d[0] * y(at)[0] + d[1] * y(at)[1], d[2] * z(at)[0]
                u, alpha = d[3] * twist(at)[0], 0 * at
                slopes = d[0] * y(at, 1)[0] + d[1] * y(at, 1)[1], d[2] * z(at, 1)[0]
            return np.array([at + u, v, w]).T, np.array([alpha, -slopes[1], slopes[0]]).T

        r, turns = section(x)
        dm = MASS / L * weight
        if rotary:
            arm = np.sqrt(0.02 / 2 * L / MASS)  # four points: polar inertia 0.02 per length
            E = turned(turns)
            for s in ([0, arm, 0], [0, -arm, 0], [0, 0, arm], [0, 0, -arm]):
                points.append(p + (r + E @ (np.array(s) * np.sqrt(2.0))) @ R.T)
                masses.append(dm / 4)
        else:
            points.append(p + r @ R.T)
            masses.append(dm)
        tip, turn = section(L)
        p, R = p + R @ tip[0], R @ turned(turn[0])
    points.append((p + R @ np.array([0.1, -0.2, 0.05]))[None])
    masses.append(np.array([0.7]))
    return np.concatenate(points), np.concatenate(masses)


def brute(q: Any, rotary: bool = False) -> tuple[Any, Any]:
    """Mass matrix and gravity force from the cloud."""
    columns = []
    for k in range(len(q)):
        step = q.astype(complex)
        step[k] += 1j * STEP
        columns.append(cloud(step, rotary)[0].imag / STEP)
    J, m = np.array(columns), cloud(q.astype(complex), rotary)[1]
    M = np.einsum("agi,bgi,g->ab", J, J, m)
    return M, -np.einsum("agi,g,i->a", J, m, np.array([1.0, -2.0, -9.0]))


def test_mass_matrix_and_gravity_of_a_spatial_chain() -> None:
    robot = supple.build(words(False))
    rng = np.random.default_rng(0)
    for _ in range(3):
        q = rng.normal(size=10) * np.array([1, 0.2, 0.1, 0.2, 0.1] * 2)
        M, g = brute(q)
        assert np.abs(supple.mass_matrix(robot, q) - M).max() < 1e-11 * np.abs(M).max()
        assert np.abs(supple.gravity_force(robot, q) - g).max() < 1e-11 * np.abs(g).max()


def test_coriolis_forces_of_a_spatial_chain() -> None:
    """Christoffel's symbols of the cloud's mass matrix, by central differences."""
    robot = supple.build(words(False))
    rng = np.random.default_rng(1)
    q, qd = rng.normal(size=10) * np.array([1, 0.2, 0.1, 0.2, 0.1] * 2), rng.normal(size=10)
    h = 1e-4
    slopes = []
    for k in range(10):
        e = h * np.eye(10)[k]
        slopes.append(
            (8 * (brute(q + e)[0] - brute(q - e)[0]) - brute(q + 2 * e)[0] + brute(q - 2 * e)[0])
            / (12 * h)
        )
    dM = np.array(slopes)  # (k, a, b)
    expected = np.einsum("kab,k,b->a", dM, qd, qd) - 0.5 * np.einsum("aij,i,j->a", dM, qd, qd)
    ours = supple.coriolis_force(robot, q, qd)
    assert np.abs(ours - expected).max() < 1e-9 * np.abs(expected).max()


@pytest.mark.parametrize(
    ("rows", "columns", "order"), [("r", "r", 3), ("r", "d", 2), ("d", "d", 1)]
)
def test_section_inertia_is_right_to_second_order_in_the_energy(
    rows: str, columns: str, order: int
) -> None:
    """Sections turn by exp(theta); their energy is kept to second order in (d, d_dot), so
    the blocks of M are right up to d^2, d and 1. Seen on the first link alone."""
    robot = supple.build(words(True))
    pick = {"r": [0], "d": [1, 2, 3]}
    q = np.array([0.7, 0.3, -0.2, 0.4, 0.5, 0.0, 0.0, 0.0])
    errors = []
    for scale in (0.1, 0.05):
        at = q.copy()
        at[1:4] *= scale
        gap = brute(at, True)[0] - supple.mass_matrix(robot, at)
        errors.append(np.abs(gap[np.ix_(pick[rows], pick[columns])]).max())
    assert errors[0] < 2e-3
    assert np.log2(errors[0] / errors[1]) > order - 0.3


def test_section_inertia_is_exact_in_the_undeformed_shape() -> None:
    robot = supple.build(words(True))
    q = np.array([0.7, 0.0, 0.0, 0.0, -0.4, 0.0, 0.0, 0.0])
    M, _ = brute(q, True)
    assert np.abs(supple.mass_matrix(robot, q) - M).max() < 1e-11 * np.abs(M).max()
