"""Sections, stiffnesses and inertias against the textbook's closed forms."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from scipy.sparse.linalg import spsolve

import supple
from supple.model import torsion

L, RHO, E, NU = 1.7, 2700.0, 7e10, 0.3
B, H, T, D = 0.03, 0.05, 0.004, 0.06
d, b, h = D - 2 * T, B - 2 * T, H - 2 * T

# shape, words, area, Iy = int z^2 dA, Iz = int y^2 dA, torsion constant
SHAPES = [
    ("circle", {"diameter": D}, pi * D**2 / 4, *[pi * D**4 / 64] * 2, pi * D**4 / 32),
    (
        "tube",
        {"diameter": D, "wall": T},
        pi * (D**2 - d**2) / 4,
        *[pi * (D**4 - d**4) / 64] * 2,
        pi * (D**4 - d**4) / 32,
    ),
    (
        "rectangle",
        {"width": B, "height": H},
        B * H,
        B * H**3 / 12,
        B**3 * H / 12,
        H * B**3 * (1 / 3 - 0.21 * B / H * (1 - B**4 / (12 * H**4))),  # within 0.4 %
    ),
    (
        "box",
        {"width": B, "height": H, "wall": T},
        B * H - b * h,
        (B * H**3 - b * h**3) / 12,
        (B**3 * H - b**3 * h) / 12,
        4 * ((B - T) * (H - T)) ** 2 * T / (2 * (B + H - 2 * T)) + 2 * (B + H - 2 * T) * T**3 / 3,
    ),
]


def body(modes: dict[str, Any], **beam: Any) -> Any:
    words = {"length": L, "modes": modes | {"family": "polynomial"}} | beam
    joint = {"type": "revolute", "child": "a"}
    robot = supple.build({"links": {"a": {"beam": words}}, "joints": [joint]})
    return robot.links[0].body


@pytest.mark.parametrize(("shape", "words", "area", "Iy", "Iz", "J"), SHAPES)
def test_a_section_has_its_textbook_area_and_moments(
    shape: str, words: Any, area: float, Iy: float, Iz: float, J: float
) -> None:
    modes = {"bending_y": 1, "bending_z": 1, "axial": 1, "torsion": 1}
    made = body(modes, density=RHO, E=E, nu=NU, section={"shape": shape} | words)
    assert made.mass == pytest.approx(RHO * area * L)
    K = dict(zip(made.shape_names, np.diag(made.K), strict=True))
    M = dict(zip(made.shape_names, np.diag(made.Mdd), strict=True))
    phi = made.stations["tip"]
    v, w, u = (np.abs(phi.S[i]).max() for i in range(3))  # the shapes' own scale at the tip
    assert K["bending_y1"] == pytest.approx(4 * E * Iz * v**2 / L**3)  # phi = v (x/L)^2
    assert K["bending_z1"] == pytest.approx(4 * E * Iy * w**2 / L**3)
    assert K["axial1"] == pytest.approx(E * area * u**2 / L)
    assert M["axial1"] == pytest.approx(RHO * area * L * u**2 / 3)
    # rotary inertia: int rho A phi^2 + rho I phi'^2
    assert M["bending_y1"] == pytest.approx(RHO * v**2 * (area * L / 5 + 4 * Iz / (3 * L)))
    assert M["bending_z1"] == pytest.approx(RHO * w**2 * (area * L / 5 + 4 * Iy / (3 * L)))
    turn, rel = np.abs(phi.Theta[3]).max(), 4e-3 if shape == "rectangle" else 1e-12
    assert K["torsion1"] == pytest.approx(E / (2 * (1 + NU)) * J * turn**2 / L, rel=rel)
    assert M["torsion1"] == pytest.approx(RHO * (Iy + Iz) * L * turn**2 / 3)


def test_a_section_turns_by_the_sum_of_its_second_moments() -> None:
    section = {"shape": "rectangle", "width": B, "height": H}
    made = body({"torsion": 1}, density=RHO, E=E, GJ=1.0, section=section)
    turn = np.abs(made.stations["tip"].Theta).max()
    assert made.Mdd[0, 0] == pytest.approx(RHO * (B * H**3 + B**3 * H) / 12 * L * turn**2 / 3)


def test_a_polar_inertia_alone_is_shared_by_both_planes() -> None:
    polar = 0.3
    plain = body({"bending_y": 1, "bending_z": 1}, mass=2.0, EI=1.0, rotary_inertia=False)
    made = body({"bending_y": 1, "bending_z": 1}, mass=2.0, EI=1.0, polar_inertia=polar)
    scale = np.abs(made.stations["tip"].S).max(axis=1) ** 2
    assert np.allclose(np.diag(made.Mdd - plain.Mdd), 0.5 * polar * scale * 4 / (3 * L))


def test_six_numbers_of_an_inertia_stand_where_they_say() -> None:
    six = [1.0, 2.0, 3.0, 0.1, 0.2, 0.3]
    rows = [[1.0, 0.1, 0.2], [0.1, 2.0, 0.3], [0.2, 0.3, 3.0]]
    made = []
    for inertia in (six, rows):
        link = {"rigid": {"mass": 1.0, "inertia": inertia}}
        joint = {"type": "floating", "child": "a"}
        robot = supple.build({"links": {"a": link}, "joints": [joint]})
        made.append(supple.mass_matrix(robot, robot.neutral())[:3, :3])
    assert np.allclose(made[0], rows)
    assert np.allclose(made[1], rows)


# J / (a b^3) of a rectangle with sides a >= b: the table of the textbooks (Timoshenko, Theory
# of Elasticity, section 109)
TIMOSHENKO = {1: 0.1406, 1.2: 0.166, 1.5: 0.196, 2: 0.229, 2.5: 0.249, 3: 0.263, 4: 0.281}
TIMOSHENKO |= {5: 0.291, 10: 0.312}


@pytest.mark.parametrize(("ratio", "k"), TIMOSHENKO.items())
def test_a_rectangle_twists_as_the_table_of_the_textbook_says(ratio: float, k: float) -> None:
    for sides in ((ratio, 1.0), (1.0, ratio)):
        assert float(torsion.rectangle(*sides)) / ratio == pytest.approx(k, abs=6e-4)


def test_the_series_of_a_rectangle_is_complete() -> None:
    n = np.arange(1, 4001, 2.0)
    for a in (1.0, 1.3, 7.0):
        terms = np.tanh(n * pi * a / 2) / n**5
        whole = a * (1 / 3 - 64 / pi**5 / a * terms.sum())
        assert float(torsion.rectangle(a, 1.0)) == pytest.approx(whole, rel=1e-13)


def prandtl(width: float, height: float, wall: float, cells: int) -> float:
    """J = 2 int phi dA of the stress function, phi'' = -2 in the wall, constant over the hole,
    by finite differences."""
    step = wall / cells
    x, y = (np.arange(round(side / step) + 1) * step for side in (width, height))
    X, Y = np.meshgrid(x, y, indexing="ij")
    from_edge = np.minimum(np.minimum(X, width - X), np.minimum(Y, height - Y))
    number = np.full(X.shape, -1)
    free = (from_edge > 0.5 * step) & (from_edge < wall - 0.5 * step)
    number[free] = np.arange(free.sum())
    number[from_edge > wall - 0.5 * step] = free.sum()
    load = np.bincount(number[number >= 0], minlength=free.sum() + 1) * step**2
    rows, columns, values = [], [], []
    for one, two in ((number[:-1], number[1:]), (number[:, :-1], number[:, 1:])):
        for i, j in ((one.ravel(), two.ravel()), (two.ravel(), one.ravel())):
            both = (i >= 0) & (j >= 0)
            rows += [i[i >= 0], i[both]]
            columns += [i[i >= 0], j[both]]
            values += [np.ones((i >= 0).sum()), -np.ones(both.sum())]
    parts = [np.concatenate(part) for part in (rows, columns, values)]
    A = csr_matrix((parts[2], (parts[0], parts[1])))
    return float(2 * load @ spsolve(A, 2 * load))


@pytest.mark.parametrize(("wall", "cells", "off"), [(0.05, 6, 0.025), (0.1, 10, 0.04)])
def test_a_box_twists_as_its_stress_function_says(wall: float, cells: int, off: float) -> None:
    for height in (1.0, 2.0):
        exact = prandtl(1.0, height, wall, cells)
        assert exact * (1 - off) < float(torsion.box(1.0, height, wall)) < exact
    thick = prandtl(1.0, 1.0, 0.3, 15)
    assert float(torsion.box(1.0, 1.0, 0.3)) == pytest.approx(thick, rel=0.07)


@pytest.mark.parametrize("shape", ["rectangle", "box"])
def test_a_tapered_section_twists_as_many_short_pieces(shape: str) -> None:
    ends: dict[str, Any] = {"width": [0.05, 0.02], "height": [0.03, 0.04]}
    ends |= {"wall": [0.004, 0.002]} if shape == "box" else {}
    made = body({"torsion": 1}, density=RHO, G=1.0, section={"shape": shape} | ends)
    turn = np.abs(made.stations["tip"].Theta).max()  # phi = turn x / L
    s = (np.arange(2000) + 0.5) / 2000
    at = [np.interp(s, [0, 1], value) for value in ends.values()]
    J = getattr(torsion, shape)(*at)
    assert made.K[0, 0] == pytest.approx(J.mean() * turn**2 / L, rel=1e-6)


@pytest.mark.parametrize(
    ("added", "total", "first"),
    [(0.3, 0.3 * L, 0.3 * L**2 / 2), ([0.2, 0.5], 0.35 * L, L**2 * (0.2 / 6 + 0.5 / 3))],
)
def test_added_mass_joins_the_beams_own(added: Any, total: float, first: float) -> None:
    for own in ({"mass": 2.0}, {"mass_per_length": [1.0, 0.5]}, {"density": RHO, "area": 1e-4}):
        plain = body({"bending_y": 1}, EI=1.0, **own)
        made = body({"bending_y": 1}, EI=1.0, added_mass_per_length=added, **own)
        assert made.mass - plain.mass == pytest.approx(total)
        assert made.c0[0] - plain.c0[0] == pytest.approx(first)
        assert np.allclose(made.K, plain.K)


def test_a_section_has_only_its_own_dimensions() -> None:
    section = {"shape": "circle", "diameter": 0.1, "wall": 0.01}
    with pytest.raises(supple.ModelError, match="a circle section has no wall, only diameter"):
        body({"bending_y": 1}, density=RHO, E=E, section=section)


def _link(**words: Any) -> supple.Robot:
    """One shape x^2 of a beam of length 2."""
    modes = {"bending_y": 1, "family": "polynomial"}
    beam = {"length": 2.0, "mass": 3.0, "EI": 5.0, "modes": modes, **words}
    joint = {"type": "fixed", "child": "a"}
    return supple.build({"links": {"a": {"beam": beam}}, "joints": [joint]})


def test_half_the_polar_inertia_turns_with_the_sections_in_bending() -> None:
    """J/2 int (2 x)^2 dx = J/2 4 L^3/3, beside m/L int x^4 dx."""
    for words, share in (({}, 1.0), ({"rotary_inertia": False}, 0.0)):
        M = supple.mass_matrix(_link(polar_inertia=0.3, **words), [0.0])
        turning = share * 0.5 * 0.3 * 4.0 * 2.0**3 / 3.0
        assert M[0, 0] == pytest.approx(3.0 / 2.0 * 2.0**5 / 5.0 + turning, rel=1e-12)


def test_damping_by_ratio_and_by_rayleigh_add_up() -> None:
    """D = a M + b K + 2 zeta sqrt(K M) of one shape."""
    robot = _link(damping={"ratio": 0.1, "rayleigh": [0.2, 0.03]})
    M, K = supple.mass_matrix(robot, [0.0])[0, 0], supple.elastic_force(robot, [1.0])[0]
    damping = supple.passive_force(robot, [0.0], [1.0])[0]
    assert damping == pytest.approx(0.2 * M + 0.03 * K + 2.0 * 0.1 * np.sqrt(K * M), rel=1e-12)
