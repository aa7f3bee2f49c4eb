"""What holds for every family: derivatives, boundary conditions, orthogonality, scales."""

from typing import get_args

import numpy as np
import pytest

from supple.model import spec
from supple.model.explain import keys
from supple.modes import (
    FAMILIES,
    SCALES,
    ClampedFree,
    ClampedMass,
    FiniteElements,
    Functions,
    Orthogonal,
    PinnedPinned,
    Polynomial,
    families,
    family,
    line_points,
    root_values,
    scaled,
    uniform,
)
from supple.modes.families import options_of

L = 1.3
KINDS = [
    ClampedFree(),
    PinnedPinned(),
    ClampedMass(0.7, 0.1, 0.05),
    Polynomial(),
    Orthogonal(),
    Functions(("x**2", "x**3*cos(x)", "(x/L)**2*(3-x/L)", "x*(exp(x)-1)")),
    FiniteElements(),
    FiniteElements(root="pinned"),
]
CLAMPED = [kind for kind in KINDS if kind not in (PinnedPinned(), FiniteElements(root="pinned"))]


@pytest.mark.parametrize("bending", [True, False])
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_derivative_is_difference_quotient(kind, bending):
    shapes = kind.shapes(4, uniform(L, bending=bending))
    x, h = np.linspace(0.01, L - 0.01, 23), 1e-3
    assert shapes.highest == (3 if bending else 2)
    for d in range(shapes.highest):
        far = (shapes(x + 2 * h, d) - shapes(x - 2 * h, d)) / (4 * h)
        near = (shapes(x + h, d) - shapes(x - h, d)) / (2 * h)
        exact = shapes(x, d + 1)
        assert np.abs((4 * near - far) / 3 - exact).max() < 1e-8 * np.abs(exact).max()


@pytest.mark.parametrize("kind", CLAMPED, ids=lambda kind: kind.name)
def test_clamped_families_rest_at_the_root(kind):
    np.testing.assert_allclose(root_values(kind.shapes(4, uniform(L))), 0.0, atol=1e-14)
    torsion = kind.shapes(4, uniform(L, bending=False))
    np.testing.assert_allclose(torsion(0.0), 0.0, atol=1e-14)


@pytest.mark.parametrize("bending", [True, False])
@pytest.mark.parametrize("kind", [ClampedFree(), PinnedPinned(), Orthogonal(), FiniteElements()])
def test_shapes_without_a_tip_body_are_orthogonal(kind, bending):
    line = uniform(L, bending=bending)
    unit = scaled(kind.shapes(20, line), line, "mass")
    x, w = line_points(line, 20)
    np.testing.assert_allclose((unit(x) * w) @ unit(x).T, np.eye(20), atol=1e-12)


def test_shapes_with_a_tip_body_are_orthogonal_with_it():
    mu, j, e = 0.7, 0.1, 0.05
    shapes = ClampedMass(mu, j, e).shapes(12, uniform(1.0))
    x, w = line_points(uniform(1.0), 12)
    phi, tip, slope = shapes(x), shapes(1.0), shapes(1.0, 1)
    body = tip + e * slope
    M = (phi * w) @ phi.T + mu * body @ body.T + j * slope @ slope.T
    size = np.sqrt(np.diag(M))
    np.testing.assert_allclose(M / np.outer(size, size), np.eye(12), atol=1e-12)


def test_a_free_tip_carries_no_moment_and_no_shear():
    shapes = ClampedFree().shapes(20, uniform(L))
    for d in (2, 3):
        assert np.abs(shapes(L, d)[:, 0] / shapes(0.0, d)[:, 0]).max() < 1e-12


@pytest.mark.parametrize("bending", [True, False])
def test_orthogonal_spans_the_polynomials_and_is_one_at_the_tip(bending):
    line = uniform(L, bending=bending)
    orthogonal, powers = Orthogonal().shapes(6, line), Polynomial().shapes(6, line)
    x = np.linspace(0.0, L, 50)
    c = np.linalg.lstsq(powers(x).T, orthogonal(x).T, rcond=None)[0]
    for d in range(orthogonal.highest + 1):
        exact = orthogonal(x, d)
        assert np.abs(c.T @ powers(x, d) - exact).max() < 1e-9 * np.abs(exact).max()
    np.testing.assert_allclose(orthogonal(L), 1.0, rtol=1e-13)


def test_ratios_come_from_the_line_when_not_given():
    line = uniform(2.0, mass=3.0, tip_mass=1.5, tip_inertia=4.8, tip_offset=0.2)
    ratios = ClampedMass(inertia_ratio=0.5).ratios(line)
    np.testing.assert_allclose([ratios.mass, ratios.inertia, ratios.offset], [0.25, 0.5, 0.1])
    np.testing.assert_allclose(ClampedMass().ratios(line).inertia, 0.2)


def test_scales_do_what_they_say():
    line = uniform(L, mass=2.5)
    shapes = ClampedFree().shapes(3, line)
    x, w = line_points(line, 3)
    np.testing.assert_allclose(scaled(shapes, line, "tip")(L), 1.0, rtol=1e-14)
    np.testing.assert_allclose(scaled(shapes, line, "mean_square")(x) ** 2 @ w, L, rtol=1e-13)
    unit = scaled(shapes, line, "mass")
    np.testing.assert_allclose(unit(x) ** 2 @ w, 1 / 2.5, rtol=1e-13)
    np.testing.assert_array_equal(scaled(unit, line, "raw")(x), shapes(x))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_no_modes_is_an_empty_set(kind):
    assert kind.shapes(0, uniform(L))([0.1, 0.2], 1).shape == (0, 2)


def test_families_are_found_by_name():
    assert families()[0] == "orthogonal"
    assert set(families()) == set(FAMILIES) == {kind.name for kind in KINDS}
    assert family("clamped_mass", mass_ratio=2.0) == ClampedMass(2.0)


def test_the_model_file_and_its_help_know_every_family_with_its_options() -> None:
    words = {key.name: key for key in keys("field")}
    assert get_args(spec.FamilyName) == tuple(FAMILIES)
    for name, kind in FAMILIES.items():
        assert f"{name} {kind.meaning}" in words["family"].meaning
        for key, option in options_of(name).items():
            assert option.metadata["meaning"] in words[key].meaning
            assert key in spec.FieldModes.model_fields
    assert get_args(spec.ScaleName) == tuple(SCALES)
