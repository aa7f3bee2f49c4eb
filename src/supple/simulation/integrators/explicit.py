"""The explicit pair of order 8 of Dormand and Prince, with its dense output of order 7.

For robots whose fastest mode is worth following. Twelve rates a step; three more where the curve
of a step is needed.
Reference: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.5, II.6.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from ...tracer.python import Reals, any_of, unrolled, where
from ...types import Floats
from .coefficients import DOP_A, DOP_B, DOP_C, DOP_D, DOP_E3, DOP_E5
from .log import ATOL, BEGUN, CALLS, ORDER, RTOL, Problem, Stride, T, ask

NAME = "explicit"
RATES = 12  # evaluations of a step
STAGES, ALL = 12, 16


def tableau() -> tuple[Floats, Floats]:
    """A and b."""
    A = np.zeros((STAGES, STAGES))
    for s in range(1, STAGES):
        A[s, :s] = DOP_A[s]
    return A, np.array(DOP_B)


def WORK(size: int, pairs: int, inputs: int) -> int:
    """Numbers of work space: rates of all stages, the curve, one state."""
    return (ALL + 7 + 1) * size


def begin(run: Problem, y: Reals, work: Reals) -> None:
    log = run.log
    if any_of(log[BEGUN] == 0.0):
        ask(run, log[T], y, work)
        log[BEGUN] = 1.0
        log[ORDER] = 8.0


def attempt(run: Problem, step: Stride) -> float:
    """k_s = f(t + c_s h, y + h sum_j a_sj k_j), new = y + h sum_s b_s k_s."""
    size, log = run.size, run.log
    t, h, y, new, work = step.t, step.h, step.y, step.new, step.work
    at = work[(ALL + 7) * size :]
    for s in unrolled(range(1, STAGES)):
        for i in range(size):
            total = 0.0 * h
            for j in unrolled(range(s)):
                if DOP_A[s][j] != 0.0:
                    total += DOP_A[s][j] * work[j * size + i]
            at[i] = y[i] + h * total
        ask(run, t + DOP_C[s] * h, at, work[s * size :])
    fifth = 0.0 * h
    third = 0.0 * h
    for i in range(size):
        moved = 0.0 * h
        e5 = 0.0 * h
        e3 = 0.0 * h
        for s in unrolled(range(STAGES)):
            if DOP_B[s] != 0.0:
                moved += DOP_B[s] * work[s * size + i]
            if DOP_E5[s] != 0.0:
                e5 += DOP_E5[s] * work[s * size + i]
            if DOP_E3[s] != 0.0:
                e3 += DOP_E3[s] * work[s * size + i]
        new[i] = y[i] + h * moved
        scale = log[ATOL] + log[RTOL] * max(abs(y[i]), abs(new[i]))
        fifth += (e5 / scale) ** 2
        third += (e3 / scale) ** 2
    log[CALLS] = log[CALLS] + 12.0
    below = (fifth + 0.01 * third) * size
    return h * fifth / sqrt(where(below == 0.0, 1.0, below))


def prepare(run: Problem, step: Stride) -> None:
    size, log = run.size, run.log
    t, h, y, new, work = step.t, step.h, step.y, step.new, step.work
    ask(run, t + h, new, work[STAGES * size :])
    at, F = work[(ALL + 7) * size :], work[ALL * size :]
    for s in unrolled(range(STAGES + 1, ALL)):
        for i in range(size):
            total = 0.0 * h
            for j in unrolled(range(s)):
                if DOP_A[s][j] != 0.0:
                    total += DOP_A[s][j] * work[j * size + i]
            at[i] = y[i] + h * total
        ask(run, t + DOP_C[s] * h, at, work[s * size :])
    for i in range(size):
        moved = new[i] - y[i]
        F[i] = moved
        F[size + i] = h * work[i] - moved
        F[2 * size + i] = 2.0 * moved - h * (work[STAGES * size + i] + work[i])
        for k in unrolled(range(4)):
            total = 0.0 * h
            for j in unrolled(range(ALL)):
                if DOP_D[k][j] != 0.0:
                    total += DOP_D[k][j] * work[j * size + i]
            F[(3 + k) * size + i] = h * total
    log[CALLS] = log[CALLS] + 4.0


def curve(size: int, theta: float, h: float, y: Reals, new: Reals, work: Reals, out: Reals) -> None:
    F = work[ALL * size :]
    rest = 1.0 - theta
    for i in range(size):
        total = F[6 * size + i] * theta
        for k in unrolled(range(5, -1, -1)):
            if k % 2 == 1:
                total = (total + F[k * size + i]) * rest
            else:
                total = (total + F[k * size + i]) * theta
        out[i] = y[i] + total


def soften(run: Problem, step: Stride, gap: Reals) -> None:
    pass


def accept(run: Problem, step: Stride, good: float) -> None:
    size = run.size
    t, h, new, work = step.t, step.h, step.new, step.work
    if any_of(good > 0.0):
        last = work[STAGES * size :]
        ask(run, t + h, new, last)
        for i in range(size):
            work[i] = where(good > 0.0, last[i], work[i])
