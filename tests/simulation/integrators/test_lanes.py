"""Runs side by side in the lanes of vectors are what each is alone."""

from __future__ import annotations

import numpy as np
import pytest

import supple
from supple.simulation import simulate_many

LAW = {
    "of time": lambda t: [20.0 * np.sin(3.0 * t), 0.0, np.cos(t)],
    "of the state": lambda t, q, qd: -30.0 * q - 5.0 * qd + np.sin(3.0 * t),
}


@pytest.mark.parametrize("law", LAW)
@pytest.mark.parametrize("method", ["explicit", "rosenbrock"])
def test_each_of_many_runs_is_as_if_alone(law: str, method: str) -> None:
    """A law of time alone is asked once for each instant, whichever lane needs it."""
    robot, how = supple.load("canadarm"), {"method": method, "rtol": 1e-7, "atol": 1e-9}
    starts = np.array([0.0, 0.3, -0.2])
    many = simulate_many(
        robot, {"q0": {"joint2": starts}}, LAW[law], 0.5, samples=6, **how
    )  # fmt: skip
    for k, start in enumerate(starts):
        alone = supple.simulate(robot, LAW[law], 0.5, q0={"joint2": start}, samples=6, **how)
        assert np.abs(many["q"][k] - alone["q"]).max() < 1e-7
    by_scipy = supple.simulate(
        robot, LAW[law], 0.5, q0={"joint2": -0.2}, samples=6, method="DOP853", rtol=1e-9
    )
    assert np.abs(many["q"][2] - by_scipy["q"]).max() < 1e-6
