"""CVODE as one more solver, where it is installed."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

import supple
from sliders import slider
from supple import Event
from supple.errors import InputError


def test_cvode_ends_where_the_native_methods_do() -> None:
    pytest.importorskip("sksundae")
    robot = supple.load("canadarm")
    how = {"duration": 0.1, "motion": "paper", "samples": 6}
    here = supple.simulate(robot, None, **how)
    there = supple.simulate(robot, None, method="CVODE", rtol=1e-7, **how)
    assert np.allclose(here["q"], there["q"], rtol=1e-6, atol=1e-9)


def test_cvode_goes_on_behind_breaks_switches_and_resets() -> None:
    """A push and a pull, triangles of 0.75 N s, 1.4/3 s from centroid to centroid; a ball that
    bounces with half its speed; half way ahead, half way back."""
    pytest.importorskip("sksundae")
    how: dict[str, Any] = {"method": "CVODE", "rtol": 1e-9, "samples": 6}
    table = ([0.0, 0.3, 0.7, 1.0], [[0.0], [3.0], [-3.0], [0.0]])
    pushed = supple.simulate(slider(), table, 1.0, **how)
    assert pushed["qd"][-1, 0] == pytest.approx(0.0, abs=1e-7)
    assert pushed["q"][-1, 0] == pytest.approx(0.75 * 1.4 / 3, abs=1e-6)
    bounce = Event("x", "reset", -1, then=lambda at: (at.q, -0.5 * at.qd))
    ball = supple.simulate(slider(gravity=-10.0), None, 2.4, q0=[5.0], events=bounce, **how)
    assert [at.t for at in ball.events] == pytest.approx([1.0, 2.0], abs=1e-6)
    brake = Event("x - 0.5", "switch", then=[-1.0])
    there = supple.simulate(slider(), [1.0], 2.0, events=brake, **how)
    assert there["q"][-1, 0] == pytest.approx(1.0, abs=1e-6)


def test_without_it_the_way_to_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sksundae.cvode", None)
    with pytest.raises(InputError, match="pip install"):
        supple.simulate(supple.load("canadarm"), None, 0.1, method="CVODE")
