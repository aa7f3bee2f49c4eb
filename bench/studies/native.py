"""A native run that is prepared once and made many times, and the same equations in the hands of
other solvers."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from supple.robot import Robot
from supple.simulation import StateRate, Tolerances
from supple.simulation.integrators import log as at
from supple.simulation.native_inputs import Answers, NativeInputs
from supple.simulation.run import prepared, times_of, tolerances
from supple.simulation.runner import SELDOM, Runner, SampleTimes
from supple.types import Floats

MOST = 50_000_000  # steps


@dataclass(frozen=True)
class Made:
    """A run: its samples, steps that stood and that did not, and its best time."""

    states: Floats  # (samples, size)
    steps: int
    refused: int
    seconds: float


class Prepared:
    """A robot with what drives it, compiled: only the integration is left to do."""

    def __init__(
        self,
        robot: Robot,
        torque: object = None,
        duration: float | None = None,
        motion: object = None,
        samples: int = 501,
        **more: Any,
    ) -> None:
        self.robot = robot
        self.times = times_of(duration, motion, robot, samples)
        self.duration = float(self.times[-1])
        how = tolerances("explicit", 1e-8, 1e-10, None, self.duration)
        self.drive = prepared(robot, torque, self.times, how, motion, **more)
        self.motor = StateRate(self.drive)
        self.inputs = NativeInputs(self.drive, self.motor, Answers())
        self.first = np.concatenate([self.drive.q, self.drive.qd, [0.0, 0.0]])
        self.motor.stretch = (0.0, self.duration)
        self.every = SELDOM if self.inputs.smooth(self.duration, self.first) else 1.0

    def run(self, how: Tolerances, turns: int = 1) -> Made:
        """By native code from the first state to the last sample, as `supple.simulate` does it."""
        runner = Runner(
            self.drive,
            self.motor,
            self.inputs,
            how.method,
            SampleTimes(len(self.times), self.duration),
        )
        fresh, best = runner.log.copy(), np.inf
        for _ in range(turns):
            runner.log[:] = fresh
            runner.check_every(self.every)
            runner.samples[0] = self.first
            begin = time.process_time()
            self._march(runner, how)
            best = min(best, time.process_time() - begin)
        refused = int(runner.log[at.REFUSED])
        return Made(runner.samples.copy(), runner.steps, refused, best)

    def _march(self, runner: Runner, how: Tolerances) -> None:
        y, t, step = self.first, 0.0, how.step or 0.0
        for end in [*self.drive.breaks(self.duration), self.duration]:
            self.motor.stretch = (t, end)
            runner.start(t, y, end, how, step)
            runner.go(MOST)
            if runner.status != at.GOING:
                raise SystemExit(f"the run by {how} stopped at t = {runner.t:.6g} s")
            t, y, step = end, runner.y, runner.step
        self.motor.stretch = (0.0, self.duration)

    def rate(self) -> Callable[[float, Floats], Floats]:
        """d(state)/dt by the same compiled code, for solvers that call Python."""
        law, kernel, clock = self.inputs.kernel, self.drive.kernel, np.zeros(1)
        assert law is not None
        numbers = self.inputs.numbers_between(0.0, self.duration)
        u = law(clock, self.first, numbers)

        def rate(t: float, y: Floats) -> Floats:
            clock[0] = t
            law(clock, y, numbers, u)
            return np.asarray(kernel(y, u))

        return rate

    def error(self, states: Floats, true: Floats) -> float:
        """Of the joint angles, at all samples [rad]."""
        joints = list(self.robot.joint_indices)
        return float(np.abs(states - true)[:, joints].max())


def by_lsoda(problem: Prepared, way: str, rtol: float, atol: float) -> Made:
    """By SciPy's LSODA with our compiled rate: "odeint" loops over its steps natively, "solve_ivp"
    in Python."""
    from scipy.integrate import odeint, solve_ivp

    rate, y, times = problem.rate(), problem.first, problem.times
    begin = time.process_time()
    if way == "odeint":
        states = odeint(rate, y, times, tfirst=True, rtol=rtol, atol=atol, mxstep=10**6)
    else:
        span = (0.0, problem.duration)
        states = solve_ivp(rate, span, y, "LSODA", times, rtol=rtol, atol=atol).y.T
    return Made(states, 0, 0, time.process_time() - begin)


def by_cvode(problem: Prepared, method: str, rtol: float, atol: float) -> Made:
    """By CVODE ("Adams" or "BDF") that calls our compiled rate."""
    from sksundae.cvode import CVODE

    own = problem.rate()

    def rate(t: float, y: Floats, yp: Floats) -> None:
        yp[:] = own(t, y)

    solver = CVODE(rate, method=method, rtol=rtol, atol=atol, max_num_steps=10**7)
    begin = time.process_time()
    found = solver.solve(problem.times, problem.first)
    return Made(np.asarray(found.y), int(found.nfev), 0, time.process_time() - begin)


Solve = Callable[[Prepared, str, float, float], Made]


def cheapest(
    problem: Prepared, solve: Solve, method: str, true: Floats, goal: float, turns: int
) -> tuple[Made, float, float, float]:
    """The fastest run whose error is at most `goal`, over tolerances two to a decade: the run,
    its error, rtol and atol."""
    found: list[tuple[Made, float, float, float]] = []
    for share in (1.0, 1e-2):
        for rtol in 10.0 ** -np.arange(4.0, 11.5, 0.5):
            made = solve(problem, method, rtol, share * rtol)
            error = problem.error(made.states, true)
            if error <= goal:
                found.append((made, error, rtol, share * rtol))
                break
    best = min(found, key=lambda x: x[0].seconds)
    again = [solve(problem, method, *best[2:]) for _ in range(turns)]
    return (min([best[0], *again], key=lambda made: made.seconds), *best[1:])
