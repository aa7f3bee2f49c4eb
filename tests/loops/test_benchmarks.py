"""Published benchmarks of rigid closed chains."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import supple
from loops.benchmarks import (
    ANDREWS_END,
    ANDREWS_START,
    andrews,
    andrews_torques,
    bricard,
    n_four_bar,
)

pytestmark = pytest.mark.filterwarnings("ignore:the motors of:supple.SuppleWarning")


def drift(run: Any) -> float:
    """The larger of the absolute [J] and relative drifts of the energy."""
    energy = run["kinetic"] + run["gravity"]
    gap = float(np.abs(energy - energy[0]).max())
    return max(gap, gap / float(np.ptp(run["kinetic"])))


def test_andrews_mechanism_ends_where_it_is_published_to() -> None:
    robot = andrews()
    start = dict(zip(robot.coordinate_names, robot.home(), strict=True))
    assert start == pytest.approx(ANDREWS_START, abs=1e-14)
    run = supple.simulate(robot, andrews_torques(robot), 0.03, rtol=1e-11, atol=1e-13, samples=2)
    end = {name: run[name][-1] for name in ANDREWS_END}
    assert end == pytest.approx(ANDREWS_END, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("n", [1, 4])
def test_four_bars_swing_through_their_singular_places(n: int) -> None:
    """Every half turn all bars lie in one line, and each loop could go on as an antiparallelogram.
    Parallelograms are one pendulum: posts turn, bars shift."""
    robot = n_four_bar(n)
    run = supple.simulate(robot, None, 10.0, qd0={"a0": -1.0}, rtol=1e-13, atol=1e-14, samples=501)
    assert drift(run) < 1e-9
    posts = np.array([run[f"a{k}"] for k in range(n + 1)])
    assert np.abs(posts - posts[0]).max() < 1e-8  # still parallelograms
    assert posts.min() < -4 * 2 * np.pi
    inertia, moment = (n + 1) / 3 + n, 9.81 * ((n + 1) / 2 + n)
    pendulum = solve_ivp(
        lambda t, y: [y[1], -moment / inertia * np.cos(y[0])],
        (0.0, 10.0), [np.pi / 2, -1.0], "DOP853", run.time, rtol=1e-13, atol=1e-13,
    )  # fmt: skip
    np.testing.assert_allclose(posts[0], pendulum.y[0], atol=1e-8)


def test_bricards_mechanism_keeps_its_energy() -> None:
    robot = bricard()
    freedom = supple.mobility(robot, robot.home())
    assert (freedom.degrees_of_freedom, freedom.redundant) == (1, 1)
    run = supple.simulate(robot, None, 10.0, rtol=1e-12, atol=1e-13, samples=501)
    assert drift(run) < 1e-9
    assert np.ptp(run["kinetic"]) > 4.0  # it does fall
    assert np.abs(run["closure"]).max() < 1e-12
