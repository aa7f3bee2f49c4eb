"""The way from one instant to another, step by step: the same for every integrator.

A step is tried; where its error is too large, a shorter one is tried. A step that stands is
looked at again at instants that it did not choose (`gap`), its samples are kept, and the next
one is as long as its error allows. What a method is made of, its module gives:

    begin(...)      what a run needs before its first step
    attempt(...)    a step of length h from (t, y): the new state, its error in tolerances
    prepare(...)    the curve through the step that stands
    curve(...)      a state on that curve
    soften(...)     a gap as the method feels it (stiff parts magnify gaps)
    accept(...)     what the next step takes over

Written in the small language of `tracer.python`: it runs as it is, and it is what native code is
made of. One run a lane; each has its own time and step.
"""

from __future__ import annotations

from math import sqrt

from ...tracer.python import (
    Arguments,
    Kernels,
    Reals,
    any_of,
    greatest,
    least,
    power,
    unrolled,
    where,
)
from .closing import close, noticed
from .log import (
    ATOL,
    BEFORE,
    CAP,
    CURVE,
    DEPTH,
    END,
    EVERY,
    FAILS,
    FINAL,
    FIXED,
    FROM,
    GAP,
    GOING,
    LONGEST,
    LOOK,
    ORDER,
    PANEL,
    REDONE,
    REFUSED,
    ROUGH,
    ROWS,
    RTOL,
    SEEN,
    SIGHT,
    SIGHTS,
    SINCE,
    SPACING,
    STATUS,
    STEPS,
    STUCK,
    UNTIL,
    H,
    T,
    ask,
)
from .method import accept, attempt, begin, curve, prepare, soften

ALLOWED = 30.0  # gap of a panel, in tolerances
WHOLE = 6755399441055744.0  # 1.5 x 2^52: adding it rounds to a whole number
STEADY = 0.4  # share of the last step's error in the length of the next one
LOOKS = 8  # for events, at least, along a step
DEEPEST = 9.0  # times that a step is cut in eight
_X = (-0.8611363115940526, -0.33998104358485626, 0.33998104358485626, 0.8611363115940526)
_W = (0.34785484513745385, 0.6521451548625461, 0.6521451548625461, 0.34785484513745385)


def gap_of(
    kernels: Kernels,
    given: Arguments,
    size: int,
    pairs: int,
    t: float,
    h: float,
    log: Reals,
    y: Reals,
    new: Reals,
    work: Reals,
    room: Reals,
) -> float:
    """How far the curve of a step is from the equations, in tolerances: the largest over panels
    and states of |y(b) - y(a) - int f dt|. Its sum over the panels goes to the first `size` places
    of `room`."""
    total, left, right = room, room[size:], room[2 * size :]
    flow, at, rates = room[3 * size :], room[4 * size :], room[5 * size :]
    panels = greatest(h / log[PANEL]) + 1
    worst = 0.0 * h
    for i in range(size):
        total[i] = 0.0
        left[i] = y[i]
    for p in range(panels):
        low = p / (1.0 * panels)
        half = 0.5 / panels
        for i in range(size):
            flow[i] = 0.0
        for g in unrolled(range(4)):
            theta = low + half * (1.0 + _X[g])
            curve(size, theta, h, y, new, work, at)
            ask(kernels, given, t + theta * h, at, rates)
            for i in range(size):
                flow[i] += _W[g] * rates[i]
        curve(size, low + 2.0 * half, h, y, new, work, right)
        for i in range(size):
            flow[i] = right[i] - left[i] - half * h * flow[i]
            left[i] = right[i]
        soften(kernels, given, size, pairs, h, work, flow)
        for i in range(size):
            scale = log[ATOL] + log[RTOL] * max(abs(y[i]), abs(new[i]))
            part = flow[i] / scale
            worst = where(abs(part) <= worst, worst, abs(part))
            total[i] += part
    return worst


def sighted(
    kernels: Kernels,
    given: Arguments,
    size: int,
    t: float,
    h: float,
    log: Reals,
    y: Reals,
    new: Reals,
    work: Reals,
    at: Reals,
) -> int:
    """1 where a function of an event does not keep its sign along the step, else 0."""
    asked, count = given[SIGHT], least(log[SIGHTS])
    clock, signs, low, high = asked[0], asked[3], asked[4], asked[5]
    values, before = asked[6], asked[7]
    log[FROM] = t
    for i in range(size):
        before[i] = y[i]
    looks = greatest(h / log[PANEL]) + 1
    if looks < LOOKS:
        looks = LOOKS
    seen = 0
    for n in range(looks):
        theta = (n + 1.0) / looks
        curve(size, theta, h, y, new, work, at)
        clock[0] = t + theta * h
        asked[1] = at
        kernels[SIGHT](asked, values)
        for k in range(count):
            low[k] = min(low[k], values[k])
            high[k] = max(high[k], values[k])
            if any_of(not (values[k] * signs[k] > 0.0)):
                seen = 1
    return seen


def first_step(
    kernels: Kernels, given: Arguments, size: int, log: Reals, y: Reals, room: Reals
) -> float:
    """A first step that is neither much too long nor much too short.

    Reference: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.4.
    """
    f, at, moved = room, room[size:], room[2 * size :]
    t, left = log[T], log[END] - log[T]
    ask(kernels, given, t, y, f)
    places = 0.0 * t
    rates = 0.0 * t
    for i in range(size):
        scale = log[ATOL] + log[RTOL] * abs(y[i])
        places += (y[i] / scale) ** 2
        rates += (f[i] / scale) ** 2
    places = sqrt(places / size)
    rates = sqrt(rates / size)
    guess = where((places > 1e-5) and (rates > 1e-5), 0.01 * places / max(rates, 1e-300), 1e-6)
    guess = min(guess, left)
    for i in range(size):
        at[i] = y[i] + guess * f[i]
    ask(kernels, given, t + guess, at, moved)
    change = 0.0 * t
    for i in range(size):
        scale = log[ATOL] + log[RTOL] * abs(y[i])
        change += ((moved[i] - f[i]) / scale) ** 2
    change = sqrt(change / size) / where(guess > 0.0, guess, 1.0)
    worst = max(rates, change)
    better = where(
        worst <= 1e-15, max(1e-6, 1e-3 * guess), power(0.01 / max(worst, 1e-300), 1.0 / log[ORDER])
    )
    better = min(min(100.0 * guess, better), left)
    first: float = where(change == change, better, 1e-3 * guess)
    return first


def following(h: float, error: float, good: bool, log: Reals) -> float:
    """The length of the next step, by the error of this one and of the one before."""
    safe = max(error, 1e-10)
    share = where(good, STEADY / log[ORDER], 0.0)
    grow = power(safe, 0.75 * share - 1.0 / log[ORDER])
    grow = 0.9 * grow * power(max(log[BEFORE], 1e-4), share)
    log[BEFORE] = where(good, safe, log[BEFORE])
    grow = where(error == error, grow, 0.1)
    most_now = where(log[FAILS] > 0.0, 1.0, 6.0)
    grow = min(max(grow, 0.2), most_now)
    grow = ((grow * 64.0 + WHOLE) - WHOLE) / 64.0  # the same, whatever the rounding of errors
    clipped = good and (h < 0.99 * log[H]) and (grow * h < log[H])
    length: float = where(clipped, log[H], h * grow)
    return length


def march(
    kernels: Kernels,
    given: Arguments,
    size: int,
    pairs: int,
    inputs: int,
    log: Reals,
    y: Reals,
    samples: Reals,
    sums: Reals,
    work: Reals,
    most: int,
) -> None:
    """Up to `most` steps towards log[END], samples on the way kept in `samples`."""
    new, room, own = work, work[size:], work[8 * size :]
    begin(kernels, given, size, pairs, inputs, log, y, own)
    if any_of(log[H] == 0.0):
        guess = first_step(kernels, given, size, log, y, room)
        log[H] = where(log[H] == 0.0, guess, log[H])
    for _ in range(most):
        t, end = log[T], log[END]
        active = (t < end) and (log[STATUS] == GOING)
        if not any_of(active):
            break
        left = end - t
        h = min(min(log[H], log[LONGEST]), where(t < log[UNTIL], log[CAP], left))
        h = where(1.000001 * h >= left, left, where(2.0 * h > left, 0.5 * left, h))
        h = where(log[FIXED] > 0.0, where(1.000001 * log[H] >= left, left, log[H]), h)
        h = where(active, h, 0.0)
        error = attempt(kernels, given, size, pairs, inputs, t, h, log, y, new, own)
        good = active and ((error <= 1.0) or ((log[FIXED] > 0.0) and (error == error)))
        last = h >= left
        after = where(last, end, t + h)
        low = least(t / log[SPACING])
        high = greatest(max(min(after, log[FINAL]), 0.0) / log[SPACING] + 0.5) + 1
        log[SINCE] = log[SINCE] + where(good, 1.0, 0.0)
        check = any_of(good and (log[SINCE] >= log[EVERY]))
        sample = False
        for s in range(low, high):
            sample = sample or any_of(
                good
                and (min(s * log[SPACING], log[FINAL]) > t)
                and (min(s * log[SPACING], log[FINAL]) <= after)
            )
        if (check or sample or any_of(log[CURVE] > 0.0)) and any_of(good):
            prepare(kernels, given, size, t, h, log, y, new, own)
        if check:
            worst = gap_of(kernels, given, size, pairs, t, h, log, y, new, own, room)
            bad = good and not (worst <= ALLOWED) and (log[FIXED] == 0.0)
            deep = log[DEPTH] >= DEEPEST
            log[STATUS] = where(bad and deep, ROUGH, log[STATUS])
            log[CAP] = where(bad, h / 8.0, log[CAP])
            log[UNTIL] = where(bad, after, log[UNTIL])
            log[DEPTH] = where(bad, log[DEPTH] + 1.0, where(after >= log[UNTIL], 0.0, log[DEPTH]))
            log[REDONE] = log[REDONE] + where(bad, 1.0, 0.0)
            good = good and not bad
            log[GAP] = where(good, max(log[GAP], worst), log[GAP])
            log[SINCE] = where(good, 0.0, log[SINCE])
            for i in range(size):
                sums[i] += where(good, room[i], 0.0)
        if least(log[ROWS]) > 0 and any_of(good):
            for i in range(size):
                room[i] = new[i]
            close(kernels, given, size, log, room)
            if noticed(kernels, given, log, room) == 1:
                log[STATUS] = LOOK
                break
        if sample:
            for s in range(low, high):
                at = min(s * log[SPACING], log[FINAL])
                here = good and (at > t) and (at <= after)
                if any_of(here):
                    curve(size, (at - t) / where(h > 0.0, h, 1.0), h, y, new, own, room)
                    if least(log[ROWS]) > 0:
                        close(kernels, given, size, log, room)
                    for i in range(size):
                        place = s * size + i
                        samples[place] = where(here, room[i], samples[place])
        if least(log[ROWS]) > 0 and any_of(good):
            close(kernels, given, size, log, new)
        happened = 0
        if least(log[SIGHTS]) > 0 and any_of(good):
            happened = sighted(kernels, given, size, t, h, log, y, new, own, room)
        accept(kernels, given, size, where(good, 1.0, 0.0), t, h, log, y, new, own)
        for i in range(size):
            y[i] = where(good, new[i], y[i])
        log[T] = where(good, after, t)
        log[STEPS] = log[STEPS] + where(good, 1.0, 0.0)
        log[REFUSED] = log[REFUSED] + where(active and not good, 1.0, 0.0)
        if any_of(log[FIXED] == 0.0):
            log[H] = where(active and (log[FIXED] == 0.0), following(h, error, good, log), log[H])
        log[FAILS] = where(good, 0.0, 1.0)
        tiny = log[H] < 1e-15 * max(abs(t), 1e-3 * end)
        log[STATUS] = where(active and tiny and not good, STUCK, log[STATUS])
        fixed_lost = active and (log[FIXED] > 0.0) and (error != error)
        log[STATUS] = where(fixed_lost, STUCK, log[STATUS])
        if happened == 1:
            log[SEEN] = 1.0
            break
