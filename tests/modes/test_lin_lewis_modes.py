"""The constants and integrals of [LinLewis] and [CibicikEgeland]."""

import json
from pathlib import Path

import numpy as np
import pytest

from supple.modes import ClampedFree, ClampedMass, PinnedPinned, line_points, scaled, uniform

DATA = json.loads((Path(__file__).parents[1] / "data" / "lin_lewis_modes.json").read_text())
MODES = DATA["modes"]
LINE = uniform(1.0)


def integrals(shapes):
    x, w = line_points(LINE, shapes.count)
    phi, curvature = shapes(x), shapes(x, 2)
    return {
        "int_phi": phi @ w,
        "int_xi_phi": phi @ (w * x),
        "int_phi_phi": (phi * w) @ phi.T,
        "int_ddphi_ddphi": (curvature * w) @ curvature.T,
    }


@pytest.mark.parametrize("mu", ["0.0", "0.1", "0.5", "1.0", "5.0"])
def test_constants_and_integrals_of_loaded_beams(mu):
    kind = ClampedFree() if mu == "0.0" else ClampedMass(mass_ratio=float(mu))
    table = MODES["clamped_free" if mu == "0.0" else f"clamped_loaded_mu_{mu}"]
    shapes = kind.shapes(len(table["betaL"]), LINE)
    np.testing.assert_allclose(shapes.betas, table["betaL"], rtol=1e-10)
    np.testing.assert_allclose(shapes.sigmas, table["sigma"], rtol=1e-10)
    np.testing.assert_allclose(shapes(1.0)[:, 0], table["phi_L"], rtol=2e-10)
    np.testing.assert_allclose(shapes(1.0, 1)[:, 0], table["Lphi1_L"], rtol=2e-10)
    np.testing.assert_allclose(shapes(0.0, 2)[:, 0], table["phi0pp_times_L2"], rtol=1e-10)
    for name, value in integrals(shapes).items():
        size = np.abs(table[name]).max()
        np.testing.assert_allclose(value, table[name], rtol=1e-10, atol=1e-10 * size)


def test_pinned_pinned_integrals():
    table, shapes = MODES["pinned_pinned"], PinnedPinned().shapes(5, LINE)
    found = integrals(shapes)
    np.testing.assert_allclose(found["int_phi"], table["int_phi"], atol=1e-14)
    np.testing.assert_allclose(found["int_xi_phi"], table["int_xi_phi"], atol=1e-14)
    np.testing.assert_allclose(found["int_phi_phi"], 0.5 * np.eye(5), atol=1e-14)
    np.testing.assert_allclose(shapes(0.0, 1)[:, 0], table["L_phi1_0"], rtol=1e-14)


def test_cibicik_egeland_arm():
    line = uniform(2.0)
    shapes = ClampedMass(mass_ratio=1.2207236101226138).shapes(2, line)
    np.testing.assert_allclose(shapes.betas, [1.1977733830862118, 4.014339320061328], rtol=1e-12)
    np.testing.assert_allclose(shapes.sigmas, [0.8912725523133012, 1.0052539614507925], rtol=1e-12)
    unit = scaled(shapes, line, "mean_square")
    tip, slope = [2.0500488918726565, -0.2627222894820361], [1.517287221417763, -3.2613061958375082]
    np.testing.assert_allclose(unit(2.0)[:, 0], tip, rtol=1e-12)
    np.testing.assert_allclose(unit(2.0, 1)[:, 0], slope, rtol=1e-12)


def test_mohan_saha_scale():
    shapes = scaled(ClampedFree().shapes(2, LINE), LINE, "sine")
    np.testing.assert_allclose(shapes(1.0)[:, 0], [2.7244411149702623, -1.9637350783494583], 1e-14)
    z, sigma = shapes.betas[0] * 0.3, shapes.sigmas[0]
    exact = (np.sin(z) - np.sinh(z)) - (np.cos(z) - np.cosh(z)) / sigma
    np.testing.assert_allclose(shapes(0.3)[0, 0], exact, rtol=1e-13)
