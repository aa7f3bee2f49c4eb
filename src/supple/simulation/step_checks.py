"""Does a step satisfy the equations of motion, and do all of them together?

A solver judges its steps by the instants it chose itself; what happens between them it cannot
see. So each step [a, b] is looked at again, at instants the solver did not choose: its dense
output y(t) must satisfy the integrated equations, in every panel of the step,

    gap = y(t_2) - y(t_1) - int_{t_1}^{t_2} f(t, y(t)) dt,

by Gauss' rule. Stiff parts magnify the error of y(t) by h df/dy; (1 - h df/dy)^-1 gap does not.
Where the gap is large against the tolerance, the step is made again with shorter ones.

Native integrators do the same in machine code (`integrators.march`). When the run is done its
steps are checked together, and it is told how they were made.
"""

from __future__ import annotations

import numpy as np

from ..loops.assembly import size
from ..robot import Robot
from ..types import Floats
from .check import Check, at_most
from .run_in_progress import RunInProgress
from .solver import DenseOutput, Tolerances
from .stiffness import EXPLICIT, slope

PANELS = 1000  # a panel is no longer than this share of the run
ALLOWED = 30.0  # gap of a panel, in units of the tolerance
DRIFT = 1e3  # how far loops may open in a step, in units of the tolerance
TOGETHER = 100.0  # gaps of all steps together, in units of the tolerance
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


def checks_of_steps(course: RunInProgress) -> list[Check]:
    """The worst step, all steps together, and the drift of closed chains."""
    made = [*_too_long(course), *_adding_up(course)]
    if course.keeper is not None:
        made.append(_drift(course.drive.robot, course.keeper.drift, course.how))
    return made


def making(course: RunInProgress) -> dict[str, str | float]:
    """How the run was made, for its file."""
    how = [f"{which} from {t:.4g} s ({why})" for t, which, why in course.methods]
    inputs = course.__dict__.get("inputs")  # of native methods
    return {
        "method": "; ".join(how),
        "rtol": course.how.rtol,
        "atol": course.how.atol,
        "steps": course.steps,
        "steps_refused": course.refused,
        "steps_redone": course.redone,
        "calls": course.calls,
        "called_back": 0 if inputs is None else inputs.called,
        "called_back_s": 0.0 if inputs is None else inputs.spent,
        "defect": course.largest_gap,
        "inputs": "; then ".join(dict.fromkeys(course.called_back)),
        "stopped_by": course.stopped,
    }


def _too_long(course: RunInProgress) -> list[Check]:
    """Steps that do not satisfy the equations; only those of one length may stand then."""
    fixed = course.how.step
    length = "" if fixed is None else f"steps of {fixed:.3g} s by {course.method} leave"
    words = (
        f"{length or 'the steps leave'} the equations of motion open by {course.largest_gap:.3g} "
        f"tolerances (rtol {course.how.rtol:g}). Take shorter steps, or leave their length to the "
        f"method"
    )
    gap = course.largest_gap
    return [at_most("worst step", gap, ALLOWED, "tolerances", f"{course.steps} steps", words)]


def _adding_up(course: RunInProgress) -> list[Check]:
    """Gaps of the steps that are all on one side: each within the tolerance, together not."""
    robot = course.drive.robot
    if not robot.coordinate_names:
        return []  # nothing moves
    names = (*robot.coordinate_names, *(f"d/dt {n}" for n in robot.velocity_names))
    gaps = np.abs(course.all_gaps[: len(names)])
    rounding = max(1.0, 1e-11 / course.how.rtol)  # no digits are left to add up
    worst = int(np.argmax(gaps)) if len(gaps) == len(names) else 0
    off = float(gaps.max(initial=0.0))
    words = (
        f"errors of the steps add up: {names[worst]} is off by about {off:.3g} tolerances. "
        f"Torques, loads or laws are rougher than the steps can follow (switching, quantised, "
        f"noisy): name their jumps (breaks), make them smooth, or use a smaller rtol"
    )
    if course.how.step is not None and course.largest_gap > ALLOWED:
        return []  # its steps are too long: that is said
    where = names[worst] if off else ""
    return [at_most("all steps together", off, TOGETHER * rounding, "tolerances", where, words)]


def _drift(robot: Robot, drift: float, how: Tolerances) -> Check:
    """How far loops opened in a step before they were closed again."""
    limit = DRIFT * max(how.rtol * size(robot) + how.atol, 1e-12)
    words = (
        f"the loops of {robot.name} opened by {drift:.3g} (m, rad) in a step before they were "
        f"closed again: the steps are too long for them. Use a smaller rtol or shorter steps"
    )
    return at_most("closure drift", drift, limit, "m, rad", "", words)
