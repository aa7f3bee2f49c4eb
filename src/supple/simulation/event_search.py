"""Looking for events while a run goes on.

The sign of each event's function is looked at in every step, on the curve of the step: at its
eighths and at least at every thousandth of the run. Where it changes, the instant is found to the
last digits. Events less than 1e-12 of the run apart are of one instant, and all of them happen.

A function that is zero where the run starts, and leaves zero at some rate in the event's
direction, happens there; one that comes to zero where the run ends happens there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from ..engine import Kernel, traced
from ..errors import InputError, SimulationError, let_signals_through
from ..types import Array, Floats
from .events import ACTIONS, Event, Occurrence, event_function, traceable
from .runner import EventSigns
from .simulated_robot import Rate, SimulatedRobot
from .solver import DenseOutput

LOOKS = 8  # in a step
APART = 1000  # looks are no further apart than this share of the run
HALVINGS = 40  # looks right behind an event: ever nearer to it
MOST = 10_000  # events that act in one run
SAME = 1e-12  # of the run: what is nearer is one instant
NOTHING = 1e-9  # what a function must change by in the course of a run to be more than rounding
AHEAD = 1e-9  # of the run: how far ahead the rate of a function is looked at
ZERO = 1e-12  # of what a function was at most so far: less is zero


@dataclass(frozen=True)
class EventCrossing:
    """Event `event` goes through zero at t: way +1 where it rises, -1 where it falls."""

    t: float
    event: int
    way: float


class InstantReached(Exception):  # noqa: N818
    """The run came to an instant at which something acts: all that happens there."""

    def __init__(self, t: float, y: Floats, crossings: Sequence[EventCrossing]) -> None:
        super().__init__()
        self.t, self.y = t, y
        self.crossings = sorted(crossings, key=lambda x: x.event)

    @property
    def ways(self) -> dict[int, float]:
        """Events in the order given, and how each goes through zero."""
        return {x.event: x.way for x in self.crossings}

    def of_first(self, count: int) -> InstantReached:
        """What is of the first `count` events."""
        return InstantReached(self.t, self.y, [x for x in self.crossings if x.event < count])


class EventSearch:
    """Looks for events while a run goes on."""

    def __init__(self, drive: SimulatedRobot, events: Sequence[Event], duration: float) -> None:
        self.drive, self.events, self._duration = drive, tuple(events), duration
        self._when = [event_function(event, drive.robot) for event in events]
        self.found: list[Occurrence] = []
        self.acted = 0
        count = len(self.events)
        self._sign = np.zeros(count)  # where the run is; 0: not known
        self._came = np.zeros(count)  # in which direction it went through zero right here
        self._armed: list[int] = []
        self.low, self.high = np.full(count, np.inf), np.full(count, -np.inf)

    def __bool__(self) -> bool:
        return bool(self.events)

    def going_on(
        self, drive: SimulatedRobot, events: Sequence[Event], armed: Sequence[int] = ()
    ) -> EventSearch:
        """The same for another drive, whose first events are those of the user as before. `armed`:
        what happens at once where it is on the wrong side already."""
        new = EventSearch(drive, events, self._duration)
        new.found, new.acted, new._armed = self.found, self.acted, list(armed)
        same = min(len(self.events), len(new.events))
        for k in range(same):
            if self.events[k] is new.events[k]:
                new.low[k], new.high[k] = self.low[k], self.high[k]
        return new

    def begin(self, t: float, y: Floats) -> None:
        """The run begins at (t, y), or goes on from there."""
        self._sign, self._came = np.sign(self._values(t, y)), np.zeros(len(self.events))
        self._sign[self._armed] = [-self.events[k].direction for k in self._armed]

    @property
    def signs(self) -> Floats:
        """Of the functions where the run is; 0: not known."""
        return self._sign

    def widen(self, low: Floats, high: Floats) -> None:
        """The functions were between these values, too."""
        self.low, self.high = np.minimum(self.low, low), np.maximum(self.high, high)

    def event_signs(self, y: Floats) -> EventSigns | None:
        """What native code looks at; None where a function cannot be traced, or joints are
        prescribed, whose places it would not know to the last digit."""
        drive = self.drive
        if not self.events or drive.driven.names:
            return None

        def functions(t: Array, y: Array) -> Array:
            q, qd, _ = drive.parts(y)
            return np.array([when(t[0], q.copy(), qd.copy()) for when in plain])

        try:
            plain = [traceable(event, drive.robot) for event in self.events]
            kernel = traced(functions, (1, drive.size))
            same = all(self._agrees(kernel, y + more) for more in (0.0, 1e-3))
        except Exception as error:  # it decides, looks up, rounds: Python looks at every step
            let_signals_through(error)
            return None
        return EventSigns(kernel, drive.size, len(self.events)) if same else None  # type: ignore[arg-type]

    def _agrees(self, kernel: Kernel, y: Floats) -> bool:
        """Whether what was traced is what the functions give at y."""
        found = np.ravel(kernel(np.array([0.1 * self._duration]), y))
        here = self._values(0.1 * self._duration, y)
        return bool(np.allclose(found, here, rtol=1e-9, atol=1e-12))

    def at_start(self, y: Floats, rate: Rate) -> None:
        """What happens where the run starts."""
        values, rates = self._values(0.0, y), self._rates(0.0, y, rate, AHEAD)
        here = [EventCrossing(0.0, k, np.sign(rates[k])) for k in self._at_zero(values, rates)]
        for x in here:
            if self.events[x.event].action == "stop":
                raise InputError(_stops_at_once(self.events[x.event], x.way))
        self._happen(here, lambda t: y)
        for x in here:
            self._sign[x.event] = x.way

    def look(self, a: float, b: float, curve: DenseOutput, rate: Rate) -> None:
        """Along a step from a to b: note what happened; InstantReached where
        something acts."""
        times = self._times(a, b)
        values = np.array([self._values(float(t), curve(float(t))) for t in times])
        self._note_range(values)
        crossings = []
        for k in range(len(self.events)):
            crossings += self._crossings(k, times, values[:, k], curve)
        if b >= self._duration:
            crossings += self._at_end(values[-1], curve(b), rate)
        for instant in self._instants(crossings):
            self._happen(instant, curve)
        self._came[:] = 0.0

    def _instants(self, crossings: list[EventCrossing]) -> list[list[EventCrossing]]:
        """Crossings in order; those of one instant together."""
        begin, number = -np.inf, 0

        def instant(x: EventCrossing) -> int:
            nonlocal begin, number
            if x.t - begin > SAME * self._duration:
                begin, number = x.t, number + 1
            return number

        order = sorted(crossings, key=lambda x: (x.t, x.event))
        return [list(some) for _, some in groupby(order, instant)]

    def _happen(self, crossings: list[EventCrossing], curve: DenseOutput) -> None:
        """All of one instant: noted here, or by who acts."""
        acting = [x for x in crossings if self._acts(x.event)]
        if acting:
            self._count(acting[0])
            raise InstantReached(acting[0].t, curve(acting[0].t), crossings)
        for x in crossings:
            self.note(self.events[x.event], x.t, curve(x.t))

    def note(self, event: Event, t: float, y: Floats) -> Occurrence:
        """It happens at (t, y)."""
        q, qd, _ = self.drive.parts(np.array(y))
        self.found.append(Occurrence(event.called, t, q.copy(), qd.copy()))
        return self.found[-1]

    def _acts(self, k: int) -> bool:
        return self.events[k].action != "record" or type(self.events[k]) is not Event

    def _count(self, x: EventCrossing) -> None:
        self.acted += 1
        if self.acted > MOST:
            raise SimulationError(
                f"event {self.events[x.event].called} acts for the {MOST}th time at "
                f"t = {x.t:.6g} s: it happens without end. Stop there"
            )

    def _times(self, a: float, b: float) -> Floats:
        count = max(LOOKS, int((b - a) * APART / self._duration) + 1)
        near = 2.0 ** -np.arange(HALVINGS, 3, -1.0) if self._came.any() else np.zeros(0)
        shares = np.concatenate([[0.0], near, np.arange(1, count + 1) / count])
        return a + (b - a) * np.unique(shares)

    def _crossings(
        self, k: int, times: Floats, values: Floats, curve: DenseOutput
    ) -> list[EventCrossing]:
        """When event k happens, and in which direction it goes through zero."""
        from scipy.optimize import brentq

        event, out, before = self.events[k], [], self._sign[k]
        for i in range(1, len(times)):
            now = np.sign(values[i])
            if before == 0.0 and abs(values[i]) > 10.0 * abs(values[0]):
                before = now
                self._falls_on(k, now, float(times[i]))
            if before == 0.0 or now == 0.0 or now == before:
                continue
            if event.direction in (0, now):
                at = lambda t: self._value(k, t, curve(t))  # noqa: E731
                a, b = float(times[i - 1]), float(times[i])
                change = values[i - 1] * values[i] < 0.0
                t = float(brentq(at, a, b, xtol=1e-300, rtol=1e-15)) if change else a
                out.append(EventCrossing(_beyond(at, t, b, float(now)), k, float(now)))
            before = now
        self._sign[k] = before
        return out

    def _at_end(self, values: Floats, y: Floats, rate: Rate) -> list[EventCrossing]:
        """What comes to zero just where the run ends, and was not there yet."""
        if np.all(np.abs(values) > 1e-9 * self._span()):
            return []
        rates = self._rates(self._duration, y, rate, -AHEAD)
        here = [k for k in self._at_zero(values, rates) if self._sign[k] == -np.sign(rates[k])]
        return [EventCrossing(self._duration, k, float(np.sign(rates[k]))) for k in here]

    def _at_zero(self, values: Floats, rates: Floats) -> list[int]:
        """Events whose functions go through zero here, but for rounding, in their direction."""
        moves = np.abs(rates) * self._duration > NOTHING
        near = np.abs(values) <= SAME * self._duration * np.abs(rates)
        ways = [
            event.direction in (0, np.sign(r)) for event, r in zip(self.events, rates, strict=True)
        ]
        mine = [type(event) is Event for event in self.events]
        return [int(k) for k in np.flatnonzero(moves & near & ways & mine)]

    def _span(self) -> Floats:
        return np.asarray(np.maximum(np.abs(self.low), np.abs(self.high)))

    def _rates(self, t: float, y: Floats, rate: Rate, share: float) -> Floats:
        """How fast the functions change at (t, y) along the way of the run, by values so far ahead
        (or behind): (4 f(s) - f(2 s) - 3 f(0))/(2 s)."""
        s, way = share * self._duration, np.nan_to_num(rate(t, y))
        f0, f1, f2 = (self._values(t + k * s, y + k * s * way) for k in range(3))
        return np.asarray((4.0 * f1 - f2 - 3.0 * f0) / (2.0 * s))

    def _falls_on(self, k: int, now: float, t: float) -> None:
        """After a reset that turns it back the function must do so."""
        if self._came[k] == now and self.events[k].action == "reset":
            raise SimulationError(
                f"event {self.events[k].called} has come to rest near t = {t:.6g} s: its reset no "
                f"longer turns it back, so it would happen without end. Stop or switch there"
            )

    def again(self, reached: InstantReached, y: Floats, rate: Rate) -> None:
        """The run goes on from y after what has just happened. A function that a reset has moved
        away from zero is armed anew; one that goes on as it came is through; any other has to
        turn back if a reset says so."""
        t = reached.t
        if not reached.crossings:
            return
        self.begin(t, y)
        values, near = self._values(t, y), 10.0 * np.abs(self._values(t, reached.y))
        rates = self._rates(t, y, rate, AHEAD)
        for k, way in reached.ways.items():
            if abs(values[k]) <= near[k] + ZERO * self._span()[k]:
                through = way * rates[k] * self._duration > NOTHING
                self._sign[k], self._came[k] = 0.0, 0.0 if through else way

    def _values(self, t: float, y: Floats) -> Floats:
        return np.array([self._value(k, t, y) for k in range(len(self.events))])

    def _value(self, k: int, t: float, y: Floats) -> float:
        q, qd, _ = self.drive.parts(np.array(y))
        self.drive.driven.put(t, q, qd, np.zeros(self.drive.robot.nv))
        return self._when[k](t, q, qd)

    def _note_range(self, values: Floats) -> None:
        self.low = np.minimum(self.low, values.min(axis=0))
        self.high = np.maximum(self.high, values.max(axis=0))

    def words(self) -> list[str]:
        """Of events that should have acted and did not happen."""
        happened = {x.name for x in self.found}
        return [
            f"event {event.called} did not happen: its function stayed between {low:.4g} and "
            f"{high:.4g}" + (f" or did not {_way(event)} through zero" if low * high < 0 else "")
            for event, low, high in zip(self.events, self.low, self.high, strict=True)
            if event.action in ACTIONS[1:] and type(event) is Event and event.called not in happened
        ]


def _beyond(at: Callable[[float], float], t: float, end: float, now: float) -> float:
    """The zero or jump near t from its later side: the first of t, t + e, t + 2 e, t + 4 e, ...
    at which the sign is `now`, or that of neither side."""
    step = float(np.spacing(t))
    while t < end and at(t) * now < 0.0:
        t, step = min(t + step, end), 2.0 * step
    return t


def _way(event: Event) -> str:
    return {1: "rise", -1: "fall", 0: "go"}[event.direction]


def _stops_at_once(event: Event, way: float) -> str:
    return (
        f"event {event.called} would stop the run where it starts: its function is zero there and "
        f"{'rises' if way > 0 else 'falls'}. Give the direction in which it is to go through zero, "
        f"direction={-way:+.0f}, or start elsewhere"
    )
