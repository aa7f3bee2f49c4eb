"""The classical Runge-Kutta method of order 4, with steps of one length.

For comparisons, and where every step must take as long as the other. It knows nothing of its own
error; the check of the steps does. The curve of a step is the cubic through both ends and their
rates.
"""

from __future__ import annotations

import numpy as np

from ...tracer.python import Arguments, Kernels, Reals, any_of, unrolled, where
from ...types import Floats
from .log import BEGUN, CALLS, ORDER, T, ask

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


def begin(
    kernels: Kernels,
    given: Arguments,
    size: int,
    pairs: int,
    inputs: int,
    log: Reals,
    y: Reals,
    work: Reals,
) -> None:
    if any_of(log[BEGUN] == 0.0):
        ask(kernels, given, log[T], y, work)
        log[BEGUN] = 1.0
        log[ORDER] = 4.0


def attempt(
    kernels: Kernels,
    given: Arguments,
    size: int,
    pairs: int,
    inputs: int,
    t: float,
    h: float,
    log: Reals,
    y: Reals,
    new: Reals,
    work: Reals,
) -> float:
    at = work[5 * size :]
    for s in unrolled(range(1, 4)):
        for i in range(size):
            at[i] = y[i] + h * _A[s] * work[(s - 1) * size + i]
        ask(kernels, given, t + _A[s] * h, at, work[s * size :])
    lost = 0.0 * h
    for i in range(size):
        total = 0.0 * h
        for s in unrolled(range(4)):
            total += _B[s] * work[s * size + i]
        new[i] = y[i] + h * total
        lost += 0.0 * new[i]  # NaN if it is not finite
    log[CALLS] = log[CALLS] + 4.0
    return lost


def prepare(
    kernels: Kernels,
    given: Arguments,
    size: int,
    t: float,
    h: float,
    log: Reals,
    y: Reals,
    new: Reals,
    work: Reals,
) -> None:
    ask(kernels, given, t + h, new, work[4 * size :])
    for i in range(size):
        moved = new[i] - y[i]
        work[6 * size + i] = h * work[i] - moved
        work[7 * size + i] = h * work[4 * size + i] - moved


def curve(size: int, theta: float, h: float, y: Reals, new: Reals, work: Reals, out: Reals) -> None:
    rest = 1.0 - theta
    for i in range(size):
        bend = rest * work[6 * size + i] - theta * work[7 * size + i]
        out[i] = rest * y[i] + theta * new[i] + theta * rest * bend


def soften(
    kernels: Kernels,
    given: Arguments,
    size: int,
    pairs: int,
    h: float,
    work: Reals,
    gap: Reals,
) -> None:
    pass


def accept(
    kernels: Kernels,
    given: Arguments,
    size: int,
    good: float,
    t: float,
    h: float,
    log: Reals,
    y: Reals,
    new: Reals,
    work: Reals,
) -> None:
    end = work[4 * size :]
    ask(kernels, given, t + h, new, end)
    for i in range(size):
        work[i] = where(good > 0.0, end[i], work[i])
