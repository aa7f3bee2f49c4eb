"""The curve of a step without one of its own: exact where the motion is a cubic."""

from __future__ import annotations

import numpy as np
from numpy.polynomial import Polynomial

from agree import assert_near
from supple.simulation.integrators.cubic import bends, cubic


def test_a_cubic_is_its_own_curve() -> None:
    motions = [Polynomial([1.0, -2.0, 0.5, 3.0]), Polynomial([0.0, 1.0, -4.0, 0.25])]
    t, h = 0.3, 0.7
    y, new = (np.array([p(x) for p in motions]) for x in (t, t + h))
    first, last = (np.array([p.deriv()(x) for p in motions]) for x in (t, t + h))
    ab, out = np.zeros(4), np.zeros(2)
    bends(2, h, y, new, first, last, ab)
    for theta in (0.0, 0.2, 0.6, 1.0):
        cubic(2, theta, y, new, ab, out)
        assert_near(out, [p(t + theta * h) for p in motions], 1e-13)
