"""The classical Runge-Kutta method of order 4, with steps of one length.

For comparisons, and where every step must take as long as the other. It knows nothing of its own
error; the check of the steps does. The curve of a step is the cubic through both ends and their
rates.
"""

from __future__ import annotations

import numpy as np

from ...tracer.python import Reals, any_of, unrolled, where
from ...types import Floats
from .cubic import bends, cubic
from .log import BEGUN, CALLS, ORDER, Problem, Stride, T, ask

NAME = "rk4"
RATES = 4  # evaluations of a step
_A = (0.0, 0.5, 0.5, 1.0)
_B = (1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0)


def tableau() -> tuple[Floats, Floats]:
    """A and b."""
    return np.diag(_A[1:], -1), np.array(_B)


def WORK(size: int, pairs: int, inputs: int) -> int:
    """Rates of four stages and of the end, one state, the curve."""
    return 8 * size


def begin(run: Problem, y: Reals, work: Reals) -> None:
    log = run.log
    if any_of(log[BEGUN] == 0.0):
        ask(run, log[T], y, work)
        log[BEGUN] = 1.0
        log[ORDER] = 4.0


def attempt(run: Problem, step: Stride) -> float:
    size, log = run.size, run.log
    t, h, y, new, work = step.t, step.h, step.y, step.new, step.work
    at = work[5 * size :]
    for s in unrolled(range(1, 4)):
        for i in range(size):
            at[i] = y[i] + h * _A[s] * work[(s - 1) * size + i]
        ask(run, t + _A[s] * h, at, work[s * size :])
    lost = 0.0 * h
    for i in range(size):
        total = 0.0 * h
        for s in unrolled(range(4)):
            total += _B[s] * work[s * size + i]
        new[i] = y[i] + h * total
        lost += 0.0 * new[i]  # NaN if it is not finite
    log[CALLS] = log[CALLS] + 4.0
    return lost


def prepare(run: Problem, step: Stride) -> None:
    size = run.size
    t, h, y, new, work = step.t, step.h, step.y, step.new, step.work
    ask(run, t + h, new, work[4 * size :])
    bends(size, h, y, new, work, work[4 * size :], work[6 * size :])


def curve(size: int, theta: float, h: float, y: Reals, new: Reals, work: Reals, out: Reals) -> None:
    cubic(size, theta, y, new, work[6 * size :], out)


def soften(run: Problem, step: Stride, gap: Reals) -> None:
    pass


def accept(run: Problem, step: Stride, good: float) -> None:
    size = run.size
    t, h, new, work = step.t, step.h, step.new, step.work
    end = work[4 * size :]
    ask(run, t + h, new, end)
    for i in range(size):
        work[i] = where(good > 0.0, end[i], work[i])
