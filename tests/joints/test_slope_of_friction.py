"""Dry friction, differentiated."""

from __future__ import annotations

import numpy as np
import pytest


def test_the_damping_of_dry_friction_is_the_slope_of_its_force() -> None:
    from supple.joints import Drive

    drive, h = Drive(damping=0.4, viscous=0.2, coulomb=3.0, smoothing=0.1), 1e-6
    for u in (-0.2, 0.0, 0.03, 0.5):
        up, down = (drive.dissipative(np.zeros(1), np.array([u + s * h]))[0] for s in (1, -1))
        assert drive.damping_at(u) == pytest.approx((up - down) / (2 * h), rel=1e-6)
