"""Events: instants at which a function of (t, q, qd) goes through zero in the course of a run.
How they are found says `event_search`."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..errors import InputError, brief, let_signals_through, unknown_name
from ..expressions import evaluated, parse, with_scalars
from ..frozen import Frozen, Portable
from ..robot import Robot
from ..types import Array, Floats, Scalar

ACTIONS = ("record", "stop", "switch", "reset")


@dataclass(frozen=True, eq=False)
class Event(Portable, Frozen):
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
        super().__post_init__()
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


def event_function(event: Event, robot: Robot) -> Callable[[float, Floats, Floats], float]:
    """What is looked at, checked: a function of (t, q, qd)."""
    words = event.when
    inner = _formula(words, robot, evaluated, float) if isinstance(words, str) else words

    def when(t: float, q: Floats, qd: Floats) -> float:
        try:
            value = float(inner(t, q, qd))
        except Exception as error:
            let_signals_through(error)
            raise InputError(
                f"event {event.called} failed at t = {t:.6g} s: {type(error).__name__}: {error}"
            ) from error
        if not np.isfinite(value):
            raise InputError(f"event {event.called} is {value} at t = {t:.6g} s; not finite")
        return value

    return when


def traceable(event: Event, robot: Robot) -> Callable[[Scalar, Array, Array], Scalar]:
    """The function for any scalar; one that cannot be traced says so when it is asked."""
    if not isinstance(event.when, str):
        return event.when
    return _formula(event.when, robot, with_scalars, lambda x: x)


def _formula(
    text: str, robot: Robot, value_of: Callable[..., Scalar], scalar: Callable[[Scalar], Scalar]
) -> Callable[..., Scalar]:
    """A formula in t, coordinates by name, and rates: name'."""
    tree, names = _read(text, robot)
    constants = {"pi": np.pi, "deg": np.pi / 180.0}

    def value(t: Scalar, q: Array, qd: Array) -> Scalar:
        known = {word: scalar((q, qd)[which][k]) for word, (which, k) in names.items()}
        return value_of(tree, constants | known | {"t": t})

    return value


def _read(text: str, robot: Robot) -> tuple[ast.expr, dict[str, tuple[int, int]]]:
    """The formula, and the words in it that stand for q[k] (0, k) or qd[k] (1, k)."""
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
    return tree, names
