"""What happens between a solver's steps is seen: pulses, steps, chirps and poles at random."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import supple
from supple import InputError, SimulationError
from supple.simulation.breaks import find_breaks

DURATION = 4.0


def wheel(inertia: float = 2.0, **joint: Any) -> supple.Robot:
    words = {"links": {"a": {"rigid": {"mass": 1.0, "inertia": inertia}}}}
    return supple.build(
        words | {"joints": [{"name": "j", "type": "revolute", "child": "a"} | joint]}
    )


def boom() -> supple.Robot:
    beam = {"length": 1.0, "mass": 2.0, "EI": 60.0, "modes": {"bending_y": 1}}
    words = {"links": {"a": {"beam": beam, "hub": {"inertia": 0.5}}}, "gravity": [0, 0, 0]}
    return supple.build(words | {"joints": [{"name": "j", "type": "revolute", "child": "a"}]})


@pytest.fixture(scope="module")
def arm() -> supple.Robot:
    return boom()


def triangle(t: float) -> float:
    return max(0.0, 200.0 * (1.0 - abs(t - 5.5) / 0.5))


@pytest.mark.parametrize("method", ["auto", "RK45", "Radau", "BDF", "LSODA"])
@pytest.mark.parametrize("way", ["table", "time", "feedback"])
def test_a_pulse_after_a_long_silence_turns_a_wheel(way: str, method: str) -> None:
    law: Any = {
        "table": ([0, 5, 5.5, 6, 10], [[0], [0], [200], [0], [0]]),
        "time": lambda t: [triangle(t)],
        "feedback": lambda t, q, qd: [triangle(t)],
    }[way]
    run = supple.simulate(wheel(), law, 10.0, samples=21, method=method)
    assert run["qd"][-1, 0] == pytest.approx(50.0, rel=1e-6)  # 100 N m s / 2 kg m^2
    assert run["q"][-1, 0] == pytest.approx(50.0 * 4.5, rel=1e-6)


def test_a_pulse_on_the_canadarm_is_not_stepped_over() -> None:
    """Angles by an own integration, split at the knots."""
    robot = supple.load("canadarm")
    fd = supple.compile(robot, "forward_dynamics")
    knots, values = [0, 1, 1.1, 1.2, 2], [0.0, 0.0, 200.0, 0.0, 0.0]
    run = supple.simulate(robot, (knots, [[v, 0.0, 0.0] for v in values]), 2.0, samples=3)

    def rate(t: float, y: Any) -> Any:
        tau = robot.input_matrix @ [np.interp(t, knots, values), 0.0, 0.0]
        return np.concatenate([y[9:], fd(y[:9], y[9:], tau)])

    y = np.zeros(18)
    for a, b in itertools.pairwise(knots):
        y = solve_ivp(rate, (a, b), y, method="DOP853", rtol=1e-10, atol=1e-12).y[:, -1]
    assert run["q"][-1] == pytest.approx(y[:9], abs=1e-7)
    assert abs(run["q"][-1, 0]) > 1e-3


def test_breaks_are_found_where_a_law_jumps_or_kinks() -> None:
    found = find_breaks(lambda t: np.array([abs(t - 1.234567891)]), 4.0)
    assert found == pytest.approx([1.234567891], abs=1e-9)
    found = find_breaks(lambda t: np.array([float(t > 2.718281828), np.sin(t)]), 4.0)
    assert found == pytest.approx([2.718281828], abs=1e-9)
    assert find_breaks(lambda t: np.array([np.sin(9.0 * t), t**3, 7.0]), 4.0) == []


def test_breaks_that_a_user_tells_are_kept_and_checked() -> None:
    narrow = lambda t, q, qd: [1e4 * (1.2345 <= t < 1.2346)]  # noqa: E731
    run = supple.simulate(wheel(), narrow, 4.0, samples=3, breaks=[1.2345, 1.2346])
    assert run["qd"][-1, 0] == pytest.approx(0.5, rel=1e-6)
    for bad in ("soon", [np.nan], 3.0, [[1.0]]):
        with pytest.raises(InputError, match=r"breaks is .* a list of times"):
            supple.simulate(wheel(), narrow, 4.0, breaks=bad)


def test_a_pulse_in_a_load_is_seen() -> None:
    bump = lambda t: [0, 0, 200.0 * np.exp(-(((t - 2.5) / 0.01) ** 2)), 0, 0, 0]  # noqa: E731
    run = supple.simulate(wheel(), None, 10.0, external={"a": bump}, samples=3)
    assert run["qd"][-1, 0] == pytest.approx(100.0 * 0.01 * np.sqrt(np.pi), rel=1e-6)
    assert run["work"][-1] == pytest.approx(run["kinetic"][-1], rel=1e-6)


def test_a_jerk_of_a_prescribed_joint_is_seen(arm: supple.Robot) -> None:
    """A jump of the rate by v, smooth over 2 ms, leaves d = (M_qd / M_dd) v / omega ringing."""
    from math import erf, exp, pi, sqrt

    v, s, at = 1e-3, 2e-3, 2.5

    def law(t: float) -> tuple[float, float, float]:
        x = (t - at) / s
        step, bell = 0.5 * v * (1 + erf(x)), v * exp(-x * x) / (s * sqrt(pi))
        return s * x * step + 0.5 * s * v * exp(-x * x) / sqrt(pi), step, bell

    run = supple.simulate(arm, None, 4.0, prescribed={"j": law}, samples=4001)
    M = supple.mass_matrix(arm, arm.neutral())
    omega = supple.frequencies(arm, locked=True).omega[0]
    height = M[0, 1] / M[1, 1] * v / omega * np.exp(-((omega * s) ** 2) / 4)
    assert np.abs(run["q"][3000:, 1]).max() == pytest.approx(height, rel=1e-3)


Case = tuple[str, Callable[[float], float], list[float]]


def drawn(rng: np.random.Generator) -> Case:
    """A law of time and the instants at which it is not smooth."""
    kind = rng.choice(["pulses", "steps", "chirp", "pole"])
    size = float(10.0 ** rng.uniform(-1, 1))  # laws of plain numbers: they are asked often
    at = np.sort(rng.uniform(0.1, DURATION - 0.1, rng.integers(1, 5))).tolist()
    if kind == "pulses":
        half = float(0.5 * DURATION * 10.0 ** rng.uniform(-2.7, -1))
        tops = [t + half for t in at]
        edges = sorted(x for t in tops for x in (t - half, t, t + half))
        return kind, lambda t: size * sum([max(0.0, 1 - abs(t - a) / half) for a in tops]), edges
    if kind == "steps":
        heights = size * rng.uniform(-1, 1, len(at))
        steps = list(zip(at, heights.tolist(), strict=True))
        return kind, lambda t: sum([height for x, height in steps if x <= t]), at
    if kind == "chirp":
        a, b = float(rng.uniform(1, 20)), float(rng.uniform(1, 10))
        return kind, lambda t: size * np.sin(a * t + b * t * t), []
    where = at[0]
    return kind, lambda t: size / (t - where) if t != where else 0.0, [where]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(200))
def test_random_laws_give_the_run_split_at_the_knots_or_none(arm: supple.Robot, seed: int) -> None:
    rng = np.random.default_rng(seed)
    kind, law, knots = drawn(rng)
    feedback = bool(rng.integers(2))
    gain = 3.0 if feedback else 0.0
    torque = (lambda t, q, qd: [law(t) - gain * qd[0]]) if feedback else (lambda t: [law(t)])
    if kind == "pole":
        with pytest.raises(SimulationError, match=r"t = \d"):
            supple.simulate(arm, torque, DURATION, samples=3)
        return
    run = supple.simulate(arm, torque, DURATION, samples=3)
    fd = supple.compile(arm, "forward_dynamics")

    def rate(t: float, y: Any) -> Any:
        return np.concatenate([y[2:], fd(y[:2], y[2:], np.array([law(t) - gain * y[2], 0.0]))])

    y, ends = np.zeros(4), [0.0, *(k for k in knots if k < DURATION), DURATION]
    for a, b in itertools.pairwise(ends):
        inner = np.nextafter(b, 0.0)  # the law as it is before b
        y = solve_ivp(rate, (a, inner), y, method="DOP853", rtol=1e-9, atol=1e-11).y[:, -1]
    state = np.concatenate([run["q"][-1], run["qd"][-1]])
    assert state == pytest.approx(y, rel=1e-5, abs=1e-6)
