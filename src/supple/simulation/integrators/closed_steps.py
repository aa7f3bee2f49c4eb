"""Closed chains: every step ends where the loops are closed, and singular places are noticed.

Newton's method takes away what a step left open (`simulation.closed_motion` says how). Two kinds of
places need a closer look than native code takes: those in which the loops hold less than
elsewhere, and those in which the motors do. Near them `noticed` says so, and the step is left to
who called.
"""

from __future__ import annotations

from ...tracer.python import Reals, all_of, any_of, least
from .log import CLOSING, DRIFT, HOLD, ROWS, SHUT, SQUARE, Problem

NEWTON = 4  # steps at most
NEAR = 0.0004  # of what a row holds elsewhere: (1/50)^2


def close(run: Problem, y: Reals) -> None:
    """y, with its loops closed."""
    asked, size, log = run.given[CLOSING], run.size, run.log
    moved, count = asked[1], least(asked[2][0])
    asked[0] = y
    for n in range(NEWTON):
        run.kernels[CLOSING](asked, moved)
        wide = 0.0 * y[0]
        for k in range(count):
            wide = max(wide, abs(moved[size + k]))
        if n == 0:
            log[DRIFT] = max(log[DRIFT], wide)
        for i in range(size):
            y[i] = moved[i]
        if all_of(wide <= log[SHUT]):
            break


def noticed(run: Problem, y: Reals) -> int:
    """1 where y is near a singular place, or beyond one (a pivot has changed its sign), else 0."""
    held, rows = run.given[HOLD], least(run.log[ROWS])
    best, signs, order, found = held[1], held[2], held[3], held[4]
    held[0] = y
    run.kernels[HOLD](held, found)
    square = least(run.log[SQUARE])
    pivots = found[square * rows * rows :]
    seen = 0
    for k in range(rows):
        best[k] = max(best[k], pivots[k])
        if any_of(pivots[k] < NEAR * best[k]):
            seen = 1
    if square == 1:
        for k in range(rows):
            row = found[least(order[k]) * rows :]
            if any_of(row[k] * signs[k] < 0.0):
                seen = 1
            for n in range(k + 1, rows):
                other = found[least(order[n]) * rows :]
                share = other[k] / row[k]
                for j in range(k, rows):
                    other[j] -= share * row[j]
        for k in range(rows):
            row = found[least(order[k]) * rows :]
            if seen == 0:
                signs[k] = row[k]
    return seen
