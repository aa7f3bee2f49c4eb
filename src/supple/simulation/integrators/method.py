"""What an integrator is made of: these functions, in a module of its own.

`march` calls them by these names. `work` is the method's own memory, `WORK(size, pairs)` numbers
of it; `size` numbers make a state, of which the first 2 x `pairs` are places and their rates
(`pairs` is 0 where places and rates are not of one kind). All are written in the small language
of `tracer.python`.
"""

from __future__ import annotations

from ...tracer.python import Kernel, Pointers, Reals


def begin(
    rate: Kernel,
    slope: Kernel,
    given: Pointers,
    slopes: Pointers,
    size: int,
    pairs: int,
    log: Reals,
    y: Reals,
    work: Reals,
) -> None:
    """What is needed before the first step, and after the state was changed from outside
    (log[BEGUN] is 0 then)."""
    raise NotImplementedError


def attempt(
    rate: Kernel,
    slope: Kernel,
    given: Pointers,
    slopes: Pointers,
    size: int,
    pairs: int,
    t: float,
    h: float,
    log: Reals,
    y: Reals,
    new: Reals,
    work: Reals,
) -> float:
    """Try a step of length h from (t, y): `new` is where it ends. Gives its error, in
    tolerances; NaN where there is none."""
    raise NotImplementedError


def prepare(
    rate: Kernel,
    given: Pointers,
    size: int,
    t: float,
    h: float,
    log: Reals,
    y: Reals,
    new: Reals,
    work: Reals,
) -> None:
    """The curve of the step from y to `new`."""
    raise NotImplementedError


def curve(
    size: int, theta: float, h: float, y: Reals, new: Reals, work: Reals, out: Reals
) -> None:
    """The state at t + theta h, on the curve that was prepared."""
    raise NotImplementedError


def soften(size: int, h: float, work: Reals, gap: Reals) -> None:
    """(1 - h df/dy)^-1 gap, where the method knows df/dy: stiff parts magnify gaps."""
    raise NotImplementedError


def accept(
    rate: Kernel,
    given: Pointers,
    size: int,
    good: float,
    t: float,
    h: float,
    log: Reals,
    y: Reals,
    new: Reals,
    work: Reals,
) -> None:
    """What the next step takes over, in lanes whose step stood (good is 1 there, else 0)."""
    raise NotImplementedError
