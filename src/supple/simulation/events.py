"""Events: instants at which a function of (t, q, qd) goes through zero in the course of a run.

The sign is looked at in every step, on the curve of the step: at its eighths and at least at every
thousandth of the run. Where it changes, the instant is found to the last digits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import InputError, SimulationError, brief, unknown_name
from ..expressions import evaluated, parse
from ..robot import Robot
from ..types import Floats
from .experiment import Experiment
from .solver import DenseOutput

ACTIONS = ("record", "stop", "switch", "reset")
LOOKS = 8  # in a step
APART = 1000  # looks are no further apart than this share of the run
HALVINGS = 40  # looks right behind an event: ever nearer to it
MOST = 10_000  # events that act in one run


@dataclass(frozen=True)
class Event:
    """Where `when` goes through zero: a function of (t, q, qd), or a formula in t and coordinates
    by name, rates with a stroke: "joint1 - 0.5", "joint1'".

    action: "record" notes it; "stop" ends the run there; "switch" hands over to another torque,
    `then` (or what then(occurrence) gives), instead of all that drove the robot before; "reset"
    goes on from another state, then(occurrence) = (q, qd), e.g. after an impact; the energy that
    this takes counts as dissipated. direction: +1 where `when` rises, -1 where it falls, 0 both.
    """

    when: Callable[[float, Floats, Floats], float] | str
    action: str = "record"
    direction: int = 0
    name: str = ""
    then: object = None

    def __post_init__(self) -> None:
        if not isinstance(self.when, str) and not callable(self.when):
            raise InputError(
                f"an event is {brief(self.when)}; give a function of (t, q, qd), or a formula"
            )
        if self.action not in ACTIONS:
            raise unknown_name("action", str(self.action), ACTIONS)
        if self.direction not in (-1, 0, 1):
            raise InputError(f"direction is {brief(self.direction)}; it must be -1, 0 or +1")
        if (self.then is None) == (self.action in ("switch", "reset")):
            way = "needs `then`: a torque, or a function of the occurrence"
            raise InputError(
                f"event {self.called}: action {self.action!r} "
                + (way if self.then is None else "takes no `then`; use switch or reset")
            )
        if self.action == "reset" and not callable(self.then):
            raise InputError(f"event {self.called}: reset needs a function giving (q, qd)")

    @property
    def called(self) -> str:
        return self.name or (self.when if isinstance(self.when, str) else "event")


@dataclass(frozen=True, eq=False)
class Occurrence:
    """An event that happened: which, when, and the state then."""

    name: str
    t: float
    q: Floats
    qd: Floats


class Reached(Exception):  # noqa: N818
    """The run came to an event that acts: which, and when."""

    def __init__(self, event: int, t: float, y: Floats) -> None:
        super().__init__()
        self.event, self.t, self.y = event, t, y


class Lookout:
    """Looks for events while a run goes on."""

    def __init__(self, drive: Experiment, events: Sequence[Event], duration: float) -> None:
        self.drive, self.events, self._apart = drive, tuple(events), duration / APART
        self._when = [_function(event, drive.robot) for event in events]
        self.found: list[Occurrence] = []
        self.acted = 0
        self._sign = np.zeros(len(events))  # where the run is; 0: not known
        self._came = np.zeros(len(events))  # in which direction it went through zero right here
        self.low, self.high = np.full(len(events), np.inf), np.full(len(events), -np.inf)

    def __bool__(self) -> bool:
        return bool(self.events)

    def begin(self, t: float, y: Floats) -> None:
        self._sign = np.sign(self._values(t, y))

    def look(self, a: float, b: float, curve: DenseOutput) -> None:
        """Along a step from a to b: note what happened; Reached where something acts."""
        times = self._times(a, b)
        values = np.array([self._values(float(t), curve(float(t))) for t in times])
        self._note_range(values)
        crossings = []
        for k in range(len(self.events)):
            crossings += self._crossings(k, times, values[:, k], curve)
        for t, k, way in sorted(crossings):
            y = curve(t)
            self.found.append(self._occurrence(k, t, y))
            if self.events[k].action != "record" or type(self.events[k]) is not Event:
                self._settle(k, t, way)
                raise Reached(k, t, y)
        self._came[:] = 0.0

    def _times(self, a: float, b: float) -> Floats:
        count = max(LOOKS, int(np.ceil((b - a) / self._apart)))
        near = 2.0 ** -np.arange(HALVINGS, 3, -1.0) if self._came.any() else np.zeros(0)
        shares = np.concatenate([[0.0], near, np.arange(1, count + 1) / count])
        return a + (b - a) * np.unique(shares)

    def _crossings(
        self, k: int, times: Floats, values: Floats, curve: DenseOutput
    ) -> list[tuple[float, int, float]]:
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
                out.append((t, k, float(now)))
            before = now
        self._sign[k] = before
        return out

    def _falls_on(self, k: int, now: float, t: float) -> None:
        """After a reset the function must turn back."""
        if self._came[k] == now and self.events[k].action == "reset":
            raise SimulationError(
                f"event {self.events[k].called} has come to rest near t = {t:.6g} s: its reset no "
                f"longer turns it back, so it would happen without end. Stop or switch there"
            )

    def _settle(self, k: int, t: float, way: float) -> None:
        """Event k acts at t: the run goes on from there."""
        self.acted += 1
        if self.acted > MOST:
            raise SimulationError(
                f"event {self.events[k].called} acts for the {MOST}th time at t = {t:.6g} s: it "
                f"happens without end. Stop there"
            )
        self._came[:] = 0.0
        self._came[k] = way

    def again(self, k: int, t: float, y: Floats) -> None:
        """The run goes on from (t, y) after event k."""
        self._sign = np.sign(self._values(t, y))
        self._sign[k] = 0.0

    def _occurrence(self, k: int, t: float, y: Floats) -> Occurrence:
        q, qd, _ = self.drive.parts(np.array(y))
        return Occurrence(self.events[k].called, t, q.copy(), qd.copy())

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


def _way(event: Event) -> str:
    return {1: "rise", -1: "fall", 0: "go"}[event.direction]


def check_events(given: object) -> tuple[Event, ...]:
    """What the user gave: one event, or several of different names."""
    if given is None:
        return ()
    events = (given,) if isinstance(given, Event) else given
    if not isinstance(events, list | tuple) or not all(isinstance(x, Event) for x in events):
        raise InputError(f"events is {brief(given)}; give a list of supple.Event(...)")
    names = [event.called for event in events]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"two events are called {name!r}; give them names")
    return tuple(events)


def _function(event: Event, robot: Robot) -> Callable[[float, Floats, Floats], float]:
    inner = _formula(event.when, robot) if isinstance(event.when, str) else event.when

    def when(t: float, q: Floats, qd: Floats) -> float:
        try:
            value = float(inner(t, q, qd))
        except Exception as error:
            raise InputError(
                f"event {event.called} failed at t = {t:.6g} s: {type(error).__name__}: {error}"
            ) from error
        if not np.isfinite(value):
            raise InputError(f"event {event.called} is {value} at t = {t:.6g} s; not finite")
        return value

    return when


def _formula(text: str, robot: Robot) -> Callable[[float, Floats, Floats], float]:
    """A formula in t, coordinates by name, and rates: name'."""
    names: dict[str, tuple[int, int]] = {}
    plain = text
    marks = ((robot.velocity_names, "'", 1), (robot.coordinate_names, "", 0))
    for known, mark, which in marks:
        for k in sorted(range(len(known)), key=lambda k: -len(known[k])):
            word = f"{'qv'[which]}_{k}_"
            pattern = rf"(?<![\w.]){re.escape(known[k])}{mark}(?![\w.'])"
            plain, count = re.subn(pattern, word, plain)
            if count:
                names[word] = (which, k)
    try:
        tree = parse(plain, ("t", "pi", "deg", *names))
    except ValueError:
        listed = ", ".join(robot.coordinate_names)
        raise InputError(
            f"event {text!r} cannot be read: it is a formula in t and coordinates ({listed}), "
            f"rates with a stroke ({robot.velocity_names[0]}')"
        ) from None
    constants = {"pi": np.pi, "deg": np.pi / 180.0}

    def value(t: float, q: Floats, qd: Floats) -> float:
        known = {word: float((q, qd)[which][k]) for word, (which, k) in names.items()}
        return evaluated(tree, constants | known | {"t": t})

    return value
