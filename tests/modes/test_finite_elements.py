"""Finite-element modes against closed forms."""

import mpmath as mp
import numpy as np
import pytest

from supple.modes import (
    ClampedFree,
    ClampedMass,
    FiniteElements,
    Line,
    line_points,
    scaled,
    uniform,
)

X = np.linspace(0.0, 1.0, 61)


@pytest.mark.parametrize(
    "tip", [(0.0, 0.0, 0.0), (1.2, 0.0, 0.0), (3.0, 0.2, 0.1), (0.4, 1.0, -0.2)]
)
def test_twenty_modes_of_a_uniform_beam(tip):
    mass, inertia, offset = tip
    line = uniform(1.0, tip_mass=mass, tip_inertia=inertia, tip_offset=offset)
    found, exact = FiniteElements().shapes(20, line), ClampedMass().shapes(20, line)
    np.testing.assert_allclose(found.omegas, exact.betas**2, rtol=1e-11)
    for d, tolerance in enumerate([1e-10, 1e-10, 1e-10, 1e-8]):
        a, b = scaled(found, line, "tip")(X, d), scaled(exact, line, "tip")(X, d)
        assert (np.abs(a - b).max(axis=1) / np.abs(b).max(axis=1)).max() < tolerance


@pytest.mark.parametrize("r", [0.0, 0.6])
def test_twenty_torsion_modes(r):
    line = uniform(1.0, tip_mass=r, bending=False)
    found, exact = FiniteElements().shapes(20, line), ClampedMass().shapes(20, line)
    np.testing.assert_allclose(found.omegas, exact.betas, rtol=1e-11)
    a, b = scaled(found, line, "tip")(X, 1), scaled(exact, line, "tip")(X, 1)
    assert np.abs(a - b).max() < 1e-10 * np.abs(b).max()


@pytest.mark.parametrize(("n", "published"), [(1, [5.315, 15.207]), (2, [8.719, 21.146])])
def test_wedge_and_cone_have_kirchhoffs_frequencies(n, published):
    """A ~ s^n, I ~ s^(n+2), s = 1 - x: w = k^2 with J_n(2k) I_n+1(2k) + I_n(2k) J_n+1(2k) = 0."""

    def kirchhoff(k):
        ratio = mp.besseli(n + 1, 2 * k) / mp.besseli(n, 2 * k)
        return mp.besselj(n, 2 * k) * ratio + mp.besselj(n + 1, 2 * k)

    line = Line(1.0, lambda x: (1 - x) ** n, lambda x: (1 - x) ** (n + 2))
    omegas = FiniteElements().shapes(8, line).omegas
    near = [(mp.sqrt(w) * (1 - mp.mpf("1e-6")), mp.sqrt(w) * (1 + mp.mpf("1e-6"))) for w in omegas]
    exact = [float(mp.findroot(kirchhoff, ends, solver="illinois") ** 2) for ends in near]
    np.testing.assert_allclose(omegas[:2], published, atol=5e-3)
    np.testing.assert_allclose(omegas, exact, rtol=1e-10)
    assert np.diff(np.sqrt(exact)).max() < 1.7  # no root is skipped


def test_stepped_rod():
    """tan(w a) tan(w b) = A1 / A2 for a rod with areas A1, A2 on lengths a, b; unit wave speed."""
    a, b, ratio = 0.3, 0.7, 4.0
    area = lambda x: np.where(x < a, ratio, 1.0)  # noqa: E731
    line = Line(1.0, area, area, breaks=(a,), bending=False)
    w = FiniteElements().shapes(20, line).omegas
    residual = np.sin(w * a) * np.sin(w * b) - ratio * np.cos(w * a) * np.cos(w * b)
    np.testing.assert_allclose(residual, 0.0, atol=1e-11)
    assert np.diff(w).max() < 1.5 * np.pi


def test_a_break_in_a_uniform_beam_changes_nothing():
    one = lambda x: np.ones_like(x)  # noqa: E731
    broken = Line(1.0, one, one, breaks=(0.71, 0.123))
    betas = ClampedFree().shapes(10, broken).betas
    np.testing.assert_allclose(FiniteElements().shapes(10, broken).omegas, betas**2, rtol=1e-12)


def test_a_pinned_root_gives_the_elastic_pinned_free_modes():
    shapes = FiniteElements(root="pinned").shapes(5, uniform(1.0))
    b = np.sqrt(shapes.omegas)
    np.testing.assert_allclose(np.tan(b), np.tanh(b), rtol=1e-10)
    assert 3.9 < b[0] < 3.95
    x, w = line_points(uniform(1.0), 5)
    np.testing.assert_allclose(shapes(x) @ (w * x), 0.0, atol=1e-12)  # no rigid rotation
    np.testing.assert_allclose(shapes(0.0, 2), 0.0, atol=1e-8)


def test_modes_have_unit_mass_with_the_tip_body_and_a_tip_above():
    line = Line(0.8, lambda x: 2 - x, lambda x: (2 - x) ** 3, (), 0.5, 0.02, 0.1)
    shapes = FiniteElements().shapes(6, line)
    x, w = line_points(line, 6)
    slope = shapes(0.8, 1)
    body = shapes(0.8) + 0.1 * slope
    M = (shapes(x) * w * line.mass(x)) @ shapes(x).T + 0.5 * body @ body.T + 0.02 * slope @ slope.T
    K = (shapes(x, 2) * w * line.stiffness(x)) @ shapes(x, 2).T
    np.testing.assert_allclose(M, np.eye(6), atol=1e-11)
    np.testing.assert_allclose(K, np.diag(shapes.omegas**2), atol=1e-10 * K.max())
    assert (shapes(0.8) > 0.0).all()
