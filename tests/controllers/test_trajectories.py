"""Motions from point to point: closed forms, limits, derivatives, and that they run natively."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import supple
from sliders import slider
from supple import InputError
from supple.simulation import named_motion

T = 1.6


def arm() -> supple.Robot:
    return supple.load("lin-lewis-rr")


def motions() -> dict[str, supple.simulation.Motion]:  # type: ignore[name-defined]
    to = {"joint1": (0.3, 1.5), "joint2": -0.4}
    return {
        "cycloidal": supple.cycloidal(arm(), to, T, start=0.2),
        "quintic": supple.quintic(arm(), to, T, start=0.2),
        "trapezoidal": supple.trapezoidal(arm(), to, 1.0, {"joint1": 2.0, "joint2": 9.0}),
        "through": supple.through(arm(), [0, 0.7, 1, 2], {"joint1": [0.3, 1, 2, 1.5]}),
    }


@pytest.mark.parametrize("kind", ["cycloidal", "quintic", "trapezoidal", "through"])
def test_rates_and_accelerations_are_derivatives_and_native_numbers_are_the_same(kind: str) -> None:
    motion, h = motions()[kind], 1e-5
    edges = sorted({0.0, *motion.breaks, motion.duration + 1.0})
    for a, b in itertools.pairwise(edges):
        t = 0.4 * a + 0.6 * b
        x, v, acc = motion(t)
        before, after = motion(t - h), motion(t + h)
        assert v == pytest.approx((after[0] - before[0]) / (2 * h), abs=1e-7)
        assert acc == pytest.approx((after[1] - before[1]) / (2 * h), abs=1e-6)
        way = motion.written
        assert way is not None
        found = way.of(t, np.zeros(2), np.zeros(2), way.numbers(a, b))
        assert found == pytest.approx(np.concatenate([x, v, acc]), abs=1e-12)


def test_the_cycloidal_motion_is_that_of_the_paper() -> None:
    """[MohanSaha], eq. (44), as canadarm's file writes it out for its second and third joint."""
    robot = supple.load("canadarm")
    written = named_motion(robot, "paper")
    made = supple.cycloidal(robot, {"joint2": 0.5, "joint3": 1.0}, 10.0)
    assert written is not None
    for t in np.linspace(0.0, 10.0, 31):
        for k in range(3):
            assert made(t)[k][1:] == pytest.approx(written(t)[k][1:], abs=1e-14)


def test_the_quintic_begins_and_ends_at_rest_and_peaks_where_it_should() -> None:
    """Largest rate 15/8 of the mean, largest acceleration 10/sqrt(3) D/T^2."""
    motion = supple.quintic(slider(), {"x": 2.0}, T)
    assert np.array(motion(0.0)).ravel() == pytest.approx([0, 0, 0], abs=1e-12)
    assert np.array(motion(T)).ravel() == pytest.approx([2, 0, 0], abs=1e-12)
    assert motion(T / 2)[1][0] == pytest.approx(15 / 8 * 2 / T)
    peak = T * (0.5 - np.sqrt(3) / 6)
    assert motion(peak)[2][0] == pytest.approx(10 / np.sqrt(3) * 2 / T**2)


@pytest.mark.parametrize("shape", [(), (4,), (2, 2), (0,)])
def test_a_motion_takes_arrays_of_times(shape: tuple[int, ...]) -> None:
    """x - sin(2 pi x)/(2 pi), x = t/T, of two joints: times first, joints last."""
    t = np.resize([0.0, 0.3, 0.8, T], shape)
    motion, x = supple.cycloidal(arm(), {"joint1": 1.0, "joint2": -2.0}, T), 2 * np.pi * t / T
    course = (x - np.sin(x)) / (2 * np.pi), (1 - np.cos(x)) / T, 2 * np.pi * np.sin(x) / T**2
    for found, want in zip(motion(t), course, strict=True):
        assert found.shape == (*shape, 2)
        assert found == pytest.approx(want[..., None] * [1.0, -2.0], abs=1e-12)


@pytest.mark.parametrize("wrong", ["1", None, np.nan, [0.0, np.inf], [[1.0], [1.0, 2.0]], 1j])
def test_what_is_no_time_of_a_motion_is_told(wrong: Any) -> None:
    with pytest.raises(InputError, match="give finite times"):
        motions()["quintic"](wrong)


def test_a_trapezoid_takes_the_time_that_its_limits_ask_for() -> None:
    """T = D/v + v/a; where the rate is not reached 2 sqrt(D/a)."""
    assert supple.trapezoidal(slider(), {"x": 2.0}, 1.0, 4.0).duration == pytest.approx(2.25)
    assert supple.trapezoidal(slider(), {"x": 0.04}, 1.0, 4.0).duration == pytest.approx(0.2)


def test_joints_of_a_trapezoid_move_together_and_none_breaks_its_limits() -> None:
    motion = motions()["trapezoidal"]
    rows = np.array([motion(t) for t in np.linspace(0, motion.duration, 2001)])
    first, last = np.array([0.3, 0.0]), np.array([1.5, -0.4])
    share = (rows[:, 0] - first) / (last - first)
    assert share[:, 0] == pytest.approx(share[:, 1], abs=1e-12)
    assert np.abs(rows[:, 1]).max(axis=0)[0] == pytest.approx(1.0)  # joint1 sets the pace
    assert np.all(np.abs(rows[:, 2]) <= np.array([2.0, 9.0]) + 1e-12)


def test_a_trajectory_is_followed_when_prescribed_natively() -> None:
    motion = motions()["trapezoidal"]
    run = supple.simulate(arm(), None, 2.0, prescribed=motion, samples=41)
    assert run["q"] == pytest.approx(np.array([motion(t)[0] for t in run.time]), abs=1e-12)
    assert run.inputs == "all inputs run natively"
    assert run.energy_error < 1e-8


def test_feed_forward_of_a_trajectory_keeps_the_rigid_robot_on_it() -> None:
    motion = motions()["quintic"]
    run = supple.simulate(arm(), motion=motion, samples=41)
    assert np.abs(run["q"] - run["desired"]).max() < 1e-6
    assert run.inputs == "all inputs run natively"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda a: supple.quintic(a, {"joint3": 1.0}, 1.0), "no joint named 'joint3'"),
        (lambda a: supple.quintic(a, {}, 1.0), "give {joint: last place}"),
        (lambda a: supple.quintic(a, {"joint1": "up"}, 1.0), "target of joint1"),
        (lambda a: supple.quintic(a, {"joint1": np.inf}, 1.0), "must be finite"),
        (lambda a: supple.cycloidal(a, {"joint1": 1.0}, 0.0), "duration is 0"),
        (lambda a: supple.cycloidal(a, {"joint1": 1.0}, 1.0, start=-1), "start is -1"),
        (lambda a: supple.trapezoidal(a, {"joint1": 1.0}, -1, 1), "rate of joint1 is -1"),
        (lambda a: supple.trapezoidal(a, {"joint1": 1.0}, 1, {}), "acceleration has no limit"),
        (lambda a: supple.trapezoidal(a, {"joint1": 0.0}, 1, 1), "needs a joint that moves"),
        (lambda a: supple.through(a, [0, 1], {"joint1": [0, 1, 2]}), "expected 2 finite numbers"),
        (lambda a: supple.through(a, [1, 0], {"joint1": [0, 1]}), "times must rise"),
    ],
)
def test_a_wrong_target_is_told(make: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        make(arm())
