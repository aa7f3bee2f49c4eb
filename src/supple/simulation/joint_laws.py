"""Are the laws of joints laws? Position, rate and acceleration must belong together.

Position and rate have no jumps, or the force would be infinite; the rate is the position's
derivative and the acceleration the rate's. Where a law is smooth, over a short stretch

    x(t+e) - x(t-e) = e/3 (v(t-e) + 4 v(t) + v(t+e)),   and the same for v and a.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from ..errors import InputError
from ..types import Floats
from .breaks import find_breaks
from .inputs import check_memory
from .law import LawError
from .motion import JointLaw

PLACES = 400  # at which derivatives are looked at
SHORT = (1e-4, 1e-5, 1e-6, 1e-7)  # stretches of the run, one of which must fit
POLE = 1e4  # times higher, seen 50,000 times closer
APART = 1e-9  # of the run: either side of a break
UNEXPLAINED = 1e-3  # of a change that its derivative may leave
_NAMES = ("position", "rate", "acceleration")


class LawValues:
    """Position, rate and acceleration as an array, of one instant or of many."""

    def __init__(self, law: JointLaw) -> None:
        self._law = law
        self.many = getattr(law, "many", None)

    def __call__(self, t: float) -> Floats:
        return np.array(self._law(t))

    def rows(self, t: Floats) -> Floats:
        """At many instants: (n, 3)."""
        found = None if self.many is None else self.many(t)
        if found is None:
            found = [self._law(at) for at in t.tolist()]
        return np.asarray(found, dtype=float).reshape(len(t), 3)


@lru_cache(maxsize=64)
def law_breaks(law: JointLaw, duration: float, called: str, told: tuple[float, ...]) -> list[float]:
    """Where a law of a joint jumps, kinks, or begins to move."""
    known = getattr(law, "breaks", None)
    if known is not None:
        return list(known)
    return find_breaks(LawValues(law), duration, called, told)


def check_laws(
    names: Sequence[str],
    laws: Sequence[JointLaw],
    duration: float,
    small: float,
    told: Sequence[float] = (),
) -> None:
    """Refuse laws that jump, kink or have poles, and whose rate or acceleration is none. What is
    below `small`, the tolerance of the run, is of no weight; breaks that are told need not be
    found."""
    for name, law in zip(names, laws, strict=True):
        one = LawValues(law)
        try:
            with np.errstate(all="ignore"):
                check_memory(f"the law of {name}", _of_time(one), duration)
                found = law_breaks(law, duration, f"the law of {name}", tuple(told))
                _check_law(name, one, duration, small, {*found, *told})
        except LawError as error:
            raise InputError(str(error)) from None


def _of_time(law: Callable[[float], Floats]) -> Callable[[float, float], Floats]:
    return lambda t, more: law(t)


def _check_law(
    name: str,
    law: LawValues,
    duration: float,
    small: float,
    breaks_at: set[float],
) -> None:
    t = np.linspace(0.0, duration, 2001)
    seen = law.rows(t)
    for at in t[~np.isfinite(seen).all(axis=1)]:
        raise InputError(f"law of {name} is not finite at t = {at:.6g} s")
    breaks = sorted(x for x in breaks_at if 0.0 < x < duration)
    ends = [0.0, *breaks, duration]
    between = [law(0.5 * (a + b)) for a, b in pairwise(ends)]
    size = np.abs([*seen, *between]).max(axis=0)
    for a, at, b in zip(ends, breaks, ends[2:], strict=False):
        if b - a < 1e-4 * duration and _grows(law, a, b):
            raise InputError(f"law of {name} grows without bound near t = {at:.6g} s (a pole)")
    _check_derivatives(name, law, duration, breaks, small)
    for at in breaks:
        _check_jump(name, law, at, APART * duration, size, small)


def _grows(law: Callable[[float], Floats], a: float, b: float) -> bool:
    """Whether position or rate grows without bound in (a, b): the closer one looks, the more."""
    first = np.inf
    for level in range(5):
        t = np.linspace(a, b, 33)
        height = np.array([np.abs(law(float(at))[:2]).max() for at in t])
        if not np.isfinite(height).all():
            return True
        first = first if level else float(height.max())
        k = min(max(int(np.argmax(height)), 1), len(t) - 2)
        a, b = float(t[k - 1]), float(t[k + 1])
    return bool(height.max() > POLE * first)


def _check_jump(
    name: str, law: Callable[[float], Floats], at: float, apart: float, size: Floats, small: float
) -> None:
    """Neither position nor rate may differ on the two sides of a break."""
    before, after = law(at - apart), law(at + apart)
    step = np.abs(after - before)
    slope = np.maximum(np.maximum(np.abs(before), np.abs(after))[1:], 1e-3 * size[1:])
    for k in (0, 1):
        if step[k] > 10.0 * apart * slope[k] + 1e-9 * size[k] + small:
            kink = " (a kink of the position)" if k else ""
            raise InputError(
                f"law of {name}: its {_NAMES[k]} jumps by {step[k]:.6g} at t = {at:.6g} s{kink}. "
                f"A law must have a continuous rate that is the derivative of its position: "
                f"round the corner"
            )


def _check_derivatives(
    name: str, law: LawValues, duration: float, breaks: Sequence[float], small: float
) -> None:
    """Rate and acceleration must be the derivatives they are said to be, away from breaks: over
    one of the stretches at least."""
    ends = np.array([0.0, *breaks, duration])
    at = duration * (np.arange(PLACES) + 0.5 * np.sqrt(2.0)) / PLACES
    k = np.searchsorted(ends, at)
    room = 0.9 * np.minimum(at - ends[k - 1], ends[k] - at)
    for e in SHORT:
        change, integral, wrong = _misfits(law, at, np.minimum(e * duration, room), small)
        left = np.any(wrong, axis=1)
        at, room = at[left], room[left]
    if len(at):
        i = int(np.argmax(left))
        k = int(np.argmax(wrong[i]))
        raise InputError(
            f"law of {name}: its {_NAMES[k]} changes by {change[i, k]:.6g} near t = {at[0]:.6g} s "
            f"where the integral of its {_NAMES[k + 1]} changes by {integral[i, k]:.6g}. The "
            f"{_NAMES[k + 1]} that a law gives must be the derivative of its {_NAMES[k]}"
        )


def _misfits(
    law: LawValues, at: Floats, half: Floats, small: float
) -> tuple[Floats, Floats, npt.NDArray[np.bool_]]:
    """Changes of position and rate over stretches around `at`, the integrals of what is said to
    be their derivatives, and which of them do not fit: (places, 2) each."""
    a, m, b = law.rows(np.concatenate([at - half, at, at + half])).reshape(3, len(at), 3)
    change = (b - a)[:, :2]
    parts = half[:, None] / 3.0 * np.array([a[:, 1:], 4.0 * m[:, 1:], b[:, 1:]])
    integral = parts.sum(axis=0)
    allowed = UNEXPLAINED * np.maximum(np.abs(parts).sum(axis=0), np.abs(change))
    rounding = 1e-12 * np.maximum(np.abs(a), np.abs(b))[:, :2] + small
    return change, integral, np.abs(change - integral) > allowed + rounding
