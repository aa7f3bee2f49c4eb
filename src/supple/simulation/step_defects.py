"""Does a step satisfy the equations of motion?

A solver judges its steps by the instants it chose itself; what happens between them it cannot
see. So each step [a, b] is looked at again, at instants the solver did not choose: its dense
output y(t) must satisfy the integrated equations, in every panel of the step,

    gap = y(t_2) - y(t_1) - int_{t_1}^{t_2} f(t, y(t)) dt,

by Gauss' rule. Stiff parts magnify the error of y(t) by h df/dy; (1 - h df/dy)^-1 gap does not.
Where the gap is large against the tolerance, the step is made again with shorter ones.

Native integrators do the same in machine code (`integrators.march`).
"""

from __future__ import annotations

import numpy as np

from ..types import Floats
from .run_in_progress import RunInProgress
from .solver import DenseOutput
from .stiffness import EXPLICIT, slope

PANELS = 1000  # a panel is no longer than this share of the run
ALLOWED = 30.0  # gap of a panel, in units of the tolerance
EXPLICIT_METHODS = ("DOP853", "RK45")
_X, _W = np.polynomial.legendre.leggauss(4)


def gap(
    course: RunInProgress, dense: DenseOutput, a: float, b: float, before: Floats
) -> tuple[float, Floats]:
    """How far the step is from the equations, in units of the tolerance: the worst panel, and the
    sum of all (n,)."""
    count = max(1, int(np.ceil((b - a) * PANELS / course.duration)))
    edges = np.linspace(a, b, count + 1)
    half = 0.5 * (b - a) / count
    at = (edges[:-1, None] + half * (1.0 + _X)).ravel()
    rates = np.array([course.rate(float(t), y) for t, y in zip(at, dense(at).T, strict=True)])
    if not np.all(np.isfinite(rates)):
        return np.inf, np.zeros(len(before))
    moved = np.diff(dense(edges), axis=1).T
    flow = half * np.einsum("w,pwn->pn", _W, rates.reshape(count, len(_W), -1))
    scale = course.how.atol + course.how.rtol * np.maximum(np.abs(before), np.abs(dense(b)))
    gaps = moved - flow
    # stiff parts magnify gaps, an implicit method's are not to be added up as they are
    total = gaps.sum(axis=0) / scale * (course.method in (*EXPLICIT_METHODS, EXPLICIT))
    worst = float((np.abs(gaps) / scale).max())
    if worst <= ALLOWED:
        return worst, total
    J = slope(course.rate, 0.5 * (a + b), dense(0.5 * (a + b)))
    if not np.all(np.isfinite(J)):
        return worst, total
    softened = np.linalg.solve(np.eye(len(J)) - (b - a) * J, gaps.T).T
    worst = min(worst, float((np.abs(softened) / scale).max()))
    return worst, softened.sum(axis=0) / scale
