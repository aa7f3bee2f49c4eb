"""Euler-Bernoulli shapes against the naive cosh/sinh formula at 60 digits, up to mode 20."""

from functools import cache
from itertools import pairwise

import mpmath as mp
import numpy as np
import pytest

from supple.modes import ClampedFree, ClampedMass, uniform

RATIOS = [
    (0.0, 0.0, 0.0),
    (0.1, 0.0, 0.0),
    (1.2207236101226138, 0.0, 0.0),
    (0.0, 2.0, 0.0),
    (5.0, 0.3, 0.1),
    (0.5, 0.1, -0.2),
    (1e4, 1e3, 0.2),
    (1e6, 0.0, 0.0),
]
L = 2.0


@pytest.fixture(autouse=True)
def sixty_digits():
    with mp.workdps(60):
        yield


@cache
def waves(z):
    """At one z they are asked for eight times: of four derivatives and two sigmas."""
    return mp.cosh(z), mp.sinh(z), mp.cos(z), mp.sin(z)


def naive(z, sigma, d):
    cosh, sinh, cosine, sine = waves(z)
    even, odd = (cosh, sinh) if d % 2 == 0 else (sinh, cosh)
    cos = [cosine, -sine, -cosine, sine][d]
    sin = [sine, cosine, -sine, -cosine][d]
    return (even - cos) - sigma * (odd - sin)


def tip_conditions(b, sigma, mu, j, eps):
    f = [naive(b, sigma, d) for d in range(4)]
    shear = f[3] + mu * b * (f[0] + eps * b * f[1])
    moment = f[2] - b**3 * (j + mu * eps**2) * f[1] - b**2 * mu * eps * f[0]
    return shear, moment


def near(function, start):
    """The sign change within 1e-9 of the start."""
    ends = [mp.mpf(start) * (1 + side * mp.mpf(10) ** -9) for side in (-1, 1)]
    return mp.findroot(function, ends, solver="illinois", tol=mp.mpf(10) ** -30)


def reference(start, ratios):
    """Root and sigma; both tip conditions are affine in sigma."""
    ratios = [mp.mpf(r) for r in ratios]

    def affine(b):
        c, at_one = tip_conditions(b, mp.mpf(0), *ratios), tip_conditions(b, mp.mpf(1), *ratios)
        return c, [v - u for u, v in zip(c, at_one, strict=True)]

    def det(b):
        c, s = affine(b)
        return (c[0] * s[1] - c[1] * s[0]) / mp.cosh(b) ** 2

    b = near(det, start)
    c, s = affine(b)
    return b, -c[1] / s[1]


@cache
def shapes_of(ratios):
    return ClampedMass(*ratios).shapes(20, uniform(L))


@pytest.mark.parametrize("ratios", RATIOS)
@pytest.mark.parametrize("k", [1, 2, 3, 5, 8, 12, 16, 20])
def test_roots_and_shapes_hold_12_digits(ratios, k):
    shapes = shapes_of(ratios)
    b, sigma = reference(shapes.betas[k - 1], ratios)
    assert abs(shapes.betas[k - 1] / b - 1) < 1e-14
    assert abs(shapes.sigmas[k - 1] / sigma - 1) < 1e-12
    x = np.linspace(0.0, L, 41)
    for d in range(4):
        exact = np.array([float((b / L) ** d * naive(b * v / L, sigma, d)) for v in map(mp.mpf, x)])
        assert np.abs(shapes(x, d)[k - 1] - exact).max() < 1e-12 * np.abs(exact).max()


@pytest.mark.parametrize("k", [1, 20])
def test_digits_stay_next_to_the_clamp(k):
    shapes = ClampedFree().shapes(20, uniform(L))
    b, sigma = reference(shapes.betas[k - 1], RATIOS[0])
    for x in (1e-9, 1e-6, 1e-3, 0.03):
        exact = naive(b * mp.mpf(x) / L, sigma, 0)
        assert abs(shapes(x)[k - 1, 0] / exact - 1) < 1e-12


def test_clamped_free_is_clamped_mass_without_a_body():
    x = np.linspace(0.0, L, 21)
    free, mass = ClampedFree().shapes(20, uniform(L)), ClampedMass().shapes(20, uniform(L))
    np.testing.assert_array_equal(free(x, 2), mass(x, 2))


@pytest.mark.parametrize("ratios", RATIOS)
def test_no_root_is_missed(ratios):
    shapes = ClampedMass(*ratios).shapes(6, uniform(L))
    b = np.append(np.geomspace(1e-3, 0.5, 60), np.arange(0.51, shapes.betas[-1] + 0.05, 0.02))
    signs = []
    for value in map(mp.mpf, b):
        c = tip_conditions(value, mp.mpf(0), *ratios)
        s = tip_conditions(value, mp.mpf(1), *ratios)
        signs.append(mp.sign(c[0] * (s[1] - c[1]) - c[1] * (s[0] - c[0])))
    changes = sum(u != v for u, v in pairwise(signs))
    assert changes == 6


@pytest.mark.parametrize("r", [0.0, 0.3, 7.0, 1e6])
def test_torsion_roots_with_a_tip_inertia(r):
    betas = ClampedMass(mass_ratio=r).shapes(20, uniform(L, bending=False)).betas
    for k, b in enumerate(betas):
        exact = near(lambda v: mp.cos(v) - r * v * mp.sin(v), b)
        assert abs(b / exact - 1) < 1e-14
        assert k * mp.pi < exact <= (k + mp.mpf(1) / 2) * mp.pi + mp.mpf(10) ** -25
