"""Native integrators: their order, and that native code does what their source says."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import supple
from quick_runs import quick_run
from sliders import slider
from supple.errors import InputError, SimulationError, SuppleWarning
from supple.simulation import SimulatedRobot, StateRate, Tolerances
from supple.simulation.inputs import torque_law
from supple.simulation.integrators import METHODS, bound, log as at
from supple.simulation.native_inputs import Answers, NativeInputs
from supple.simulation.runner import Runner, SampleTimes, absorbing

M, C, K, W = 2.0, 0.4, 8.0, 3.0
ORDERS = {"rk4": 4, "explicit": 8, "rosenbrock": 5, "sweep": 3}


def oscillator() -> supple.Robot:
    joint = {"name": "x", "type": "prismatic", "axis": [1, 0, 0], "child": "a"}
    springs = {"stiffness": K, "damping": C}
    words = {"links": {"a": {"rigid": {"mass": M}}}, "gravity": [0, 0, 0]}
    return supple.build(words | {"joints": [joint | springs]})


def exact(t: float) -> float:
    """m x'' + c x' + k x = sin(w t), from rest."""
    answer = 1.0 / (K - M * W * W + 1j * C * W)
    roots = np.roots([M, C, K])
    start = [-answer.imag, -(1j * W * answer).imag]
    free = np.linalg.solve([[1, 1], roots], start)
    return float((answer * np.exp(1j * W * t)).imag + (free @ np.exp(roots * t)).real)


@pytest.mark.filterwarnings("ignore::supple.SuppleWarning")
@pytest.mark.parametrize("method", ORDERS)
def test_halving_the_step_shows_the_order(method: str) -> None:
    def error(step: float) -> float:
        force = lambda t: [np.sin(W * t)]  # noqa: E731
        run = supple.simulate(oscillator(), force, 4.0, method=method, step=step, samples=3)
        return abs(float(run["q"][-1, 0]) - exact(4.0))

    long = 0.4 if method == "explicit" else 0.1
    order = np.log2(error(long) / error(0.5 * long))
    assert ORDERS[method] - 0.1 < order < ORDERS[method] + 0.8


@pytest.mark.filterwarnings("ignore::supple.SuppleWarning")
def test_feedback_in_place_of_spring_and_damper_shows_the_order_too() -> None:
    """Rosenbrock's method has its order with the exact Jacobian only, that of the law included."""

    def error(step: float) -> float:
        force = lambda t, q, qd: [np.sin(W * t) - K * q[0] - C * qd[0]]  # noqa: E731
        how: Any = {"method": "rosenbrock", "step": step, "samples": 3}
        run = supple.simulate(slider(M), force, 4.0, **how)
        return abs(float(run["q"][-1, 0]) - exact(4.0))

    assert 4.9 < np.log2(error(0.1) / error(0.05)) < 5.8


@pytest.mark.parametrize("method", ["explicit", "rosenbrock", "sweep"])
def test_samples_between_the_steps_are_as_good_as_the_steps(method: str) -> None:
    run = supple.simulate(
        oscillator(), lambda t: [np.sin(W * t)], 4.0, method=method, samples=401, rtol=1e-7
    )
    wrong = [abs(x - exact(t)) for t, x in zip(run.time, run["q"][:, 0], strict=True)]
    assert max(wrong) < 3e-6


class Harness:
    """One run, by native code or by the source of the integrator in plain Python."""

    def __init__(self, robot: supple.Robot, torque: Any, method: str) -> None:
        q, qd = robot.neutral() + 0.1, np.zeros(robot.nv)
        law = torque_law(robot, torque, q, qd, 1.0)
        self.drive = SimulatedRobot(robot, law)
        self.rate = StateRate(self.drive)
        self.rate.stretch = (0.0, 1.0)
        self.inputs = NativeInputs(self.drive, self.rate, Answers())
        self.runner = Runner(self.drive, self.rate, self.inputs, method, SampleTimes(1001, 1.0))
        self.y = np.concatenate([q, qd, [0.0, 0.0]])
        self.how = Tolerances(method, 1e-6, 1e-8)
        self.runner.start(0.0, self.y, 1.0, self.how, 1e-3)
        self.method = method

    def native(self) -> Any:
        self.runner.go(60)
        return self.runner.y, self.runner.samples, self.runner.log

    def python(self) -> Any:
        drive, runner, size = self.drive, self.runner, self.drive.size
        kernel, numbers = self.inputs.kernel, self.inputs.numbers_between(0.0, 1.0)
        assert kernel is not None
        ways = [
            lambda g, out: _put(out, kernel(g[0][:1], g[1][:size], numbers)),
            lambda g, out: _put(out, drive.kernel(g[0][:size], g[1][: drive.inputs])),
            lambda g, out: _put(out, drive.kernel.jacobian("x0")(g[0][:size], g[1])),
            lambda g, out: _put(out, kernel.jacobian("x0", "x1")(g[0][:1], g[1][:size], numbers)),
            lambda g, out: _put(out, absorbing(drive)(g[0][:size], g[1], g[2][:size])),
        ]
        clock = np.array([0.0, *self.rate.stretch, np.nan, self.inputs.fed])
        u = np.zeros(drive.inputs)
        asked, moved = [clock, None, numbers], [None, u]
        given = [asked, moved, moved, asked, [None, np.zeros(1), None]]
        log, y, samples = runner.log.copy(), self.y.copy(), np.full(1001 * size, np.nan)
        work = np.zeros(200 * size * size)
        march = bound(METHODS[self.method])["march"]
        run = at.Problem(ways, given, size, runner.pairs, drive.inputs, log)
        march(run, y, samples, np.zeros(size), work, 60)
        return y, samples.reshape(1001, size), log


def _put(out: Any, values: Any) -> None:
    flat = np.ravel(values)
    out[: len(flat)] = flat


@pytest.mark.parametrize("method", ["explicit", "rosenbrock", "sweep"])
def test_native_code_does_what_the_source_does_in_python(method: str) -> None:
    """With feedback, so that the slopes of the law are in it."""
    robot = supple.load("canadarm")
    torque = lambda t, q, qd: -3.0 * q - 0.2 * qd + np.sin(5.0 * t)  # noqa: E731
    there = Harness(robot, torque, method).native()
    here = Harness(robot, torque, method).python()
    assert there[2][at.STEPS] == here[2][at.STEPS] > 5
    assert np.allclose(there[0], here[0], rtol=1e-5, atol=1e-5)  # steps differ by rounding
    filled = ~np.isnan(there[1][:, 0] + here[1][:, 0])
    assert np.allclose(there[1][filled], here[1][filled], rtol=1e-5, atol=1e-6)
    assert np.isclose(there[2][at.GAP], here[2][at.GAP], rtol=0.02)


@pytest.mark.parametrize("name", ["canadarm", "stanford", "four-bar-flexible", "cibicik-arm"])
def test_all_native_methods_end_where_scipys_do(name: str) -> None:
    """Loops, quaternions or prismatic joints, linearised shapes."""
    robot = supple.load(name)
    native = ("explicit", "rosenbrock", "sweep")
    with warnings.catch_warnings(), quick_run(*native):
        warnings.simplefilter("ignore")
        runs = {
            m: supple.simulate(robot, None, 0.05, method=m, samples=3, rtol=1e-7, atol=1e-9)
            for m in (*native, "LSODA")
        }
    end = runs["LSODA"]["q"][-1]
    for run in runs.values():
        assert np.allclose(run["q"][-1], end, rtol=1e-5, atol=1e-5 * np.abs(end).max())


def test_steps_that_are_too_long_are_told_or_end() -> None:
    robot = supple.load("canadarm")
    for method, step in (("rk4", 0.003), ("explicit", 0.01)):  # 1035 rad/s
        with pytest.raises(SimulationError, match=r"a mode at 1.03e[+]03 rad/s would blow up"):
            supple.simulate(robot, None, 10.0, method=method, step=step)
    with pytest.warns(SuppleWarning, match=r"steps of 0.002 s by rk4 leave the equations"):
        supple.simulate(robot, motion="paper", method="rk4", step=0.002)


@pytest.mark.parametrize(
    ("method", "step", "words"),
    [
        ("rk4", None, "rk4 goes by steps of one length"),
        ("DOP853", 1e-3, "chooses its own steps"),
        ("rk4", 11.0, "between 1e-09 s and the duration"),
        ("rk4", "long", "step is 'long'"),
        ("rk5", None, "no method named"),
    ],
)
def test_wrong_steps_are_named(method: str, step: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        supple.simulate(oscillator(), None, 1.0, method=method, step=step)


@pytest.mark.filterwarnings("ignore::supple.SuppleWarning")
def test_samples_at_the_ends_of_steps_are_all_kept() -> None:
    """Steps as long as samples are apart: which side of a sample they end on is rounding."""
    for duration, count in ((10.0, 501), (1.0, 50), (0.7, 71)):
        step = duration / (count - 1)
        run = supple.simulate(oscillator(), [1.0], duration, method="rk4", step=step, samples=count)
        assert run["q"].shape == (count, 1)
        assert np.all(np.isfinite(run["q"]))


def test_steps_at_the_edge_of_stability_are_seldom_refused() -> None:
    """1035 rad/s hold explicit steps below 6 ms; their length does not swing about the edge."""
    robot = supple.load("canadarm")
    drive = SimulatedRobot(
        robot, torque_law(robot, lambda t: [np.sin(t), 0, 0], *rest(robot), 10.0)
    )
    motor = StateRate(drive)
    inputs = NativeInputs(drive, motor, Answers())
    runner = Runner(drive, motor, inputs, "explicit", SampleTimes(11, 10.0))
    y = np.concatenate([*rest(robot), [0.0, 0.0]])
    runner.start(0.0, y, 10.0, Tolerances("explicit", 1e-6, 1e-6))
    runner.go(100_000)
    assert runner.t == 10.0
    assert runner.log[at.REFUSED] < 0.1 * runner.steps


def rest(robot: supple.Robot) -> tuple[Any, Any]:
    return robot.neutral(), np.zeros(robot.nv)
