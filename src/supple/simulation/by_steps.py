"""A run step by step, each looked at: SciPy's solvers, CVODE, and closed chains near singular
places."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ..errors import InputError, SuppleError, let_signals_through
from ..types import Floats
from .event_search import InstantReached
from .integrators import METHODS as NATIVE
from .run_failures import failure_at, require_progress, rough, step_over_jump
from .run_in_progress import RunInProgress
from .runner import NativeStepper
from .simulated_robot import Rate
from .solver import DenseOutput, Stepper, dense_output
from .step_checks import ALLOWED, gap

if TYPE_CHECKING:
    from sksundae import cvode

DEEPEST = 9  # times that a step is cut in eight
REVIEW = 200  # steps after which the method is looked at again
CVODE = "CVODE"
SHORT = 16.0  # spacings of numbers: CVODE does not begin on a shorter way


def _solver(course: RunInProgress, t: float, y: Floats, end: float, most: float) -> Stepper:
    if course.method in NATIVE:
        step = min(course.step or 0.0, most, end - t)
        return NativeStepper(course.stepper(), t, y, end, course.how, most, step)
    from scipy import integrate

    kind = CvodeStepper if course.method == CVODE else getattr(integrate, course.method)
    step = min(course.step or np.inf, most, end - t)
    first = step if course.step is not None or most < np.inf else None
    relative = max(course.how.rtol, 2.3e-14)
    made: Stepper = kind(
        course.counted,
        t,
        y,
        end,
        rtol=relative,
        atol=course.how.atol,
        max_step=most,
        first_step=first if first is None or first > 0.0 else None,
    )
    return made


def advance(
    course: RunInProgress, t: float, y: Floats, end: float, most: float = np.inf, depth: int = 0
) -> Floats:
    """From (t, y) to `end` in steps no longer than `most`."""
    return stepping(course, t, y, end, most, depth)[1]


def stepping(
    course: RunInProgress,
    t: float,
    y: Floats,
    end: float,
    most: float = np.inf,
    depth: int = 0,
    leave: Callable[[Floats], bool] | None = None,
) -> tuple[float, Floats]:
    """Step by step, each looked at, until `end`, or until it is time to `leave`."""
    solver = _solver(course, t, y, end, most)
    while solver.status == "running":
        a, before = float(solver.t), solver.y
        message = _step(solver)
        if solver.status == "failed" or not np.all(np.isfinite(solver.y)):
            error = failure_at(course, float(solver.t), solver.y, message)
            solver = _solver(course, *step_over_jump(course, a, before, end, error), end, most)
            continue
        b, dense = float(solver.t), solver.dense_output()
        worst = _counted(course, a, before, b, dense)
        if worst > ALLOWED:
            b, y = _again(course, a, before, b, worst, depth)
            course.step = None
            solver = _solver(course, b, y, end, most)
            continue
        _keep(course, a, b, solver.y, dense)
        solver = _closed(course, solver, dense, a, end, most)
        _watch(course, b, solver.y)
        if course.how.auto and course.steps % REVIEW == 0 and course.decide(b, solver.y):
            course.step = None
            solver = _solver(course, b, solver.y, end, most)
        if leave is not None and leave(np.asarray(solver.y)):
            break
    return float(solver.t), np.asarray(solver.y)


def _counted(
    course: RunInProgress, a: float, before: Floats, b: float, dense: DenseOutput
) -> float:
    """The gap of a step, in tolerances; it is noted where the step stands."""
    course.steps += 1
    course.step = b - a
    course.chatter(a, before, b)
    worst, total = gap(course, dense, a, b, before)
    if not worst > ALLOWED:
        course.largest_gap = max(course.largest_gap, worst)
        course.all_gaps = course.all_gaps + total[: course.base]
    return worst


def _keep(course: RunInProgress, a: float, b: float, y: Floats, dense: DenseOutput) -> None:
    """Look for events in a step that stands; keep what laws answered at its end, and samples."""
    if course.event_search:
        _look_on(course, a, b, dense)
    if course.method not in NATIVE:
        course.answers(b, y, course.rate.inputs(b, y), course.rate.stretch)
    course.keep_to(b, dense)


def _watch(course: RunInProgress, t: float, y: Floats) -> None:
    """Whether the state means anything, and whether the run gets on."""
    course.watch(t, y)
    if course.progress is not None:
        course.progress(t)
    require_progress(course, t, y)


def _look_on(course: RunInProgress, a: float, b: float, dense: DenseOutput) -> None:
    """For events in a step; samples up to one that acts are kept."""
    try:
        course.event_search.look(a, b, dense, course.rate)
    except InstantReached as event:
        course.keep_to(event.t, dense)
        raise


def _closed(
    course: RunInProgress, solver: Stepper, dense: DenseOutput, a: float, end: float, most: float
) -> Stepper:
    """The solver where the loops are closed again."""
    if course.keeper is None:
        return solver
    b = float(solver.t)
    course.keeper.look(a, b, dense)
    y = course.keeper(solver.y)
    long = course.keeper.across(y) if solver.status == "running" else None
    if long is not None:
        return _across(course, b, y, min(long, end - b), end, most)
    if isinstance(solver, NativeStepper):
        solver.y = y
        return solver
    if hasattr(solver, "f"):  # of one step: nothing else remembers the state
        solver.y, solver.f = y, course.rate(b, y)  # type: ignore[misc]
        return solver
    if solver.status != "running" or course.keeper.nearly(solver.y, course.how.atol):
        return solver  # of several steps: it would have to begin anew
    return _solver(course, b, y, end, most)


def _across(
    course: RunInProgress, a: float, y: Floats, long: float, end: float, most: float
) -> Stepper:
    """Beyond a singular place of the loops, by one step on closed states."""
    from scipy.integrate import DOP853

    keeper = course.keeper
    assert keeper is not None
    b = a + long
    options = {"first_step": b - a, "rtol": 0.1, "atol": 0.1}
    step: Stepper = DOP853(lambda t, y: course.rate(t, keeper.closed(y)), a, y, b, **options)
    step.step()
    dense = step.dense_output()
    keeper.look(a, float(step.t), dense)
    course.keep_to(float(step.t), dense)
    course.steps += 1
    return _solver(course, float(step.t), keeper(step.y), end, most)


def _again(
    course: RunInProgress, a: float, before: Floats, b: float, worst: float, depth: int
) -> tuple[float, Floats]:
    """The same stretch in steps an eighth as long."""
    course.redone += 1
    if depth < DEEPEST and b - a > 1e-11 * course.duration:
        return b, advance(course, a, before, b, (b - a) / 8.0, depth + 1)
    return step_over_jump(course, a, before, b, rough(course, a, before, b, worst))


def _step(solver: Stepper) -> str | None:
    """One step; what the solver's own algebra cannot do is a failed step."""
    try:
        with np.errstate(all="ignore"):
            return solver.step()
    except SuppleError:
        raise
    except (ArithmeticError, ValueError, np.linalg.LinAlgError) as error:
        let_signals_through(error)
        solver.status = "failed"
        return "the state is no longer finite"


class CvodeStepper:
    """CVODE of SUNDIALS as one more solver, for stiff runs (BDF; extra `sundials`), which asks for
    rates through Python. Between the ends of its last step it gives CVODE's own curve."""

    def __init__(
        self,
        rate: Rate,
        t: float,
        y: Floats,
        end: float,
        rtol: float,
        atol: float,
        max_step: float,
        first_step: float | None,
    ) -> None:
        self.t, self.y, self._end, self._rate = t, np.array(y), end, rate
        self.status = "running" if t < end else "finished"
        options: dict[str, str | float] = {
            "method": "BDF",
            "rtol": rtol,
            "atol": atol,
            "max_num_steps": 100_000,
        }
        if np.isfinite(max_step):
            options["max_step"] = max_step
        if first_step is not None:
            options["first_step"] = first_step

        def rates(t: float, y: Floats, out: Floats) -> None:
            out[:] = rate(t, y)

        self._solver = _cvode()(rates, **options)
        self._solver.init_step(t, self.y)

    def step(self) -> str | None:
        self._a, self._before = self.t, self.y
        if self._end - self.t <= SHORT * np.spacing(self._end):
            self._leap()
            return None
        for _ in range(2):  # having looked back, it first returns to where it was
            found = self._solver.step(self._end, method="onestep", tstop=self._end)
            if found.t > self.t:
                break
        if not found.success or not found.t > self.t:
            self.status = "failed"
            return str(found.message)
        self.t, self.y = float(found.t), np.array(found.y)
        if self.t >= self._end:
            self.status = "finished"
        return None

    def _leap(self) -> None:
        """To an end that is too near for CVODE to begin: a few of the last digits away."""
        self.y = self.y + (self._end - self.t) * self._rate(self.t, self.y)
        self.t, self.status = self._end, "finished"

    def dense_output(self) -> DenseOutput:
        known: dict[float, Floats] = {self.t: self.y, self._a: self._before}

        def state(t: float) -> Floats:
            if t not in known:
                known[t] = np.array(self._solver.step(t, method="normal").y)
            return known[t]

        return dense_output(state)


def _cvode() -> type[cvode.CVODE]:
    try:
        from sksundae.cvode import CVODE
    except ImportError:
        raise InputError(
            "method CVODE needs scikit-sundae: pip install 'supple[sundials]'"
        ) from None
    found: type[cvode.CVODE] = CVODE
    return found
