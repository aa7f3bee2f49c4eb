"""Runs among many that stop."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import supple
from sliders import slider


def gapped(t: float, q: Any, qd: Any) -> list[Any]:
    """No number where x < 1 - 4 (t - 1/2)^2: of a run at 0.5 from 0.15 s to 0.85 s."""
    return [1e-3 * np.sqrt(q[0] - 1.0 + 4.0 * (t - 0.5) ** 2)]


def test_a_run_that_stopped_before_a_break_is_not_taken_up_behind_it() -> None:
    """A mass that hardly moves: at 2 its torque is always a number, at 0.5 not for a while."""
    starts = {"q0": {"x": [2.0, 0.5, 2.5]}}
    runs = supple.simulate_many(slider(), starts, gapped, 1.0, breaks=[0.9], samples=5)
    assert sorted(runs.failed) == [1]
    assert np.isnan(runs["q"][1, -1, 0])
    assert runs["q"][[0, 2], -1, 0] == pytest.approx([2.0, 2.5], abs=1e-2)
