"""CVODE as one more solver, where it is installed."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import supple
from supple.errors import InputError


def test_cvode_ends_where_the_native_methods_do() -> None:
    pytest.importorskip("sksundae")
    robot = supple.load("canadarm")
    how = {"duration": 0.1, "motion": "paper", "samples": 6}
    here = supple.simulate(robot, None, **how)
    there = supple.simulate(robot, None, method="CVODE", rtol=1e-7, **how)
    assert np.allclose(here["q"], there["q"], rtol=1e-6, atol=1e-9)


def test_without_it_the_way_to_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sksundae.cvode", None)
    with pytest.raises(InputError, match="pip install"):
        supple.simulate(supple.load("canadarm"), None, 0.1, method="CVODE")
