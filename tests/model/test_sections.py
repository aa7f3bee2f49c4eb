"""Sections, stiffnesses and inertias against the textbook's closed forms."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np
import pytest

import supple

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
    ("rectangle", {"width": B, "height": H}, B * H, B * H**3 / 12, B**3 * H / 12, None),
    (
        "box",
        {"width": B, "height": H, "wall": T},
        B * H - b * h,
        (B * H**3 - b * h**3) / 12,
        (B**3 * H - b**3 * h) / 12,
        None,
    ),
]


def body(modes: dict[str, Any], **beam: Any) -> Any:
    words = {"length": L, "modes": modes | {"family": "polynomial"}} | beam
    joint = {"type": "revolute", "child": "a"}
    robot = supple.build({"links": {"a": {"beam": words}}, "joints": [joint]})
    return robot.links[0].body


@pytest.mark.parametrize(("shape", "words", "area", "Iy", "Iz", "J"), SHAPES)
def test_a_section_has_its_textbook_area_and_moments(
    shape: str, words: Any, area: float, Iy: float, Iz: float, J: float | None
) -> None:
    modes = {"bending_y": 1, "bending_z": 1, "axial": 1} | ({"torsion": 1} if J else {})
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
    if J:
        turn = np.abs(phi.Theta[3]).max()
        assert K["torsion1"] == pytest.approx(E / (2 * (1 + NU)) * J * turn**2 / L)
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
