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

from ...tracer.python import Reals, any_of, greatest, least, power, unrolled, where
from .closed_steps import close, noticed
from .log import (
    ATOL,
    BEFORE,
    CAP,
    CURVE,
    DEPTH,
    END,
    EVENT_COUNT,
    EVENT_KERNEL,
    EVERY,
    FAILS,
    FINAL,
    FIXED,
    FROM,
    GAP,
    GOING,
    LONGEST,
    LOOK,
    LOOKED,
    ORDER,
    PANEL,
    REDONE,
    REFUSED,
    ROUGH,
    ROWS,
    RTOL,
    SEEN,
    SINCE,
    SPACING,
    STATUS,
    STEPS,
    STUCK,
    UNTIL,
    H,
    Problem,
    Stride,
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


def gap_of(run: Problem, step: Stride, room: Reals) -> float:
    """How far the curve of a step is from the equations, in tolerances: the largest over panels
    and states of |y(b) - y(a) - int f dt|. Its sum over the panels goes to the first `size` places
    of `room`."""
    size, log, t, h, y = run.size, run.log, step.t, step.h, step.y
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
            curve(size, theta, h, y, step.new, step.work, at)
            ask(run, t + theta * h, at, rates)
            for i in range(size):
                flow[i] += _W[g] * rates[i]
        curve(size, low + 2.0 * half, h, y, step.new, step.work, right)
        for i in range(size):
            flow[i] = right[i] - left[i] - half * h * flow[i]
            left[i] = right[i]
        soften(run, step, flow)
        for i in range(size):
            part = flow[i] / (log[ATOL] + log[RTOL] * max(abs(y[i]), abs(step.new[i])))
            worst = where(abs(part) <= worst, worst, abs(part))
            total[i] += part
    return worst


def sighted(run: Problem, step: Stride, at: Reals) -> int:
    """1 where a function of an event does not keep its sign along the step, else 0."""
    asked, count, log = run.given[EVENT_KERNEL], least(run.log[EVENT_COUNT]), run.log
    clock, signs, low, high = asked[0], asked[3], asked[4], asked[5]
    values, before = asked[6], asked[7]
    log[FROM] = step.t
    for i in range(run.size):
        before[i] = step.y[i]
    looks = greatest(step.h / log[PANEL]) + 1
    if looks < LOOKS:
        looks = LOOKS
    seen = 0
    for n in range(looks):
        theta = (n + 1.0) / looks
        curve(run.size, theta, step.h, step.y, step.new, step.work, at)
        clock[0] = step.t + theta * step.h
        asked[1] = at
        run.kernels[EVENT_KERNEL](asked, values)
        for k in range(count):
            low[k] = min(low[k], values[k])
            high[k] = max(high[k], values[k])
            if any_of(not (values[k] * signs[k] > 0.0)):
                seen = 1
    return seen


def first_step(run: Problem, y: Reals, room: Reals) -> float:
    """A first step that is neither much too long nor much too short.

    Reference: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.4.
    """
    size, log = run.size, run.log
    f, at, moved = room, room[size:], room[2 * size :]
    t, left = log[T], log[END] - log[T]
    ask(run, t, y, f)
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
    ask(run, t + guess, at, moved)
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


def length(log: Reals) -> float:
    """Of the step that is tried now: no short one is left at the end, or a step is fixed."""
    left = log[END] - log[T]
    h = min(min(log[H], log[LONGEST]), where(log[T] < log[UNTIL], log[CAP], left))
    h = where(1.000001 * h >= left, left, where(2.0 * h > left, 0.5 * left, h))
    now: float = where(log[FIXED] > 0.0, where(1.000001 * log[H] >= left, left, log[H]), h)
    return now


def instant(s: int, log: Reals) -> float:
    """Of sample number s."""
    when: float = min(s * log[SPACING], log[FINAL])
    return when


def first_sample(t: float, log: Reals) -> int:
    """Samples behind t have this number or a larger one."""
    return least(t / log[SPACING])


def last_sample(after: float, log: Reals) -> int:
    """Samples until `after` have smaller numbers than this."""
    return greatest(max(min(after, log[FINAL]), 0.0) / log[SPACING] + 0.5) + 1


def sampled(t: float, after: float, good: bool, log: Reals) -> int:
    """1 where a sample is due in the step, else 0."""
    due = 0
    for s in range(first_sample(t, log), last_sample(after, log)):
        if any_of(good and (instant(s, log) > t) and (instant(s, log) <= after)):
            due = 1
    return due


def keep(run: Problem, step: Stride, after: float, good: bool, samples: Reals, at: Reals) -> None:
    """The samples of the step, its loops closed."""
    size, log, t, h = run.size, run.log, step.t, step.h
    for s in range(first_sample(t, log), last_sample(after, log)):
        now = instant(s, log)
        here = good and (now > t) and (now <= after)
        if any_of(here):
            curve(size, (now - t) / where(h > 0.0, h, 1.0), h, step.y, step.new, step.work, at)
            if least(log[ROWS]) > 0:
                close(run, at)
            for i in range(size):
                place = s * size + i
                samples[place] = where(here, at[i], samples[place])


def stands(run: Problem, step: Stride, after: float, good: bool, sums: Reals, room: Reals) -> bool:
    """Whether the step satisfies the equations where it did not ask them; if not, shorter ones
    are to be made until its end."""
    log = run.log
    worst = gap_of(run, step, room)
    bad = good and not (worst <= ALLOWED) and (log[FIXED] == 0.0)
    depth = where(step.t < log[UNTIL], log[DEPTH], 0.0)  # none inside a stretch that is behind it
    log[STATUS] = where(bad and (depth >= DEEPEST), ROUGH, log[STATUS])
    log[CAP] = where(bad, step.h / 8.0, log[CAP])
    log[UNTIL] = where(bad, after, log[UNTIL])
    log[DEPTH] = where(bad, depth + 1.0, depth)
    log[REDONE] = log[REDONE] + where(bad, 1.0, 0.0)
    log[LOOKED] = worst
    good = good and not bad
    log[GAP] = where(good, max(log[GAP], worst), log[GAP])
    log[SINCE] = where(good, 0.0, log[SINCE])
    for i in range(run.size):
        sums[i] += where(good, room[i], 0.0)
    return good


def near_singular(run: Problem, new: Reals, room: Reals) -> int:
    """1 where the closed chain comes near a singular place, else 0; `new` stays as it is."""
    for i in range(run.size):
        room[i] = new[i]
    close(run, room)
    return noticed(run, room)


def conclude(step: Stride, error: float, active: bool, good: bool, log: Reals) -> None:
    """Count the step, and say how long the next one is."""
    log[STEPS] = log[STEPS] + where(good, 1.0, 0.0)
    log[REFUSED] = log[REFUSED] + where(active and not good, 1.0, 0.0)
    if any_of(log[FIXED] == 0.0):
        longer = following(step.h, error, good, log)
        log[H] = where(active and (log[FIXED] == 0.0), longer, log[H])
    log[FAILS] = where(good, 0.0, 1.0)
    tiny = log[H] < 1e-15 * max(abs(step.t), 1e-3 * log[END])
    log[STATUS] = where(active and tiny and not good, STUCK, log[STATUS])
    lost = active and (log[FIXED] > 0.0) and (error != error)
    log[STATUS] = where(lost, STUCK, log[STATUS])


def march(run: Problem, y: Reals, samples: Reals, sums: Reals, work: Reals, most: int) -> None:
    """Up to `most` steps towards log[END], samples on the way kept in `samples`."""
    log, new, room, own = run.log, work, work[run.size :], work[8 * run.size :]
    begin(run, y, own)
    if any_of(log[H] == 0.0):
        log[H] = where(log[H] == 0.0, first_step(run, y, room), log[H])
    for _ in range(most):
        active = (log[T] < log[END]) and (log[STATUS] == GOING)
        if not any_of(active):
            break
        step = Stride(log[T], where(active, length(log), 0.0), y, new, own)
        error = attempt(run, step)
        good = active and ((error <= 1.0) or ((log[FIXED] > 0.0) and (error == error)))
        after = where(step.h >= log[END] - step.t, log[END], step.t + step.h)
        log[SINCE] = log[SINCE] + where(good, 1.0, 0.0)
        check = any_of(good and (log[SINCE] >= log[EVERY]))
        sample = sampled(step.t, after, good, log) == 1
        if (check or sample or any_of(log[CURVE] > 0.0)) and any_of(good):
            prepare(run, step)
        if check:
            good = stands(run, step, after, good, sums, room)
        looped = (least(log[ROWS]) > 0) and any_of(good)
        if looped:  # noqa: SIM102  (`and` asks both sides in native code)
            if near_singular(run, new, room) == 1:
                log[STATUS] = LOOK
                break
        if sample:
            keep(run, step, after, good, samples, room)
        if looped:
            close(run, new)
        happened = 0
        if least(log[EVENT_COUNT]) > 0 and any_of(good):
            happened = sighted(run, step, room)
        accept(run, step, where(good, 1.0, 0.0))
        for i in range(run.size):
            y[i] = where(good, new[i], y[i])
        log[T] = where(good, after, step.t)
        conclude(step, error, active, good, log)
        if happened == 1:
            log[SEEN] = 1.0
            break
