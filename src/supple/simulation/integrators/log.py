"""The log of a run: where it stands and what it met, one number a place (with lanes, a vector).

It is all that a run remembers between two calls of `march`, beside its state and work space.
"""

from __future__ import annotations

from typing import NamedTuple

from ...tracer.python import Arguments, Kernels, Reals, any_of

T, H, END = 0, 1, 2  # where it is, the step it will try, where it goes
RTOL, ATOL, LONGEST = 3, 4, 5  # tolerances, the longest step
SPACING, FINAL = 6, 7  # of the samples: from one to the next, and the time of the last
STATUS, STEPS, REFUSED, CALLS = 8, 9, 10, 11  # how it goes, steps that stood, that did not
GAP, REDONE, EVERY, SINCE = 12, 13, 14, 15  # the check of steps: largest gap, steps made again,
PANEL, CAP, UNTIL, DEPTH = 16, 17, 18, 19  # of how many steps one is looked at, longest panel
BEGUN, ORDER, FAILS, FIXED = 20, 21, 22, 23  # whether the first rate is known; order of the error
FED, CURVE = 24, 25  # how many inputs, from the first on, depend on the state; whether the curve
ROWS, SQUARE, SHUT, DRIFT = 26, 27, 28, 29  # of each step is wanted; loops: see `closed_steps`
BEFORE = 30  # the error of the step before
EVENT_COUNT, SEEN, FROM = 31, 32, 33  # events: how many, whether the last step is to be looked
LOOKED, SIZE = 34, 35  # at from outside, and where it began; gap of the step checked last

GOING, STUCK, ROUGH, LOOK = 0.0, 1.0, 2.0, 3.0
"""STATUS: all is well; no step is short enough; no step satisfies the equations; the next step
of a closed chain is to be looked at from outside (it comes near a singular place)."""


LAW, RATE, SLOPE, LAW_SLOPE, PIVOTS, CLOSING, HOLD, EVENT_KERNEL = 0, 1, 2, 3, 4, 5, 6, 7
"""Kernels, and their arguments:

LAW         (clock, y, numbers) -> inputs u (torques, loads, motion of prescribed joints); the
            clock holds the time, between which times the law may be asked, the time it was asked
            for last, and whether it looks at y: if not, it need not be asked again at that time
RATE        (y, u) -> dy/dt
SLOPE       (y, u) -> d(dy/dt)/dy, (size, size)
LAW_SLOPE   (clock, y, numbers) -> du/d(t, y), (inputs, 1 + size)
PIVOTS      (y, h gamma, r) -> (1/(h gamma) - A)^-1 r, A of the springs and dampers alone
CLOSING     (y) -> the state after a step of Newton's method on the loops, and what was open
HOLD        (y) -> the closure's Jacobian over the joints without motors, and how well rows hold
EVENT_KERNEL (t, y) -> functions of events; behind its arguments and work space: the signs that
            they should keep, their least and largest values, room for them, the state before the
            step
"""


class Problem(NamedTuple):
    """What a run is made of: its equations, its size, its log. The first 2 x `pairs` numbers of a
    state are places and their rates (0 where places and rates are not of one kind)."""

    kernels: Kernels
    given: Arguments
    size: int
    pairs: int
    inputs: int
    log: Reals


class Stride(NamedTuple):
    """A step of length h from (t, y), which ends at `new`; `work` is the method's own memory."""

    t: float
    h: float
    y: Reals
    new: Reals
    work: Reals


def ask(run: Problem, t: float, y: Reals, out: Reals) -> None:
    """out = d(state)/dt at (t, y)."""
    law, dynamics = run.given[LAW], run.given[RATE]
    clock = law[0]
    clock[0] = min(max(t, clock[1]), clock[2])
    if any_of((clock[4] > 0.0) or (clock[0] != clock[3])):
        law[1] = y
        run.kernels[LAW](law, dynamics[1])
        clock[3] = clock[0]
    dynamics[0] = y
    run.kernels[RATE](dynamics, out)
