"""Wrenches that push at stations in the course of a run: constant, or functions of time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..checks import WRENCH, all_finite, real_numbers
from ..errors import InputError, brief
from ..robot import Robot
from ..types import Array, Floats, Scalar
from .breaks import find_breaks
from .inputs import asked, asked_together, check_memory
from .law import LawError, TraceableLaw, together


@dataclass(frozen=True)
class TraceableWrench:
    """A wrench of time that can become native code as well."""

    value: Callable[[float], Floats]
    written: TraceableLaw
    many: Callable[[Floats], Floats | None]  # the same at many instants: (n, 6)

    def __call__(self, t: float) -> Floats:
        return self.value(t)


@dataclass(frozen=True)
class Loads:
    """Stations and the wrench [n; f] at each, in world axes, as a function of time."""

    stations: tuple[str, ...] = ()
    wrenches: tuple[Callable[[float], Floats], ...] = ()
    _known: dict[object, tuple[float, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __call__(self, t: float) -> Floats:
        """All wrenches one after the other: (6 stations,)."""
        if len(self.wrenches) == 1:
            return self.wrenches[0](t)
        return np.concatenate([np.zeros(0), *[wrench(t) for wrench in self.wrenches]])

    def many(self, times: Floats) -> Floats | None:
        """The same at many instants, checked together, NaN where one has no value; None where
        they are to be asked one by one."""
        rows = []
        for wrench in self.wrenches:
            some = wrench.many(times) if isinstance(wrench, TraceableWrench) else None
            if some is None:
                return None
            rows.append(some)
        whole = np.hstack(rows)
        return np.where(np.isfinite(whole).all(axis=1, keepdims=True), whole, np.nan)

    def rows(self, times: Floats) -> Floats:
        """The same at many instants: (times, 6 stations)."""
        if not self.stations:
            return np.zeros((len(times), 0))
        return np.array([self(float(t)) for t in times])

    @property
    def written(self) -> TraceableLaw | None:
        """All wrenches for any scalar t; None if one of them is not written."""
        return together([getattr(wrench, "written", None) for wrench in self.wrenches])

    def at(self, t: float) -> dict[str, Floats]:
        return {s: wrench(t) for s, wrench in zip(self.stations, self.wrenches, strict=True)}

    def breaks(self, duration: float, told: Sequence[float] = ()) -> tuple[float, ...]:
        if not self.stations:
            return ()
        if (duration, *told) not in self._known:  # looked for once, asked for at every event
            called = f"the load at {' or '.join(self.stations)}"
            check_memory(called, lambda t, more: self(t), duration)
            self._known[duration, *told] = tuple(find_breaks(self, duration, called, told))
        return self._known[duration, *told]


def external_loads(robot: Robot, given: object) -> Loads:
    """What the user gave: {station: force [fx, fy, fz], wrench [nx, ny, nz, fx, fy, fz], or a
    function of t that gives one of them}."""
    if given is None:
        return Loads()
    if not isinstance(given, Mapping):
        raise InputError(
            f"external is {brief(given)}; it must be a mapping of stations to forces "
            f"[fx, fy, fz] or wrenches [{', '.join(WRENCH)}]"
        )
    for where in given:
        robot.station(where)
    made = tuple(_wrench(str(where), value) for where, value in given.items())
    return Loads(tuple(str(where) for where in given), made)


def _wrench(where: str, given: object) -> Callable[[float], Floats]:
    if not callable(given):
        fixed = _six(where, real_numbers(given), given)
        numbers = TraceableLaw(lambda t, q, qd, n: n, 6, lambda a, b: fixed)
        return TraceableWrench(
            lambda t: fixed, numbers, lambda times: np.tile(fixed, (len(times), 1))
        )
    called = f"external load at {where}"

    def wrench(t: float) -> Floats:
        value = asked(called, t, given)
        if not all_finite(value):
            raise LawError(f"{called} is {value} at t = {t:.6g} s; it must be finite")
        return _six(where, value, value)

    try:
        wrench(0.0)
    except LawError as error:
        raise InputError(str(error)) from None

    def of(t: Scalar, q: Array, qd: Array, numbers: Array) -> Array:
        value = np.array(given(t), dtype=object)
        return np.concatenate([np.zeros(6 - len(value)), value])

    return TraceableWrench(wrench, TraceableLaw(of), lambda times: _rows(given, times))


def _rows(given: Callable[[float], object], times: Floats) -> Floats | None:
    """A user's wrench at many instants, NaN where it has no value; None where it fails at one of
    them, or gives anything but forces or wrenches."""
    rows = asked_together(given, times)
    if rows is None or rows.shape[1:] not in ((3,), (6,)):
        return None
    return np.hstack([np.zeros((len(times), 6 - rows.shape[1])), rows])


def _six(where: str, value: Floats, given: object) -> Floats:
    if value.shape not in ((3,), (6,)) or not all_finite(value):
        raise InputError(
            f"external load at {where} is {brief(given)}; give a force [fx, fy, fz] or a wrench "
            f"[{', '.join(WRENCH)}] of finite numbers, or a function of t"
        )
    return np.concatenate([np.zeros(6 - len(value)), value])
