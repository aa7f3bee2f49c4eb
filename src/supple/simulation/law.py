"""A law: generalised forces that act on a robot in the course of a run.

A solver that takes long steps does not see what happens between them. So a law knows its
breaks, the instants where its value or slope jumps (`breaks.py`), and the solver starts anew at
each of them.

A law that is `written` down can become native code: the same function serves numbers and symbols.
What changes from break to break (the rows of a table) are its `numbers`.

A law may have states z of its own (the integral of an error), dz/dt = rate(t, q, qd, z); they are
integrated with the robot's. One that is sampled (`sampled.py`) is asked at its instants only,
and its values are held in between.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from typing import TypeVar, cast, overload

import numpy as np

from ..errors import SimulationError
from ..frozen import Portable
from ..robot import Robot
from ..types import Array, Floats, Scalar

Torque = Callable[..., Floats]
"""Generalised forces (nv,) at time t, configuration q, velocity qd, and the law's own states z
where it has some."""
Ask = Callable[[float, Floats, Floats], Floats]
NONE = np.zeros(0)
SAME = 1e-6  # of a period: instants so near are one
SHORT = 0.02  # of a run: for so long the last row of a table may be held without a word


class LawError(SimulationError):
    """A law has no value where it was asked. `final`: a shorter step would not help."""

    def __init__(self, message: str, final: bool = False) -> None:
        super().__init__(message)
        self.final = final


@dataclass(frozen=True)
class TraceableLaw:
    """A law for any scalar: of(t, q, qd, numbers), and its `count` numbers between the instants a
    and b: numbers(a, b). One with `states` of its own finds them behind its numbers, and gives
    their rates behind its values."""

    of: Callable[[Scalar, Array, Array, Array], Array]
    count: int = 0
    numbers: Callable[[float, float], Floats] = lambda a, b: np.zeros(0)
    states: int = 0

    def __add__(self, other: TraceableLaw) -> TraceableLaw:
        parts = (self, other)

        def of(t: Scalar, q: Array, qd: Array, n: Array) -> Array:
            values, rates = [], []
            for part, own in zip(parts, _shares(parts, n), strict=True):
                value = part.of(t, q, qd, own)
                here = len(value) - part.states
                values.append(value[:here])
                rates += [value[here:]] if part.states else []
            total = values[0] + values[1]
            return np.concatenate([total, *rates]) if rates else total

        return _joined(of, parts)


def together(parts: Sequence[TraceableLaw | None]) -> TraceableLaw | None:
    """The values of all parts one after the other; None if one of them is not written."""
    known = [part for part in parts if part is not None]
    if len(known) != len(parts):
        return None

    def of(t: Scalar, q: Array, qd: Array, n: Array) -> Array:
        shares = _shares(known, n)
        values = [p.of(t, q, qd, own) for p, own in zip(known, shares, strict=True)]
        return np.concatenate([np.zeros(0), *values])

    return _joined(of, known)


def _joined(of: Callable[..., Array], parts: Sequence[TraceableLaw]) -> TraceableLaw:
    def numbers(a: float, b: float) -> Floats:
        return np.concatenate([np.zeros(0), *(part.numbers(a, b) for part in parts)])

    counts, states = (sum(p.count for p in parts), sum(p.states for p in parts))
    return TraceableLaw(of, counts, numbers, states)


def _shares(parts: Sequence[TraceableLaw], n: Array) -> list[Array]:
    """Numbers of all parts, then states of all parts: the numbers and states of each."""
    out, here, there = [], 0, sum(part.count for part in parts)
    for part in parts:
        own = n[here : here + part.count]
        if part.states:
            own = np.concatenate([own, n[there : there + part.states]])
        out.append(own)
        here, there = here + part.count, there + part.states
    return out


@dataclass(frozen=True, eq=False)
class States:
    """States z of a law's own: names, where they start, dz/dt = rate(t, q, qd, z)."""

    names: tuple[str, ...]
    start: Floats
    rate: Callable[[float, Floats, Floats, Floats], Floats]

    def __len__(self) -> int:
        return len(self.names)


NO_STATES = States((), NONE, lambda t, q, qd, z: NONE)


class SampleHold:
    """Values asked at t_0, t_0 + T, t_0 + 2 T, ... each held from `delay` later until the next
    takes its place; before the first there is no force. t_0 is when the law takes over."""

    def __init__(
        self,
        ask: Ask,
        size: int,
        period: float,
        delay: float = 0.0,
        reset: Callable[[], object] = lambda: None,
    ) -> None:
        self._ask, self._size, self._reset = ask, size, reset
        self.period, self.delay, self.first, self.asked = period, delay, 0.0, 0
        self._forget()

    def _forget(self) -> None:
        self._from, self._values = [-np.inf], [np.zeros(self._size)]

    def begin(self, first: float) -> None:
        """Forget all: the law takes over."""
        self.first, self.asked = first, 0
        self._forget()
        self._reset()

    def instants(self, duration: float) -> list[float]:
        """When it is asked, and when its values take effect, until the end of a run."""
        count = int(np.floor((duration - self.first) / self.period * (1.0 + 1e-12))) + 1
        asked = self.first + self.period * np.arange(count)
        late = [float(t) for t in asked + self.delay if t < duration] if self.delay else []
        return sorted({*asked.tolist(), *late})

    def look(self, t: float, q: Floats, qd: Floats) -> None:
        """The run is at t: ask if an instant has come. Each is asked once, in order."""
        due = self.first + self.asked * self.period
        if t < due - SAME * self.period:
            return
        self._values.append(np.array(self._ask(due, q.copy(), qd.copy())))
        self._from.append(due + self.delay)
        self.asked += 1

    def at(self, t: float) -> Floats:
        """What is held at time t."""
        k = bisect_right(self._from, t + 4.0 * float(np.spacing(abs(t)))) - 1
        return self._values[k]


@dataclass(frozen=True)
class HeldTable:
    """When a table of torques begins and ends, and whether its first and last row, which are held
    before and after it, are torques at all."""

    begins: float
    ends: float
    before: bool
    after: bool

    def words(self, duration: float) -> list[str]:
        """What is to be known of a run that the table does not cover."""
        spans = f"a torque table goes from {self.begins:g} to {self.ends:g} s and the run from 0 to"
        out = []
        late = self.begins > 1e-9 * duration
        if late and (self.before or self.begins >= duration):
            out.append(
                f"{spans} {duration:g} s: its first row acts from t = 0 on. Count its times from "
                f"the start of the run, or begin it with rows, of zeros perhaps, for the time "
                f"before"
            )
        if self.after and self.ends < (1.0 - SHORT) * duration:
            out.append(
                f"{spans} {duration:g} s: its last row acts until the end. Let the run end with "
                f"it, or end it with a row of zeros"
            )
        return out


@dataclass(frozen=True, eq=False)
class Law(Portable):
    """Forces as a function of (t, q, qd), and the instants at which they jump or kink."""

    force: Torque
    breaks: tuple[float, ...] = ()
    feedback: bool = False  # whether it looks at q and qd
    written: TraceableLaw | None = None
    called: str = "torque"  # in messages
    states: States = NO_STATES
    samplers: tuple[SampleHold, ...] = ()  # parts that are asked at their instants only
    tables: tuple[HeldTable, ...] = ()
    anew: Callable[[Robot, Robot], Law] | None = None  # see `of`; None: it follows from no robot
    __array_ufunc__ = None  # an array that is added to a law is a torque

    def __call__(self, t: float, q: Floats, qd: Floats, z: Floats = NONE) -> Floats:
        return self.force(t, q, qd, z) if self.states.names else self.force(t, q, qd)

    def of(self, one: Robot, other: Robot) -> Law:
        """The law, made of the robot `other` where it was made of `one`."""
        return self if self.anew is None else self.anew(one, other)

    @overload
    def __add__(self, other: Law) -> Law: ...

    @overload
    def __add__(self, other: object) -> Law | LawSum: ...

    def __add__(self, other: object) -> Law | LawSum:
        if not isinstance(other, Law):
            return LawSum((self, other))
        both = self.written is not None and other.written is not None
        here = len(self.states)

        def force(t: float, q: Floats, qd: Floats, z: Floats = NONE) -> Floats:
            return self(t, q, qd, z[:here]) + other(t, q, qd, z[here:])

        return Law(
            force,
            (*self.breaks, *other.breaks),
            self.feedback or other.feedback,
            self.written + other.written if both else None,  # type: ignore[operator]
            " + ".join(dict.fromkeys((self.called, other.called))),
            _side_by_side(self.states, other.states),
            (*self.samplers, *other.samplers),
            (*self.tables, *other.tables),
            (lambda a, b: self.of(a, b) + other.of(a, b)) if self.anew or other.anew else None,
        )

    def __radd__(self, other: object) -> LawSum:
        return LawSum((other, self))


class TorqueSource(ABC):
    """Torques that become a law when the run they are for is known."""

    __array_ufunc__ = None  # an array that is added to them is a torque

    @abstractmethod
    def law(self, robot: Robot, made: Callable[[object], Law], duration: float) -> Law:
        """made: whatever may be given as torque, as a law of this run."""

    def of(self, one: Robot, other: Robot) -> TorqueSource:
        """The same torques, made of the robot `other` where they were made of `one`."""
        return self

    def __add__(self, other: object) -> LawSum:
        return LawSum((self, other))

    def __radd__(self, other: object) -> LawSum:
        return LawSum((other, self))


@dataclass(frozen=True, eq=False)
class LawSum(Portable, TorqueSource):
    """Torques that act together, some of which are no laws yet (functions, numbers, tables)."""

    parts: tuple[object, ...]

    def of(self, one: Robot, other: Robot) -> LawSum:
        return LawSum(tuple(law_of(part, one, other) for part in self.parts))

    def law(self, robot: Robot, made: Callable[[object], Law], duration: float) -> Law:
        first, *rest = [made(part) for part in self.parts]
        for other in rest:
            first = first + other
        return first


def law_of(given: object, one: Robot, other: Robot) -> object:
    """Whatever may be given as torque, made of the robot `other` where it was made of `one`."""
    return given.of(one, other) if isinstance(given, Law | TorqueSource) else given


MakesLaw = TypeVar("MakesLaw", bound=Callable[..., Law])


def follows(make: MakesLaw) -> MakesLaw:
    """A decorator: the law that is made follows from the numbers of the robot, the first argument;
    where these vary from run to run, each run has its own."""

    @wraps(make)
    def made(robot: Robot, *args: object, **words: object) -> Law:
        law = make(robot, *args, **words)
        anew = lambda one, other: made(other, *args, **words) if one == robot else law  # noqa: E731
        return replace(law, anew=anew)

    return cast("MakesLaw", made)


def _side_by_side(one: States, two: States) -> States:
    if not len(two) or not len(one):
        return one if len(one) else two
    here = len(one)
    names = [n if n not in one.names else f"{n} (2)" for n in two.names]
    return States(
        (*one.names, *names),
        np.concatenate([one.start, two.start]),
        lambda t, q, qd, z: np.concatenate(
            [one.rate(t, q, qd, z[:here]), two.rate(t, q, qd, z[here:])]
        ),
    )


def in_turn(laws: Sequence[tuple[float, Law]]) -> Law:
    """Laws that took over from one another, from when on each: what a run was driven by. States
    of all are kept side by side."""
    begins = [t for t, _ in laws[1:]]
    edges = np.cumsum([0, *(len(law.states) for _, law in laws)])

    def force(t: float, q: Floats, qd: Floats, z: Floats = NONE) -> Floats:
        k = bisect_left(begins, t)
        return laws[k][1](t, q, qd, z[edges[k] : edges[k + 1]])

    states = NO_STATES
    for _, law in laws:
        states = _side_by_side(states, law.states)
    called = ", then ".join(law.called for _, law in laws)
    return Law(force, (), True, None, called, states)


def constant(force: Floats) -> Law:
    """The same forces all the time."""
    written = TraceableLaw(lambda t, q, qd, n: n, len(force), lambda a, b: force)
    return Law(lambda t, q, qd: force, written=written)
