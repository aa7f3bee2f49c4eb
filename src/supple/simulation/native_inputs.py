"""What drives a robot, as native code: laws that are written down become part of the run's
machine code; others are called back, and the run says so.

    u = (torques, rates of the laws' states, wrenches of loads,
         accelerations, places and rates of prescribed joints)
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

import numpy as np

from ..engine import Kernel, traced
from ..errors import let_signals_through
from ..lazy import cached_property
from ..tracer.function import Function
from ..tracer.machine import quickly
from ..types import Array, Floats
from .callback import Callback
from .law import TraceableLaw, constant, together
from .loads import Loads
from .prescribed import Prescribed
from .runner import Addresses, Entry, entry
from .simulated_robot import SimulatedRobot, StateRate

COARSE, FINE = 1000, 20  # instants of a run at which its laws are looked at, and between them
NEAR = 1e-9  # of the run: what is nearer to a break is at it
ANSWERS = 400  # of laws, kept to be asked for again


def written_inputs(drive: SimulatedRobot) -> TraceableLaw | None:
    """All inputs for any scalar, or None where a law is not written down."""
    return together([drive.law.written, drive.loads.written, drive.driven.written])


class Answers:
    """What laws answered in the course of a run: some hundred of the answers, spread over it."""

    def __init__(self) -> None:
        self.kept: list[tuple[float, Floats, Floats, tuple[float, float]]] = []
        self._seldom, self._looks = 1, 0

    def due(self) -> bool:
        """Whether the next answer would be kept; one that is not need not be asked for."""
        if (self._looks + 1) % self._seldom:
            self._looks += 1
            return False
        return True

    def __call__(self, t: float, y: Floats, u: Floats | None, stretch: tuple[float, float]) -> None:
        self._looks += 1
        if self._looks % self._seldom or u is None:
            return
        self.kept.append((t, y, u, stretch))
        if len(self.kept) == ANSWERS:
            self.kept, self._seldom = self.kept[::2], 2 * self._seldom


class NativeInputs:
    """u = u(t, y) and its slopes, for native code to call.

    `law` gives LAW, `law_slope` LAW_SLOPE (`integrators.log`); `called` counts calls back to
    Python, `spent` their time.
    """

    def __init__(self, drive: SimulatedRobot, rate: StateRate, answers: Answers) -> None:
        self.drive, self.rate, self._answers = drive, rate, answers
        self.fed = drive.fed
        self.called, self.spent = 0, 0.0
        self.written = written_inputs(drive)
        self.kernel = None if self.written is None else _traced(drive, self.written)
        if self.kernel is None:
            self.written = None
        self.count = self.written.count if self.written is not None else 0
        self._size, self._inputs = drive.size, drive.inputs
        self._other = ""  # laws that give other values than what was traced of them
        self._looked, self._duration = False, 0.0

    @property
    def traced(self) -> bool:
        return self.kernel is not None

    def believe(self, duration: float, y: Floats) -> None:
        """Laws that give something else than what was traced of them (they look at the types of
        their arguments) are called back. Looked at once, near y, in the first, a middle and the
        last stretch between breaks."""
        if self.kernel is None or self._looked:
            return
        self._looked, self._duration = True, duration
        edges = [0.0, *self.drive.breaks(duration), duration]
        for piece, more in ((0, 1e-3), ((len(edges) - 1) // 2, 0.0), (len(edges) - 2, -1e-3)):
            self._other = self._other or self._differs(edges[piece], edges[piece + 1], y + more)
        if self._other:
            self.kernel = self.written = None
            self.count = 0

    def _differs(self, a: float, b: float, y: Floats) -> str:
        """Which laws give something else than what was traced of them, between two breaks."""
        t, drive = 0.5 * (a + b), self.drive
        q, qd, _ = drive.parts(y)
        drive.driven.put(t, q, qd, np.zeros(drive.robot.nv))
        motor = StateRate(drive, stretch=(a, b))
        u = motor.inputs(t, y)
        if u is None or self.kernel is None:
            return ""
        off = np.abs(self.kernel(np.array([t]), y, self.numbers_between(a, b)) - u)
        which = np.flatnonzero(~(off <= rounding(motor, t, y, u)))
        return "" if not len(which) else _called(drive, int(which[0]))

    def numbers_between(self, a: float, b: float) -> Floats:
        """Numbers of the written laws between two breaks."""
        return np.zeros(0) if self.written is None else self.written.numbers(a, b)

    def torques(self, t: Floats, q: Floats, qd: Floats, own: Floats) -> Floats:
        """Forces of the laws at many states, as they drove the robot: (states, nv). NaN where a law
        is to be asked itself: it is called back, or says more than its values (what is prescribed
        takes no torque; what is sampled has a memory); at a break it knows which side counts."""
        drive, nv = self.drive, self.drive.robot.nv
        out = np.full((len(t), nv), np.nan)
        if self.kernel is None or drive.driven.names or drive.law.samplers:
            return out
        edges = np.array([-np.inf, *drive.breaks(self._duration), np.inf])
        piece = np.searchsorted(edges, t)
        ends = np.clip(edges, 0.0, self._duration)
        pieces, which = np.unique(piece, return_inverse=True)
        numbers = np.array([self.numbers_between(*ends[k - 1 : k + 1]) for k in pieces])[which]
        y = np.concatenate([q, qd, np.zeros((len(t), 2)), own], axis=1)
        for k, row in enumerate(zip(t[:, None], y, numbers, strict=True)):
            out[k] = self.kernel(*row)[:nv]  # a batch would be compiled for every law
        out[np.minimum(t - edges[piece - 1], edges[piece] - t) < NEAR * self._duration] = np.nan
        return out

    def smooth(self, duration: float, y: Floats) -> bool:
        """Whether nothing can hide between the steps of a solver: what drives the robot is made
        of sums, products and waves, as its equations are, and along the run a thousand instants
        tell what twenty thousand do."""
        if self.kernel is None or _kinks(self.kernel) or _kinks(self.drive.kernel):
            return False
        a, b = (min(max(t, 0.0), duration) for t in self.rate.stretch)
        times = np.linspace(a, b, FINE * COARSE + 1)
        numbers = self.numbers_between(*self.rate.stretch)
        with quickly():  # asked once in a stretch
            u = self.kernel.batch(times[:, None], y, numbers)
        off = np.abs(u[:-1] - _between(u[::FINE], FINE))
        return bool(np.all(off <= 1e-6 * np.abs(u).max(axis=0, initial=1e-300)))

    def law(self, lanes: int = 1) -> Entry:
        """What can be called for LAW."""
        if self.kernel is not None:
            return entry(self.kernel, lanes)
        return self._callbacks[0].address, self._callbacks

    def law_slope(self, lanes: int = 1) -> Entry:
        """The same for LAW_SLOPE."""
        if self.kernel is not None:
            return entry(self.kernel.jacobian("x0", "x1"), lanes)
        return self._callbacks[1].address, self._callbacks

    @property
    def contexts(self) -> tuple[int, ...]:
        """What stands behind the arguments of LAW, and of LAW_SLOPE, for calls back to Python."""
        return () if self.kernel is not None else tuple(x.context for x in self._callbacks)

    @cached_property
    def _callbacks(self) -> tuple[Callback, Callback]:
        slopes = self._inputs * (1 + self._size)
        return Callback(self._answer, self._inputs, 4), Callback(self._slopes, slopes, 5)

    def _answer(self, given: int, out: int) -> None:
        """u, called back from native code."""
        began = time.perf_counter()
        t, y = _given(given, self._size)
        u = self.rate.inputs(t, y)
        self._answers(t, y, u, self.rate.stretch)
        if u is not None:
            _array(out, self._inputs)[:] = u
        self.called += 1
        self.spent += time.perf_counter() - began

    def words(self, total: float) -> str:
        """Whether Python was asked in the course of a run of `total` seconds, and what it cost."""
        if self.traced:
            return "all inputs run natively"
        calls = f"{self.called:,}".replace(",", " ")
        who = f"{self._other} looks at the types of its arguments and is"
        return (
            f"{who if self._other else _untraced(self.drive)} called back to Python: {calls} "
            f"calls, {self.spent:.2g} s of {total:.2g} s"
        )

    def _asked(self, t: float, y: Floats) -> Floats | None:
        self.called += 1
        return self.rate.inputs(t, y)

    def _slopes(self, given: int, out: int) -> None:
        """du/d(t, y) by differences, called back from native code."""
        began = time.perf_counter()
        size, count = self._size, self._inputs
        t, y = _given(given, size)
        slopes = np.zeros((count, 1 + size))
        slopes[:, 0] = _difference(lambda s: self._asked(t + s, y), self._moment(t))
        for k in range(size if self.fed else 0):
            step = np.zeros(size)
            step[k] = 1.0
            slopes[:, 1 + k] = _difference(
                lambda s, step=step: self._asked(t, y + s * step),  # type: ignore[misc]
                1e-7 * max(abs(float(y[k])), 1e-3),
            )
        _array(out, slopes.size)[:] = slopes.ravel()
        self.spent += time.perf_counter() - began

    def _moment(self, t: float) -> float:
        """A short time, towards the middle of the stretch."""
        a, b = self.rate.stretch
        if not np.isfinite(a + b):
            return 1e-6
        return 1e-7 * (b - a) * (1.0 if t < 0.5 * (a + b) else -1.0)


def rounding(rate: StateRate, t: float, y: Floats, u: Floats) -> Floats:
    """What two ways to compute the same inputs may differ by: some digits of them, and of what
    they are differences of."""
    near = rate.inputs(t * (1.0 + 1e-11), y * (1.0 + 1e-11))
    far = 0.0 if near is None else np.abs(near - u)
    return np.asarray(1e-9 * np.abs(u) + 1e-12 * (1.0 + np.abs(u).max(initial=0.0)) + 10.0 * far)


def _between(rows: Floats, parts: int) -> Floats:
    """Values at `parts` instants of every stretch between rows (n + 1, k): (n parts, k), by cubics
    through the four rows around it."""
    count = len(rows) - 1
    first = np.clip(np.arange(count) - 1, 0, count - 3)
    x = (np.arange(count) - first)[:, None] + np.arange(parts) / parts
    a, b, c, d = x, x - 1.0, x - 2.0, x - 3.0
    weights = np.stack([-b * c * d / 6.0, a * c * d / 2.0, -a * b * d / 2.0, a * b * c / 6.0])
    around = np.stack([rows[first + k] for k in range(4)])
    return np.asarray(np.einsum("kni,knj->nij", weights, around).reshape(count * parts, -1))


def _kinks(kernel: Kernel) -> bool:
    """Whether it has more than sums, products and waves."""
    return bool(kernel.operations()["other"])


def _traced(drive: SimulatedRobot, written: TraceableLaw) -> Function | None:
    """The written inputs as a compiled function of (t, y, numbers); None where a function of the
    user's cannot be traced (it decides, looks up, rounds)."""

    def u(t: Array, y: Array, numbers: Array) -> Array:
        q, qd, z = drive.parts(y)
        return written.of(t[0], q, qd, np.concatenate([numbers, z]) if len(z) else numbers)

    try:
        made = traced(u, (1, drive.size, written.count))
        if made.results["out"] != (drive.inputs,):  # type: ignore[attr-defined]
            return None
        return made  # type: ignore[return-value]
    except Exception as error:
        let_signals_through(error)
        return None


def _called(drive: SimulatedRobot, place: int) -> str:
    """Which law gives the input at a place."""
    free = drive.robot.nv + drive.own
    if place < free:
        return drive.law.called
    if place < free + 6 * len(drive.loads.stations):
        return f"the load at {drive.loads.stations[(place - free) // 6]}"
    return f"the law of {', '.join(drive.driven.names)}"


def _untraced(drive: SimulatedRobot) -> str:
    """Which of the laws cannot be native code, as the beginning of a sentence."""
    law, loads, driven = drive.law, drive.loads, drive.driven
    none = Prescribed(), Loads(), constant(np.zeros(drive.robot.nv))
    parts = {
        law.called: replace(drive, driven=none[0], loads=none[1]),
        f"the load at {' or '.join(loads.stations)}": replace(drive, law=none[2], driven=none[0]),
        f"the law of {', '.join(driven.names)}": replace(drive, law=none[2], loads=none[1]),
    }
    lost = [name for name, part in parts.items() if not _can_be_traced(part)]
    return f"{' and '.join(lost) or 'they'} {'is' if len(lost) == 1 else 'are'}"


def _can_be_traced(drive: SimulatedRobot) -> bool:
    written = written_inputs(drive)
    return written is not None and _traced(drive, written) is not None


def _given(given: int, size: int) -> tuple[float, Floats]:
    """Time and state that a kernel was given."""
    clock, state = _pointers(given)
    return float(_array(clock or 0, 1)[0]), _array(state or 0, size).copy()


@lru_cache(maxsize=16)
def _pointers(address: int) -> Addresses:
    """Two pointers in memory of native code."""
    return (ctypes.c_void_p * 2).from_address(address)


@lru_cache(maxsize=64)
def _array(address: int, count: int) -> Floats:
    """Memory of native code as an array."""
    return np.ctypeslib.as_array((ctypes.c_double * count).from_address(address))


def _difference(f: Callable[[float], Floats | None], step: float) -> Floats | float:
    a, b = f(0.0), f(step)
    return np.nan if a is None or b is None else (b - a) / step
