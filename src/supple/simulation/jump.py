"""Over a jump of the forces: a switching controller, a step in a reference.

No step is short enough for a solver to get over a jump that is large against its tolerance. So
the jump is located to the last bit, and the run goes on from just beyond it.
"""

from __future__ import annotations

import numpy as np

from ..types import Floats
from .simulated_robot import Rate


def beyond_jump(rate: Rate, a: float, y: Floats, reach: float) -> tuple[float, Floats] | None:
    """Time and state just after the first jump of the rate within `reach` after a, if there is
    one. A pole is none: there the rate has no value on either side."""
    slope = rate(a, y)
    if not np.all(np.isfinite(slope)):
        return None

    def go(t: float) -> Floats:
        return np.asarray(y + (t - a) * slope)

    def at(t: float) -> Floats:
        return rate(t, go(t))

    near, far = a, a + reach
    if not _jumps(at(a), at(far)):
        return None
    left, right = at(near), at(far)
    while True:
        middle = 0.5 * (near + far)
        if not near < middle < far:
            break
        value = at(middle)
        if np.linalg.norm(value - left) < np.linalg.norm(value - right):
            near, left = middle, value
        else:
            far, right = middle, value
    beside = max(16.0 * np.spacing(far), 1e-6 * reach)  # sign(0) = 0 is on neither side
    near, far = max(near - beside, a), far + beside
    left, right = at(near), at(far)
    height = np.linalg.norm(right - left)
    steady = max(
        np.linalg.norm(at(far + reach) - right), np.linalg.norm(at(max(near - reach, a)) - left)
    )
    return (far, go(far)) if steady < 0.1 * height else None


def _jumps(before: Floats, after: Floats) -> bool:
    """Whether the rate changes by more than a moment explains."""
    if not (np.all(np.isfinite(before)) and np.all(np.isfinite(after))):
        return False
    size = max(float(np.linalg.norm(before)), float(np.linalg.norm(after)))
    return bool(np.linalg.norm(after - before) > 1e-5 * size)
