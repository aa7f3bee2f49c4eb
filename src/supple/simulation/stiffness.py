"""Which method suits the equations as they are here and now.

The eigenvalues of the closed loop, feedback and friction included, say how fast things move: an
explicit method must follow the fastest of them with steps of some 3/|lambda|, an implicit one
may step over those that die out. It must not step over vibration, which it would damp.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..types import Floats
from .integrators.explicit import tableau as explicit_tableau
from .integrators.rk4 import tableau as rk4_tableau
from .simulated_robot import Rate

EXPLICIT, IMPLICIT = "explicit", ("rosenbrock", "sweep")
DAMPED_TURNS = 2e4  # |lambda| times the time left, from which on damped motion is stepped over
TURNS = 3e5  # the same for vibration: an explicit method keeps it, at a price
TABLEAUX = {"rk4": rk4_tableau(), "explicit": explicit_tableau()}
BACK = 2e3  # and below which an explicit method is taken again


@dataclass(frozen=True)
class Choice:
    """A method, and why."""

    method: str
    why: str


def slope(rate: Rate, t: float, y: Floats) -> Floats:
    """d(rate)/d(state) by differences: (n, n)."""
    base = rate(t, y)
    J = np.empty((len(y), len(y)))
    for k in range(len(y)):
        step = 1e-7 * max(abs(float(y[k])), 1e-3)
        moved = np.array(y)
        moved[k] += step
        J[:, k] = (rate(t, moved) - base) / step
    return J


def unstable(method: str, step: float, J: Floats) -> float | None:
    """The rate |lambda| [1/s] of a motion that steps of this length would blow up: it does not
    grow by itself, but by these steps, |R(h lambda)| > 1."""
    if method not in TABLEAUX or not np.all(np.isfinite(J)):
        return None
    A, b = TABLEAUX[method]
    for value in sorted(np.linalg.eigvals(J), key=abs, reverse=True):
        z = step * value
        grown = abs(1.0 + z * (b @ np.linalg.solve(np.eye(len(b)) - z * A, np.ones(len(b)))))
        if value.real <= 1e-3 * abs(value) and grown > 1.0 + 1e-3:
            return float(abs(value))
    return None


def choose(
    rate: Rate,
    t: float,
    y: Floats,
    left: float,
    now: str | None,
    implicit: str = "rosenbrock",
) -> Choice:
    """A method for the `left` seconds from (t, y) on."""
    J = slope(rate, t, y)
    if not np.all(np.isfinite(J)):
        return Choice(now or EXPLICIT, "no slope of the equations is known here")
    values = np.linalg.eigvals(J)
    fast = np.abs(values)
    damped = (values.real < 0.0) & (np.abs(values.real) > 0.3 * fast)
    decay = float((fast * damped).max(initial=0.0)) * left
    turns = float((fast * (values.real <= 0.1 * fast)).max(initial=0.0)) * left
    if decay > DAMPED_TURNS:
        return Choice(implicit, f"something dies out {decay / left:.2g} times a second")
    if turns > TURNS:
        return Choice(implicit, f"the fastest mode turns at {turns / left:.2g} rad/s")
    if now in IMPLICIT and max(decay, turns) > BACK:
        return Choice(str(now), "nothing has changed")
    return Choice(EXPLICIT, f"the fastest mode turns at {max(decay, turns) / left:.2g} rad/s")
