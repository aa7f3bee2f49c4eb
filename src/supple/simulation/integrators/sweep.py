"""A linearly implicit method of order 3 that keeps the O(n) sweep of the recursion.

Springs and dampers (of shapes and of joints) are taken implicitly, all else explicitly. Each stage
solves with W = 1/(h gamma) - A, where A holds their stiffness K and damping D alone; that is the
forward dynamics with (h gamma)^2 K + h gamma D added to the pivots, so it costs a sweep, in
closed chains too. As a W-method it keeps its order whatever A leaves out. The curve of a step is
the cubic through both ends and their rates.
Reference: Rang, Angermann, BIT 45 (2005), ROS34PW2.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from ...tracer.python import Reals, any_of, unrolled, where
from .coefficients import SWEEP_A, SWEEP_B, SWEEP_E, SWEEP_G, SWEEP_GAMMA
from .cubic import bends, cubic
from .log import ATOL, BEGUN, CALLS, ORDER, PIVOTS, RTOL, Problem, Stride, T, ask

NAME = "sweep"
RATES = 8  # evaluations of a step
STAGES = 4


def _transformed() -> tuple[tuple[tuple[float, ...], ...], ...]:
    """Coefficients for u = h Gamma k, which need no products with A: stages, couplings, step and
    its error."""
    G, A = SWEEP_GAMMA * np.eye(STAGES), np.zeros((STAGES, STAGES))
    for i in range(1, STAGES):
        G[i, :i], A[i, :i] = SWEEP_G[i], SWEEP_A[i]
    inverse = np.linalg.inv(G)
    parts = A @ inverse, np.eye(STAGES) / SWEEP_GAMMA - inverse
    rows = np.array([SWEEP_B, np.subtract(SWEEP_B, SWEEP_E)]) @ inverse
    return tuple(tuple(tuple(float(x) for x in row) for row in part) for part in (*parts, rows))


_A, _G, _M = _transformed()
_C = tuple(float(sum(row)) for row in SWEEP_A)


def WORK(size: int, pairs: int, inputs: int) -> int:
    """u of four stages, three states, rates at both ends, the curve."""
    return 11 * size


def begin(run: Problem, y: Reals, work: Reals) -> None:
    size, log = run.size, run.log
    if any_of(log[BEGUN] == 0.0):
        ask(run, log[T], y, work[7 * size :])
        log[BEGUN] = 1.0
        log[ORDER] = 3.0


def attempt(run: Problem, step: Stride) -> float:
    size, log, kernels, given = run.size, run.log, run.kernels, run.given
    t, h, y, new, work = step.t, step.h, step.y, step.new, step.work
    at, f, r = work[4 * size :], work[5 * size :], work[6 * size :]
    pivots = given[PIVOTS]
    length = pivots[1]
    length[0] = h * SWEEP_GAMMA
    pivots[0] = y
    pivots[2] = r
    for k in unrolled(range(STAGES)):
        if k > 0:
            for i in range(size):
                total = y[i]
                for j in unrolled(range(k)):
                    total += _A[k][j] * work[j * size + i]
                at[i] = total
            ask(run, t + _C[k] * h, at, f)
        for i in range(size):
            total = 0.0 * h
            for j in unrolled(range(k)):
                total += _G[k][j] * work[j * size + i]
            r[i] = (work[7 * size + i] if k == 0 else f[i]) + total / h
        kernels[PIVOTS](pivots, work[k * size :])
    off = 0.0 * h
    for i in range(size):
        moved = 0.0 * h
        error = 0.0 * h
        for k in unrolled(range(STAGES)):
            moved += _M[0][k] * work[k * size + i]
            error += _M[1][k] * work[k * size + i]
        new[i] = y[i] + moved
        scale = log[ATOL] + log[RTOL] * max(abs(y[i]), abs(new[i]))
        off += (error / scale) ** 2
    log[CALLS] = log[CALLS] + 8.0
    return sqrt(off / size)


def prepare(run: Problem, step: Stride) -> None:
    size = run.size
    t, h, y, new, work = step.t, step.h, step.y, step.new, step.work
    ask(run, t + h, new, work[8 * size :])
    bends(size, h, y, new, work[7 * size :], work[8 * size :], work[9 * size :])


def curve(size: int, theta: float, h: float, y: Reals, new: Reals, work: Reals, out: Reals) -> None:
    cubic(size, theta, y, new, work[9 * size :], out)


def soften(run: Problem, step: Stride, gap: Reals) -> None:
    size, kernels, given = run.size, run.kernels, run.given
    h, work = step.h, step.work
    pivots, r = given[PIVOTS], work[6 * size :]
    length = pivots[1]
    length[0] = h * SWEEP_GAMMA
    pivots[2] = gap
    kernels[PIVOTS](pivots, r)
    for i in range(size):
        gap[i] = r[i] / (h * SWEEP_GAMMA)


def accept(run: Problem, step: Stride, good: float) -> None:
    size = run.size
    t, h, new, work = step.t, step.h, step.new, step.work
    first, end = work[7 * size :], work[8 * size :]
    ask(run, t + h, new, end)
    for i in range(size):
        first[i] = where(good > 0.0, end[i], first[i])
