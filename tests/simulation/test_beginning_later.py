"""Laws and motions that begin later than the run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import supple
from agree import assert_near
from sliders import slider


def test_a_sampled_law_that_takes_over_late_keeps_time_from_there() -> None:
    """x'' = u from 0.25 s on, u = -3 x - 2 v of 0.25, 0.35, ... s: the recursion by hand."""
    T, asked = 0.1, []

    def law(t: float, q: Any, qd: Any) -> list[float]:
        asked.append(t)
        return [-3.0 * q[0] - 2.0 * qd[0]]

    later = supple.Event("t - 0.25", "switch", then=supple.Sampled(law, T))
    run = supple.simulate(slider(), None, 1.05, q0=[1.0], qd0=[1.0], events=[later], samples=22)
    x, v = 1.25, 1.0
    for _ in range(8):
        u = -3.0 * x - 2.0 * v
        x, v = x + T * v + 0.5 * T * T * u, v + T * u
    assert asked == pytest.approx(0.25 + T * np.arange(8))
    assert run["q"][-1, 0] == pytest.approx(x, abs=1e-10)


def test_a_motion_that_starts_later_is_the_same_motion_later() -> None:
    for make, how in (
        (supple.trapezoidal, {"rate": 2.0, "acceleration": 3.0}),
        (supple.cycloidal, {"duration": 1.3}),
        (supple.quintic, {"duration": 1.3}),
    ):
        now, late = (make(slider(), {"x": 1.5}, start=s, **how) for s in (0.0, 0.7))
        assert late.duration == pytest.approx(now.duration + 0.7)
        for t in np.linspace(-0.2, now.duration + 0.5, 29):
            assert_near(np.array(late(t + 0.7)), np.array(now(t)), 1e-12, least=1.0)
