"""What an integrator is made of: these functions, in a module of its own.

`march` calls them by these names. A state has `size` numbers, of which the first 2 x `pairs` are
places and their rates (`pairs` is 0 where places and rates are not of one kind), and `inputs`
numbers drive it. `work` is the method's own memory, WORK(size, pairs, inputs) numbers. All are
written in the small language of `tracer.python`.
"""

from __future__ import annotations

from ...tracer.python import Arguments, Kernels, Reals


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
    """What is needed before a step that does not follow another one: log[BEGUN] is 0 then."""
    raise NotImplementedError


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
    """Try a step of length h from (t, y): `new` is where it ends. Gives its error, in
    tolerances; NaN where there is none."""
    raise NotImplementedError


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
    """The curve of the step from y to `new`."""
    raise NotImplementedError


def curve(size: int, theta: float, h: float, y: Reals, new: Reals, work: Reals, out: Reals) -> None:
    """The state at t + theta h, on the curve that was prepared."""
    raise NotImplementedError


def soften(
    kernels: Kernels,
    given: Arguments,
    size: int,
    pairs: int,
    h: float,
    work: Reals,
    gap: Reals,
) -> None:
    """(1 - h gamma df/dy)^-1 gap, where the method knows df/dy: stiff parts magnify gaps."""
    raise NotImplementedError


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
    """What the next step takes over, in lanes whose step stood (good is 1 there, else 0)."""
    raise NotImplementedError
