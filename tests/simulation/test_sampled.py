"""Sampled controllers: discrete closed forms, delay, memory, order of the questions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import supple
from sliders import carried, slider
from supple import InputError
from supple.types import Floats

KP, KD, T = 3.0, 2.0, 0.1


def pd(t: float, q: Floats, qd: Floats) -> list[float]:
    return [-KP * q[0] - KD * qd[0]]


def by_hand(delay: float, count: int) -> Floats:
    """x'' = u, u = -KP x - KD v of the instants before, in effect `delay` (at most T) late."""
    x, v, old = 1.0, 0.0, 0.0
    out = []
    for _ in range(count):
        out.append([x, v])
        new = -KP * x - KD * v
        for u, h in ((old, delay), (new, T - delay)):
            x, v = x + h * v + 0.5 * h * h * u, v + h * u
        old = new
    return np.array(out)


@pytest.mark.parametrize("delay", [0.0, 0.03, 0.1])
def test_a_sampled_mass_is_where_the_recursion_puts_it(delay: float) -> None:
    law = supple.Sampled(pd, T, delay)
    run = supple.simulate(slider(), law, 3.0, q0=[1.0], samples=31)
    exact = by_hand(delay, 31)
    assert run["q"][:, 0] == pytest.approx(exact[:, 0], abs=1e-12)
    assert run["qd"][:, 0] == pytest.approx(exact[:, 1], abs=1e-12)
    assert run.inputs == "all inputs run natively"
    assert run.energy_error < 1e-10


def test_a_delay_longer_than_a_period_is_a_queue() -> None:
    """x'' = u, u = t_k asked at t_k = k T acts 2.5 T late: v = T sum of those in effect."""
    law = supple.Sampled(lambda t: [t], T, 2.5 * T)
    run = supple.simulate(slider(), law, 1.0, samples=11)
    wanted = [sum(T * max(min(t - 2.5 * T - k * T, T), 0) * k for k in range(9)) for t in run.time]
    assert run["qd"][:, 0] == pytest.approx(wanted, abs=1e-12)


def test_the_delay_margin_of_fast_samples_is_that_of_the_continuous_loop() -> None:
    """L = (kd s + kp)/s^2: |L| = 1 at w^2 = (kd^2 + sqrt(kd^4 + 4 kp^2))/2, margin atan(kd w/kp)/w;
    holding a value for h costs h/2 of it."""
    w = np.sqrt(0.5 * (KD**2 + np.sqrt(KD**4 + 4 * KP**2)))
    margin, h = np.arctan2(KD * w, KP) / w, 0.01

    def grown(delay: float) -> float:
        law = supple.Sampled(pd, h, delay - 0.5 * h)
        run = supple.simulate(slider(), law, 12.0, q0=[1.0], samples=241)
        size = np.hypot(w * run["q"][:, 0], run["qd"][:, 0])
        return float(size[-41:].max() / size[100:141].max())

    assert grown(0.97 * margin) < 1.0 < grown(1.03 * margin)


def test_between_its_instants_a_law_sees_nothing() -> None:
    """It is asked at 0, T, 2 T, ... once each and in order, though the robot vibrates fast."""
    asked = []

    def law(t: float, q: Floats, qd: Floats) -> list[float]:
        asked.append(t)
        return [0.0, 0.0]

    supple.simulate(carried(1e4), supple.Sampled(law, T), 1.0, q0=[0.0, 0.1])
    assert asked == pytest.approx(T * np.arange(10))


class Filtered:
    """A discrete integrator and a noisy sensor: memory of its own."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.sum, self.noise = 0.0, np.random.default_rng(3)

    def __call__(self, t: float, q: Floats, qd: Floats) -> list[float]:
        seen = 1.0 - q[0] + 1e-3 * self.noise.normal()
        self.sum += T * seen
        return [8.0 * seen - 4.0 * qd[0] + 3.0 * self.sum]


def test_a_memory_is_allowed_and_begins_anew_with_each_run() -> None:
    law = supple.Sampled(Filtered(), T)
    first, second = (supple.simulate(slider(gravity=-2.0), law, 12.0) for _ in range(2))
    assert np.array_equal(first["q"], second["q"])
    assert first["q"][-1, 0] == pytest.approx(1.0, abs=0.01)  # the integral carries the load


def test_a_sampled_pid_integrates_by_eulers_rule() -> None:
    run = supple.simulate(slider(), supple.Sampled(supple.pid(slider(), 4, 3, 2, [1.0]), T), 1.0)
    x = v = z = 0.0
    for _ in range(10):
        u, z = 4 * (1 - x) - 2 * v + 3 * z, z + T * (1 - x)
        x, v = x + T * v + 0.5 * T * T * u, v + T * u
    assert run["q"][-1, 0] == pytest.approx(x, abs=1e-12)


def test_a_sampled_controller_moves_a_closed_chain_and_obeys_scipy() -> None:
    robot = supple.load("five-bar")
    law = supple.Sampled(supple.pd(robot, 5.0, 0.5), 0.01)
    runs = [supple.simulate(robot, law, 0.2, method=m, samples=5) for m in ("auto", "DOP853")]
    assert runs[0]["q"] == pytest.approx(runs[1]["q"], abs=1e-7)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: supple.Sampled(pd, 0.0), "period is 0; it must be a positive"),
        (lambda: supple.Sampled(pd, -1.0), "period is -1"),
        (lambda: supple.Sampled(pd, "fast"), "period"),  # type: ignore[arg-type]
        (lambda: supple.Sampled(pd, T, -0.1), "delay is -0.1"),
        (lambda: supple.Sampled(pd, 1e-9), "more than 1000000 instants"),
        (lambda: supple.Sampled(supple.Sampled(pd, T), T), "sampled again"),
        (lambda: supple.Sampled(lambda t: [1.0, 2.0], T), r"has shape \(2,\), expected \(1,\)"),
        (lambda: supple.Sampled(lambda t: [np.nan], T), "must be finite"),
    ],
)
def test_a_wrong_sampler_is_told(make: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        supple.simulate(slider(), make(), 1.0)


def test_many_runs_each_have_a_memory_of_their_own() -> None:
    law, starts = supple.Sampled(pd, T), [1.0, -0.5, 0.2]
    runs = supple.simulate_many(slider(), {"q0": {"x": starts}}, law, 1.0, samples=11)
    for k in (2, 0):
        alone = supple.simulate(slider(), law, 1.0, q0=[starts[k]], samples=11)
        assert np.array_equal(runs["q"][k], alone["q"])
        assert np.array_equal(runs.run(k)["tau"], alone["tau"])
