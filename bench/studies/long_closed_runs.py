"""A closed chain over a million steps: how far its loops open, with their closing and without.

A four-bar swings freely: classical Runge-Kutta steps of the compiled dynamics, each ended as
`supple.simulate` ends its own.
"""

from __future__ import annotations

from math import cos, hypot, sin
from typing import Any

import numpy as np

from supple.engine import compile
from supple.model import build
from supple.robot import Robot
from supple.simulation import SimulatedRobot, constant
from supple.simulation.closed_run import LoopKeeper
from supple.simulation.simulated_robot import state_kernel
from supple.types import Floats

from .table import Table

STEPS = 10**6
STEP = 1e-3  # s
CRANK, COUPLER, ROCKER, GROUND = 0.3, 0.9, 0.7, 0.8  # m


def study(seconds: float) -> list[Table]:
    steps = STEPS if seconds else STEPS // 1000
    rows = [row for closing in (True, False) for row in opened(steps, closing)]
    columns = ("loops closed at each step", "steps", "open at most [m]", "energy off by [J]")
    note = f"A four-bar of rods in free swing from rest, steps of {STEP:g} s."
    return [Table(columns, rows, (note,))]


def four_bar() -> Robot:
    """Uniform rods of 2 kg/m: a crank and a rocker."""
    lengths = {"crank": CRANK, "coupler": COUPLER, "rocker": ROCKER}
    links = {name: {"beam": {"length": x, "mass": 2.0 * x}} for name, x in lengths.items()}
    joints = [
        {"name": "a", "type": "revolute", "child": "crank"},
        {"name": "b", "type": "revolute", "parent": "crank", "child": "coupler"},
        {"name": "c", "type": "revolute", "child": "rocker", "origin": {"xyz": [GROUND, 0, 0]}},
    ]
    loop = {"name": "pin", "type": "revolute", "between": ["coupler.tip", "rocker.tip"]}
    words = {"name": "four-bar", "gravity": [0, -9.81, 0], "links": links, "joints": joints}
    guess = {"a": 1.0, "b": -0.3, "c": 1.5}
    return build(words | {"loops": [loop], "actuated": ["a"], "guess": guess})


def gap(a: float, b: float, c: float) -> float:
    """How far the ends of coupler and rocker are apart [m], by plain trigonometry."""
    x = CRANK * cos(a) + COUPLER * cos(a + b) - GROUND - ROCKER * cos(c)
    return hypot(x, CRANK * sin(a) + COUPLER * sin(a + b) - ROCKER * sin(c))


def opened(steps: int, closing: bool) -> list[tuple[Any, ...]]:
    """After 1 %, 10 % and all of the steps: the largest gap at the end of a step so far, and the
    largest distance of the energy from its first value (at every tenth step)."""
    robot = four_bar()
    kinetic, potential = (compile(robot, f"{kind}_energy") for kind in ("kinetic", "potential"))
    keep = LoopKeeper(SimulatedRobot(robot, constant(np.zeros(robot.nv)))) if closing else None
    y = np.concatenate([robot.home(), np.zeros(robot.nv + 2)])
    rate, rows, most, off = _rate(robot), [], 0.0, 0.0
    first = float(potential(y[:3].copy()))
    for count in range(1, steps + 1):
        y = _step(rate, y)
        if keep is not None:
            y = keep.closed(y)
        most = max(most, gap(*y[:3]))
        if count % 10 == 0:
            q, qd = y[:3].copy(), y[3:6].copy()
            off = max(off, abs(float(kinetic(q, qd)) + float(potential(q)) - first))
        if count in (steps // 100, steps // 10, steps):
            rows.append(("yes" if closing else "no", count, f"{most:.1e}", f"{off:.1e}"))
    return rows


def _rate(robot: Robot) -> Any:
    """d(state)/dt of the robot left to itself."""
    kernel, rest = state_kernel(robot), np.zeros(robot.nv)
    return lambda y: kernel(y, rest)


def _step(rate: Any, y: Floats) -> Floats:
    """A step by the classical method of Runge and Kutta."""
    a = rate(y)
    b = rate(y + 0.5 * STEP * a)
    c = rate(y + 0.5 * STEP * b)
    d = rate(y + STEP * c)
    return np.asarray(y + STEP / 6.0 * (a + 2.0 * (b + c) + d))
