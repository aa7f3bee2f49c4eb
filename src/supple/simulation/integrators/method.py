"""What an integrator is made of: these functions, in a module of its own.

`march` calls them by these names. A state has `size` numbers, of which the first 2 x `pairs` are
places and their rates (`pairs` is 0 where places and rates are not of one kind), and `inputs`
numbers drive it. `work` is the method's own memory, WORK(size, pairs, inputs) numbers. All are
written in the small language of `tracer.python`.
"""

from __future__ import annotations

from ...tracer.python import Reals
from .log import Problem, Stride


def begin(run: Problem, y: Reals, work: Reals) -> None:
    """What is needed before a step that does not follow another one: log[BEGUN] is 0 then."""
    raise NotImplementedError


def attempt(run: Problem, step: Stride) -> float:
    """Try a step of length h from (t, y): `new` is where it ends. Gives its error, in
    tolerances; NaN where there is none."""
    raise NotImplementedError


def prepare(run: Problem, step: Stride) -> None:
    """The curve of the step from y to `new`."""
    raise NotImplementedError


def curve(size: int, theta: float, h: float, y: Reals, new: Reals, work: Reals, out: Reals) -> None:
    """The state at t + theta h, on the curve that was prepared."""
    raise NotImplementedError


def soften(run: Problem, step: Stride, gap: Reals) -> None:
    """(1 - h gamma df/dy)^-1 gap, where the method knows df/dy: stiff parts magnify gaps."""
    raise NotImplementedError


def accept(run: Problem, step: Stride, good: float) -> None:
    """What the next step takes over, in lanes whose step stood (good is 1 there, else 0)."""
    raise NotImplementedError
