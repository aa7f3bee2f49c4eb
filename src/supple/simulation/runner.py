"""A run in native code: memory, kernels and the way they are called.

Runner(drive, rate, "explicit")      the robot's equations, the laws, the integrator
  .start(t, y, ...)                  at a break: where it is, what it may do
  .go(most)                          up to so many steps, without returning to Python
"""

from __future__ import annotations

import ctypes
import time
from dataclasses import dataclass
from typing import Protocol, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from ..engine import Kernel, traced
from ..engine.dependence import dependence
from ..loops.implicit import absorbed_step
from ..tracer.function import Function
from ..types import Array, Floats
from .closed_run import LoopKeeper
from .integrators import integrator, log as at
from .simulated_robot import SimulatedRobot
from .solver import DenseOutput, Tolerances, dense_output
from .tree_slope import Memory, TreeSlope, has_tree_slope

Entry: TypeAlias = tuple[int, object]
"""Where machine code begins, and what keeps it alive."""

Addresses: TypeAlias = ctypes.Array[ctypes.c_void_p]
"""Where the arguments of machine code are."""

SELDOM = 16.0  # of how many steps one is checked where nothing can hide between them
FEW, PIECE = 8, 0.03  # steps in the first piece of a march; the time [s] that later ones take
PANELS = 1000  # a panel of the check is no longer than this share of the run


@dataclass(frozen=True)
class SampleTimes:
    """When to keep the state: `count` instants from 0 to `final`."""

    count: int
    final: float

    @property
    def spacing(self) -> float:
        return self.final / (self.count - 1)


class RunEquations(Protocol):
    """d(state)/dt = kernel(state, u) of so many numbers and inputs; `pairs` places come first, then
    as many rates that are nothing but their derivatives."""

    @property
    def size(self) -> int: ...

    @property
    def inputs(self) -> int: ...

    @property
    def parameters(self) -> int: ...

    @property
    def pairs(self) -> int: ...

    @property
    def kernel(self) -> Kernel: ...


class Inputs(Protocol):
    """u = u(t, state, numbers), as native code asks for it: see `NativeInputs`."""

    fed: int
    count: int
    kernel: Function | None

    def law(self, lanes: int = 1) -> Entry: ...

    def law_slope(self, lanes: int = 1) -> Entry: ...

    def numbers_between(self, a: float, b: float) -> Floats: ...

    @property
    def contexts(self) -> tuple[int, ...]: ...


class InputWindow(Protocol):
    """Between which instants the inputs may be asked for, and what they are."""

    stretch: tuple[float, float]

    def inputs(self, t: float, y: Floats) -> Floats | None: ...


class EventSigns:
    """What native code looks at for events: a kernel (t, y) -> functions, the signs that they
    should keep, and the range in which they were."""

    def __init__(self, kernel: Function, size: int, count: int) -> None:
        self.kernel, self._clock = kernel, np.zeros(1)
        self.signs, self._values, self.before = np.zeros(count), np.zeros(count), np.zeros(size)
        self.low, self.high = np.full(count, np.inf), np.full(count, -np.inf)

    def pointers(self, space: Floats) -> Addresses:
        arrays = (self.signs, self.low, self.high, self._values, self.before)
        return _pointers(self._clock, 0, space, *arrays)


class Runner:
    """Runs by one native integrator: one, or several side by side in the lanes of vectors.

    With lanes, all memory has a last axis of as many: y (size, lanes), log (SIZE, lanes).
    `parameters` are numbers of the robot's model that its equations take as arguments.
    """

    def __init__(
        self,
        drive: RunEquations,
        rate: InputWindow,
        inputs: Inputs,
        method: str,
        samples: SampleTimes,
        lanes: int = 1,
        keeper: LoopKeeper | None = None,
        event_signs: EventSigns | None = None,
    ) -> None:
        self.keeper, self.event_signs = keeper, event_signs
        self.drive, self.rate, self.inputs, self.method = drive, rate, inputs, method
        self.size, self.pairs, self.lanes = drive.size, drive.pairs, lanes
        self._integrator = integrator(method, lanes)
        self.log, self.y, self.sums = (
            self._room(at.SIZE),
            self._room(self.size),
            self._room(self.size),
        )
        many = () if lanes == 1 else (lanes,)
        self.samples = np.full((samples.count, self.size, *many), np.nan)
        self._work = self._room(self._integrator.work(self.size, self.pairs, drive.inputs))
        self._connect()
        log = self.log
        log[at.SPACING], log[at.FINAL] = samples.spacing, samples.final
        log[at.PANEL], log[at.EVERY], log[at.FED] = samples.final / PANELS, 1.0, inputs.fed
        self._fresh, self._piece = log.copy(), FEW
        self.halted = False  # set by another thread: it makes no more steps

    def _room(self, count: int) -> Floats:
        return np.zeros(count if self.lanes == 1 else (count, self.lanes))

    def _connect(self) -> None:
        """Addresses of kernels and of their arguments."""
        drive, lanes = self.drive, self.lanes
        self._clock, self._u = self._room(5), self._room(drive.inputs)
        self._numbers = self._room(max(1, self.inputs.count))
        self.parameters = self._room(max(1, drive.parameters))
        self._length, self._r = self._room(1), self._room(self.size)
        used: list[Entry | None] = [None] * 8
        used[at.LAW], used[at.RATE] = self.inputs.law(lanes), entry(drive.kernel, lanes)
        more: tuple[Memory, ...] = ()
        if self.method == "rosenbrock":
            self._slope = slope_of(drive, lanes)
            used[at.SLOPE] = entry(self._slope, lanes)
            more = self._slope.pointers if isinstance(self._slope, TreeSlope) else ()
            used[at.LAW_SLOPE] = self.inputs.law_slope(lanes)
        if self.method == "sweep":
            assert isinstance(drive, SimulatedRobot)  # springs are a robot's
            used[at.PIVOTS] = entry(absorbing(drive), lanes)
        closing, held = self._loops(used)
        if self.event_signs is not None:
            used[at.EVENT_KERNEL] = entry(self.event_signs.kernel, 1)
            self.log[at.EVENT_COUNT] = len(self.event_signs.signs)
        self._alive = [x[1] for x in used if x is not None]
        self._kernels = (ctypes.c_void_p * 8)(*(x[0] if x is not None else 0 for x in used))
        self._space = np.zeros(max(getattr(x, "work", 0) for x in self._alive) + 8)
        asked = _pointers(self._clock, 0, self._numbers, self._space, *self.inputs.contexts)
        moved = _pointers(0, self._u, self.parameters, self._space, *map(ctypes.addressof, more))
        solved = _pointers(0, self._length, self._r, self.parameters, self._space)
        seen = _pointers(0) if self.event_signs is None else self.event_signs.pointers(self._space)
        self._asked = [asked, moved, moved, asked, solved, closing, held, seen]
        self._given = (ctypes.c_void_p * 8)(*(ctypes.addressof(x) for x in self._asked))

    def _loops(self, used: list[Entry | None]) -> tuple[Addresses, Addresses]:
        """What keeps loops closed and watches them: kernels, and where their arguments are."""
        keeper = self.keeper
        if keeper is None:
            return _pointers(0), _pointers(0)
        used[at.CLOSING], used[at.HOLD] = entry(keeper.closing, 1), entry(keeper.watched, 1)
        kept = len(keeper.best)
        self._closed, self._count = (
            np.zeros(self.size + keeper.rows),
            np.array([float(keeper.rows)]),
        )
        self._signs, self._order = np.zeros(kept), np.zeros(kept)
        self._held = np.zeros(kept * kept + kept)
        self.log[at.ROWS], self.log[at.SQUARE] = kept, float(keeper.square)
        self.log[at.SHUT] = keeper.shut
        closing = _pointers(0, self._closed, self._count)
        return closing, _pointers(0, keeper.best, self._signs, self._order, self._held)

    @property
    def t(self) -> float:
        return float(self.log[at.T])

    @property
    def status(self) -> float:
        return float(self.log[at.STATUS])

    @property
    def steps(self) -> int:
        """Made so far."""
        return int(self.log[at.STEPS])

    @property
    def step(self) -> float:
        """The length of the next one."""
        return float(self.log[at.H])

    @property
    def fixed(self) -> bool:
        """Whether all steps are of one length."""
        return bool(self.log[at.FIXED])

    @property
    def cap(self) -> float:
        """How long a step was, the last time that it had to be made again."""
        return 8.0 * float(self.log[at.CAP])

    @property
    def redone(self) -> int:
        return int(self.log[at.REDONE])

    @property
    def refused(self) -> int:
        """Steps that were tried and found too long."""
        return int(self.log[at.REFUSED])

    @property
    def calls(self) -> int:
        """Of the equations of motion."""
        return int(self.log[at.CALLS])

    @property
    def largest_gap(self) -> float:
        return float(self.log[at.GAP])

    @property
    def drift(self) -> float:
        """How far loops were open before they were closed again, at most."""
        return float(np.max(self.log[at.DRIFT]))

    def check_every(self, steps: float) -> None:
        """Check one of so many steps against the equations, the first among them."""
        self.log[at.EVERY] = steps
        self.log[at.SINCE] = steps - 1.0 if steps <= SELDOM else 0.0
        self._fresh = self.log.copy()

    def forget(self) -> None:
        """Be as it was before any run."""
        self.log[:] = self._fresh
        self.samples.fill(np.nan)
        self.sums.fill(0.0)

    def start(
        self, t: float, y: Floats, end: float, how: Tolerances, step: float | Floats = 0.0
    ) -> None:
        """Begin at (t, y), which follows no other step, towards `end`; a step of 0 leaves its
        length to the integrator."""
        log = self.log
        log[at.T], log[at.END], log[at.H] = t, end, step
        log[at.RTOL], log[at.ATOL], log[at.LONGEST] = max(how.rtol, 2.3e-14), how.atol, np.inf
        log[at.FIXED] = 1.0 if how.step is not None else 0.0
        log[at.STATUS], log[at.BEGUN], log[at.FAILS] = at.GOING, 0.0, 0.0
        log[at.UNTIL], log[at.CAP], log[at.DEPTH] = -1.0, np.inf, 0.0
        self.y[:] = y
        if self.keeper is not None:
            self._order[:], self._signs[:] = self.keeper.elimination(np.asarray(y))
        self._clock[1], self._clock[2] = self.rate.stretch
        self._clock[3], self._clock[4] = np.nan, self.inputs.fed
        numbers = self.inputs.numbers_between(*self.rate.stretch)
        self._numbers[: len(numbers)] = numbers if self.lanes == 1 else numbers[:, None]

    def curve(self, a: float, before: Floats) -> DenseOutput:
        """Through the last step, which began at (a, before)."""
        b, work = self.t, self._work.copy()
        new, own = work[: self.size], work[8 * self.size :]

        def state(t: float) -> Floats:
            out = np.empty(self.size)
            arrays = (x.ctypes.data for x in (before, new, own, out))
            self._integrator.curve(self.size, (t - a) / (b - a), b - a, *arrays)
            return out

        return dense_output(state)

    def watch_events(self, signs: Floats) -> None:
        """For functions that do not keep these signs: a step in which one does not is the last."""
        assert self.event_signs is not None
        self.event_signs.signs[:] = signs
        self.log[at.SEEN] = 0.0

    @property
    def seen(self) -> bool:
        """Whether the last step is to be looked at more closely."""
        return bool(self.log[at.SEEN])

    @property
    def last_step(self) -> tuple[float, Floats]:
        """Where it began, where events are looked for."""
        assert self.event_signs is not None
        return float(self.log[at.FROM]), self.event_signs.before.copy()

    def put_numbers(self, values: Floats, end: int) -> None:
        """Numbers of the laws that differ from run to run: those before place `end`."""
        self._numbers[end - len(values) : end] = values

    def inputs_at(self, t: float, y: Floats) -> Floats | None:
        """What drives the robot at (t, y), as native code finds it."""
        if self.inputs.kernel is None:
            return self.rate.inputs(t, y)
        t = min(max(t, self.rate.stretch[0]), self.rate.stretch[1])
        numbers = self.inputs.numbers_between(*self.rate.stretch)
        u: Floats = self.inputs.kernel(np.array([t]), y, numbers)
        return u

    def go(self, most: int) -> None:
        """Up to so many steps, tried or made; an exception raised by a signal handler is met
        between some of them, so many that they take some hundredths of a second."""
        called_back = self.inputs.kernel is None  # signal handlers run in Python's own functions
        while most > 0 and not self.halted:
            steps, began = min(most, self._piece), time.perf_counter()
            self._march(called_back, steps)
            most -= steps
            took = time.perf_counter() - began
            self._piece = max(1, int(steps * min(4.0, PIECE / max(took, 1e-9))))
            if most > 0 and (np.any(self.log[at.SEEN]) or not np.any(self._going)):
                return

    @property
    def _going(self) -> NDArray[np.bool_]:
        log = self.log
        return np.asarray((log[at.T] < log[at.END]) & (log[at.STATUS] == at.GOING))

    def _march(self, called_back: bool, steps: int) -> None:
        march = self._integrator.march_locked if called_back else self._integrator.march
        arrays = (self.log, self.y, self.samples, self.sums, self._work)
        march(
            ctypes.addressof(self._kernels),
            ctypes.addressof(self._given),
            self.size,
            self.pairs,
            self.drive.inputs,
            *(a.ctypes.data for a in arrays),
            steps,
        )


class NativeStepper:
    """A native integrator that goes step by step, for who looks at each (closed chains)."""

    def __init__(
        self,
        runner: Runner,
        t: float,
        y: Floats,
        end: float,
        how: Tolerances,
        most: float,
        step: float,
    ) -> None:
        self._runner, self._end = runner, end
        runner.log[at.ROWS] = 0.0  # who looks closes the loops
        self.status = "running" if t < end else "finished"
        runner.start(t, y, end, how, step)
        runner.log[at.LONGEST], runner.log[at.EVERY], runner.log[at.CURVE] = most, np.inf, 1.0
        runner.log[at.FINAL] = -1.0  # samples are kept by who looks

    @property
    def t(self) -> float:
        return self._runner.t

    @property
    def y(self) -> Floats:
        return self._runner.y.copy()

    @y.setter
    def y(self, y: Floats) -> None:
        self._runner.y[:] = y
        self._runner.log[at.BEGUN] = 0.0

    def step(self) -> str | None:
        runner = self._runner
        self._before, self._y = runner.t, runner.y.copy()
        while runner.t == self._before and runner.status == at.GOING:
            runner.go(1)
        if runner.status != at.GOING:
            self.status = "failed"
            return "no step is short enough"
        if runner.t >= self._end:
            self.status = "finished"
        return None

    def dense_output(self) -> DenseOutput:
        return self._runner.curve(self._before, self._y)


def checked_one_of(smooth: bool, how: Tolerances, duration: float) -> float:
    """Of how many steps one is checked: where nothing can hide between them, of sixteen; of steps
    of one length so many that sixteen are checked."""
    few = np.inf if how.step is None else max(1.0, np.floor(duration / how.step / SELDOM))
    return float(min(SELDOM, few)) if smooth else 1.0


def slope_of(drive: RunEquations, lanes: int = 1) -> Kernel | TreeSlope:
    """(state, inputs) -> d(d(state)/dt)/d(state)."""
    if lanes == 1 and isinstance(drive, SimulatedRobot) and has_tree_slope(drive):
        return TreeSlope(drive)
    return drive.kernel.jacobian("x0")


def absorbing(drive: SimulatedRobot) -> Function:
    """(state, h gamma, r) -> (1/(h gamma) - A)^-1 r, A of the springs and dampers alone; numbers of
    the model, where there are any, come last."""
    held, size, robot, names = drive.driven.held, drive.size, drive.robot, drive.names

    def step(y: Array, length: Array, r: Array, *parameters: Array) -> Array:
        at = dependence(robot, names).at(*parameters) if names else robot
        return absorbed_step(at, y, length[0], r, held)

    more = (len(names),) if names else ()
    known = ("absorbing", robot, sorted(held), list(names))
    made: Function = traced(step, (size, 1, size, *more), known)  # type: ignore[assignment]
    return made


def entry(function: Kernel | TreeSlope, lanes: int) -> Entry:
    """Where native code calls a function."""
    made = cast("Function | TreeSlope", function).entry(lanes)
    assert made is not None  # what runs is straight-line code
    return made.address, made


def _pointers(*arrays: Floats | int) -> Addresses:
    values = [x if isinstance(x, int) else x.ctypes.data for x in arrays]
    return (ctypes.c_void_p * len(values))(*values)


__all__ = ["EventSigns", "NativeStepper", "Runner", "SampleTimes", "absorbing", "checked_one_of"]
