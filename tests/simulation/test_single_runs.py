"""Runs of many that cannot go side by side are made one after the other, as if alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import supple
from sliders import slider
from supple.types import Floats

Q = [0.3, -0.2, 0.1]


def decides(t: float, q: Floats, qd: Floats) -> list[float]:
    """A hard switch; no tracing gets past the `if`."""
    return [-1.0 if q[0] > 0.05 else 2.0]


def switches(t: float, q: Any, qd: Any) -> list[Any]:
    """The same, as it can be traced: runs go side by side, and meet a jump there."""
    return [np.where(q[0] > 0.05, -1.0, 2.0)]


@pytest.mark.parametrize("law", [decides, switches])
def test_forces_that_jump_are_followed_in_every_run(law: Any) -> None:
    """Until it is at 0.05 a block of 1 kg is pushed by 2 N, then held back by 1 N and the varied
    torque."""
    more = np.array([0.0, 0.2, -0.3])
    variations = {"q0": {"x": [0.0, 0.01, 0.02]}, "torque": {"x": more}}
    runs = supple.simulate_many(slider(), variations, law, 0.4, samples=5)
    assert not runs.failed
    for k in range(3):
        x0, a, b = 0.01 * k, 2.0 + more[k], -1.0 + more[k]
        t1 = np.sqrt(2.0 * (0.05 - x0) / a)
        s = 0.4 - t1
        assert runs["q"][k, -1, 0] == pytest.approx(0.05 + a * t1 * s + 0.5 * b * s**2, abs=1e-7)


def test_chatter_is_named_soon() -> None:
    """A sign(v) that should hold a block still has no solution that steps could follow."""
    law = lambda t, q, qd: [0.5 - 2.0 * np.sign(qd[0])]  # noqa: E731
    starts = {"qd0": {"x": [0.3, -0.2, 0.1]}}
    runs = supple.simulate_many(slider(), starts, law, 1.0, samples=5)
    assert sorted(runs.failed) == [0, 1, 2]
    assert all("switch without end" in why for why in runs.failed.values())


def test_closed_chains_close_by_their_own_lengths_and_run_as_if_alone() -> None:
    robot, name = supple.load("five-bar"), "proximal1.beam.length"
    lengths = [0.6, 0.63]
    variations: dict[str, Any] = {"torque": {"motor1": [0.5, -0.5]}, name: lengths}
    runs = supple.simulate_many(robot, variations, None, 0.05, samples=4)
    assert not runs.failed
    other = robot.with_parameters({name: lengths[1]})
    alone = supple.simulate(other, [-0.5, 0.0, 0.0, 0.0], 0.05, samples=4)
    assert np.array_equal(runs["q"][1], alone["q"])
    assert np.abs(runs.run(1)["closure"]).max() < 1e-9


def test_joints_that_stick_stand_in_some_runs_and_slide_in_others() -> None:
    friction = {"coulomb": 4.0, "static": 6.0, "stick": True}
    runs = supple.simulate_many(
        slider(2.0, friction=friction), {"torque": {"x": [5.0, 8.0]}}, None, 1.0, samples=3
    )
    assert np.all(runs["q"][0] == 0.0)
    assert runs["q"][1, -1, 0] == pytest.approx(0.5 * (8.0 - 4.0) / 2.0)


def test_quaternions_are_brought_to_length_one() -> None:
    words = {"links": {"a": {"rigid": {"mass": 1.0, "inertia": [0.1, 0.2, 0.3]}}}}
    words |= {"gravity": [0, 0, 0], "joints": [{"name": "b", "type": "spherical", "child": "a"}]}
    robot, spin = supple.build(words), [[0.1, 3.0, 0.2], [1.0, 0.0, 2.0]]
    turned = [[2.0, 0.0, 0.0, 0.0], [3.0, 4.0, 0.0, 0.0]]
    runs = supple.simulate_many(robot, {"q0": turned, "qd0": spin}, None, 0.5, samples=3)
    for k in (0, 1):
        alone = supple.simulate(robot, None, 0.5, q0=turned[k], qd0=spin[k], samples=3)
        assert np.allclose(runs["q"][k], alone["q"], rtol=0.0, atol=1e-12)
