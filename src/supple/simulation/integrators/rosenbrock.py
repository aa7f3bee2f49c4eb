"""Rosenbrock's method of order 5 with exact Jacobians, L-stable, dense output of order 4.

For robots with modes that are faster than what matters: its steps are as long as accuracy
allows. Each stage solves with W = 1/(h gamma) - df/dy,

    W u_i = f(t + c_i h, y + sum a_ij u_j) + sum_j (g_ij / h) u_j + h d_i df/dt.

Where a state is made of places and their rates, y = (q, v, ...) with dq/dt = v, only the rates
are solved for:

    (s - dv'/dv - dv'/dq / s) u_v = r_v + dv'/dq r_q / s,  u_q = (r_q + u_v) / s,  s = 1/(h gamma).

Reference: Hairer, Wanner, Solving Ordinary Differential Equations II, IV.7; Steinebach, BIT 63
(2023).
"""

from __future__ import annotations

from math import sqrt

from ...tracer.python import Reals, any_of, unrolled, where
from .coefficients import RODAS_A, RODAS_C, RODAS_D, RODAS_G, RODAS_GAMMA, RODAS_H
from .log import ATOL, BEGUN, CALLS, ORDER, RTOL, Problem, Stride, ask
from .lu import factor, solve
from .slopes import slopes

NAME = "rosenbrock"
RATES = 9  # evaluations of a step
STAGES = 8


def WORK(size: int, pairs: int, inputs: int) -> int:
    """u of all stages, four states, the curve, df/dt, the Jacobian, factors, inputs' slopes."""
    n = pairs or size
    return 16 * size + size * size + 2 * n * n + inputs * (size + 2)


def begin(run: Problem, y: Reals, work: Reals) -> None:
    log = run.log
    log[ORDER] = 5.0


def decompose(size: int, pairs: int, s: float, work: Reals) -> None:
    """The factors of W, or of what is left of it for the rates."""
    J, A = work[16 * size :], work[16 * size + size * size :]
    n = where(pairs > 0, pairs, size)
    for i in range(n):
        row = J[(pairs + i) * size :]
        for j in range(n):
            A[i * n + j] = -row[pairs + j]
        if pairs > 0:
            for j in range(n):
                A[i * n + j] -= row[j] / s
        A[i * n + i] += s
    factor(n, A, A[n * n :])


def resolve(size: int, pairs: int, s: float, work: Reals, r: Reals) -> None:
    """W u = r, in the place of r."""
    J, A = work[16 * size :], work[16 * size + size * size :]
    if pairs == 0:
        solve(size, A, A[size * size :], r)
    else:
        n = pairs
        for i in range(n):
            row = J[(n + i) * size :]
            total = 0.0 * s
            for j in range(n):
                total += row[j] * r[j]
            r[n + i] += total / s
        solve(n, A, A[n * n :], r[n:])
        for i in range(n):
            r[i] = (r[i] + r[n + i]) / s
        for i in range(2 * n, size):
            row = J[i * size :]
            total = r[i]
            for j in range(2 * n):
                total += row[j] * r[j]
            r[i] = total / s


def attempt(run: Problem, step: Stride) -> float:
    size, pairs, log = run.size, run.pairs, run.log
    t, h, y, new, work = step.t, step.h, step.y, step.new, step.work
    at, f, slow = work[8 * size :], work[9 * size :], work[11 * size :]
    if any_of(log[BEGUN] == 0.0):
        n = where(pairs > 0, pairs, size)
        room = work[16 * size + size * size + 2 * n * n :]
        ask(run, t, y, work[10 * size :])
        slopes(run, work[10 * size :], slow, work[16 * size :], f, room)
        log[CALLS] = log[CALLS] + 2.0
        log[BEGUN] = 1.0
    s = 1.0 / (h * RODAS_GAMMA)
    decompose(size, pairs, s, work)
    for k in unrolled(range(STAGES)):
        u = work[k * size :]
        if k > 0:
            for i in range(size):
                total = y[i]
                for j in unrolled(range(k)):
                    if RODAS_A[k][j] != 0.0:
                        total += RODAS_A[k][j] * work[j * size + i]
                at[i] = total
            ask(run, t + RODAS_C[k] * h, at, f)
        for i in range(size):
            total = 0.0 * h
            for j in unrolled(range(k)):
                total += RODAS_G[k][j] * work[j * size + i]
            first = work[10 * size + i] if k == 0 else f[i]
            u[i] = first + total / h + h * RODAS_D[k] * slow[i]
        resolve(size, pairs, s, work, u)
    off = 0.0 * h
    last = work[(STAGES - 1) * size :]
    for i in range(size):
        new[i] = at[i] + last[i]
        scale = log[ATOL] + log[RTOL] * max(abs(y[i]), abs(new[i]))
        off += (last[i] / scale) ** 2
    log[CALLS] = log[CALLS] + 7.0
    return sqrt(off / size)


def prepare(run: Problem, step: Stride) -> None:
    size = run.size
    h, work = step.h, step.work
    F = work[12 * size :]
    for i in range(size):
        for k in unrolled(range(3)):
            total = 0.0 * h
            for j in unrolled(range(STAGES)):
                total += RODAS_H[k][j] * work[j * size + i]
            F[k * size + i] = total


def curve(size: int, theta: float, h: float, y: Reals, new: Reals, work: Reals, out: Reals) -> None:
    F = work[12 * size :]
    rest = 1.0 - theta
    for i in range(size):
        inner = F[i] + theta * (F[size + i] + theta * F[2 * size + i])
        out[i] = rest * y[i] + theta * (new[i] + rest * inner)


def soften(run: Problem, step: Stride, gap: Reals) -> None:
    size, pairs = run.size, run.pairs
    h, work = step.h, step.work
    s = 1.0 / (h * RODAS_GAMMA)
    resolve(size, pairs, s, work, gap)
    for i in range(size):
        gap[i] *= s


def accept(run: Problem, step: Stride, good: float) -> None:
    log = run.log
    log[BEGUN] = where(good > 0.0, 0.0, log[BEGUN])
