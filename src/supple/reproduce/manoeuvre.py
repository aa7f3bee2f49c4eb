"""The 6 s manoeuvre of the 4-DOF arm of [CibicikEgeland], section VI-B, in three models.

    nonlinear    the recursion, `first_order` kinematics
    linearised   the recursion, `linearized` kinematics: O(n)
    as printed   Kane's equations with dual screws, the paper's elastic columns and sections
PD control holds the start, at 0.5 s turns joints 2 to 4, at 3 s joint 1. The paper keeps its
gains to itself: these are ours, without gravity compensation. Controller and equations are one
compiled right-hand side; each change of the set point starts the integrator anew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from time import perf_counter
from typing import cast

import numpy as np

from .. import recursion
from ..engine import Kernel, traced
from ..errors import SimulationError
from ..formulations import kane
from ..formulations.linear import still_sections
from ..lazy import cached_property
from ..model import load
from ..robot import Robot
from ..simulation.integrators import log
from ..simulation.runner import Entry, Runner, SampleTimes, entry
from ..simulation.solver import Tolerances
from ..tracer.function import Function
from ..types import Array, Floats

START = np.array([0.0, np.pi / 6, 2 * np.pi / 3, np.pi / 6])
REACH = np.array([0.0, np.pi / 3, np.pi / 3, np.pi / 3])
SLEW = np.array([np.pi / 4, np.pi / 3, np.pi / 3, np.pi / 3])
STAGES = ((0.5, START), (3.0, REACH), (6.0, SLEW))  # until when, where to
SAMPLE = 5e-4  # s between kept states
HOW = Tolerances("explicit", 1e-9, 1e-12)
MARCH = 10_000  # steps without returning to Python


@dataclass(frozen=True)
class Gains:
    """Of the PD control of the four joints."""

    kp: tuple[float, ...]
    kd: tuple[float, ...]


GAINS = Gains((150.0, 4000.0, 2000.0, 200.0), (250.0, 3000.0, 1100.0, 60.0))
FAST = Gains((1500.0, *GAINS.kp[1:]), (1000.0, *GAINS.kd[1:]))  # of the slew

Forward = Callable[[Array, Array, Array], Array]


@cache
def robot(kinematics: str = "first_order") -> Robot:
    """The arm of Table I."""
    return load("cibicik-arm").replace(elastic_kinematics=kinematics)


def _as_printed() -> Forward:
    arm = robot()
    order = kane.Order("paper", still_sections(arm))
    return lambda q, u, tau: kane.forward_dynamics(arm, q, u, tau, order)


def _recursion(kinematics: str) -> Forward:
    arm = robot(kinematics)
    return lambda q, u, tau: recursion.forward_dynamics(arm, q, u, tau)


MODELS: dict[str, Callable[[], Forward]] = {
    "nonlinear": lambda: _recursion("first_order"),
    "linearised": lambda: _recursion("linearized"),
    "as printed": _as_printed,
}


@dataclass(frozen=True)
class Run:
    """Sampled states, and what they cost. seconds: of compiling, of the run, of one evaluation."""

    t: Floats  # (n,)
    q: Floats  # (n, 16)
    u: Floats  # (n, 16)
    torque: Floats  # (n, 4)
    evaluations: int
    steps: int
    operations: dict[str, int]
    compiling: float
    wall: float
    each: float

    def at(self, t: float) -> int:
        """The sample at time t."""
        return int(np.argmin(np.abs(self.t - t)))


def control(gains: Gains, q: Array, u: Array, goal: Array) -> Array:
    """PD torques (..., 4) of the joints."""
    joints = list(robot().joint_indices)
    kp, kd = np.array(gains.kp), np.array(gains.kd)
    return np.asarray(kp * (goal - q[..., joints]) - kd * u[..., joints])


def right_hand_side(model: str, gains: Gains = GAINS) -> Kernel:
    """Native (state, set point) -> d(state)/dt, the controller inside."""
    arm, forward = robot(), MODELS[model]()

    def rate(x: Array, goal: Array) -> Array:
        q, u = x[: arm.nv], x[arm.nv :]
        return np.concatenate([u, forward(q, u, arm.input_matrix @ control(gains, q, u, goal))])

    return traced(rate, (2 * arm.nv, 4))


def run(model: str, until: float = 6.0, gains: Gains = GAINS, how: Tolerances = HOW) -> Run:
    """The manoeuvre, or its beginning; made once."""
    return _kept(model, until, gains, how)


@cache
def _kept(model: str, until: float, gains: Gains, how: Tolerances) -> Run:
    return made(model, until, gains, how)


def made(model: str, until: float = 6.0, gains: Gains = GAINS, how: Tolerances = HOW) -> Run:
    """The same, made anew."""
    begin = perf_counter()
    rate = right_hand_side(model, gains)
    ready = perf_counter()
    n, x = robot().nv, np.zeros(2 * robot().nv)
    x[list(robot().joint_indices)] = START
    kept, goals, evaluations, steps, t = [x[None]], [START[None]], 0, 0, 0.0
    for end, goal in STAGES:
        if t >= until:
            break
        part = _stage(rate, t, min(end, until), x, goal, how)
        kept.append(part.states)
        goals.append(np.tile(goal, (len(part.states), 1)))
        evaluations, steps = evaluations + part.evaluations, steps + part.steps
        t, x = end, part.states[-1]
    wall = perf_counter() - ready
    states = np.concatenate(kept)
    return Run(
        t=np.linspace(0.0, SAMPLE * (len(states) - 1), len(states)),
        q=states[:, :n],
        u=states[:, n:],
        torque=control(gains, states[:, :n], states[:, n:], np.concatenate(goals)),
        evaluations=evaluations,
        steps=steps,
        operations=rate.operations(),
        compiling=ready - begin,
        wall=wall,
        each=_cost(rate, x),
    )


@dataclass(frozen=True)
class ConstantInputEquations:
    """Equations dy/dt = f(y, u) of a robot with its controller inside: y of `size` numbers, the
    first 2 x `pairs` of them places and rates; inputs u that do not change."""

    kernel: Kernel
    pairs: int = 0
    parameters: int = 0

    @cached_property
    def size(self) -> int:
        return cast(Function, self.kernel).arguments["x0"]

    @cached_property
    def inputs(self) -> int:
        return cast(Function, self.kernel).arguments["x1"]

    def runner(self, method: str, samples: SampleTimes, u: Floats) -> Runner:
        """A run of these equations under the inputs u."""
        held = ConstantInputs(self.size, u)
        return Runner(self, held, held, method, samples)


class ConstantInputs:
    """Inputs that stay as they are."""

    def __init__(self, size: int, u: Floats) -> None:
        self.stretch = (-np.inf, np.inf)
        self.fed, self.count, self.u = 0, len(u), u
        self.contexts: tuple[int, ...] = ()
        law = traced(lambda t, y, numbers: numbers, (1, size, len(u)), ("held", size, len(u)))
        self.kernel: Function | None = cast(Function, law)

    def inputs(self, t: float, y: Floats) -> Floats | None:
        return self.u

    def numbers_between(self, a: float, b: float) -> Floats:
        return self.u

    def law(self, lanes: int = 1) -> Entry:
        """LAW."""
        return entry(cast(Function, self.kernel), lanes)

    def law_slope(self, lanes: int = 1) -> Entry:
        """LAW_SLOPE."""
        return entry(cast(Function, self.kernel).jacobian("x0", "x1"), lanes)


@dataclass(frozen=True)
class _Stage:
    states: Floats
    evaluations: int
    steps: int


def _stage(
    rate: Kernel, begin: float, end: float, x: Floats, goal: Floats, how: Tolerances
) -> _Stage:
    """One set point: states at the sample times after `begin`."""
    count = round((end - begin) / SAMPLE) + 1
    own = ConstantInputEquations(rate, pairs=len(x) // 2).runner(
        how.method, SampleTimes(count, end - begin), goal
    )
    own.check_every(np.inf)
    own.start(0.0, x, end - begin, how)
    while own.t < end - begin and own.status == log.GOING:
        own.go(MARCH)
    if own.status != log.GOING:
        raise SimulationError(f"the manoeuvre stopped at t = {begin + own.t:.6g} s")
    return _Stage(own.samples[1:], int(own.log[log.CALLS]), own.steps)


def _cost(rate: Kernel, x: Floats, calls: int = 2000) -> float:
    """Seconds of one evaluation, called from Python: the best of five rounds."""
    best = np.inf
    for _ in range(5):
        begin = perf_counter()
        for _ in range(calls):
            rate(x, SLEW)
        best = min(best, (perf_counter() - begin) / calls)
    return float(best)
