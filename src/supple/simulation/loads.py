"""Wrenches that push at stations in the course of a run: constant, or functions of time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..checks import WRENCH, numbers
from ..errors import InputError, brief
from ..robot import Robot
from ..types import Array, Floats, Scalar
from .breaks import find_breaks
from .inputs import asked, check_memory
from .law import LawError, Written, together


@dataclass(frozen=True)
class WrittenWrench:
    """A wrench of time that can become native code as well."""

    value: Callable[[float], Floats]
    written: Written

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
        return np.concatenate([np.zeros(0), *(wrench(t) for wrench in self.wrenches)])

    def rows(self, times: Floats) -> Floats:
        """The same at many instants: (times, 6 stations)."""
        if not self.stations:
            return np.zeros((len(times), 0))
        return np.array([self(float(t)) for t in times])

    @property
    def written(self) -> Written | None:
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
        fixed = _six(where, _array(given), given)
        numbers = Written(lambda t, q, qd, n: n, 6, lambda a, b: fixed)
        return WrittenWrench(lambda t: fixed, numbers)
    called = f"external load at {where}"

    def wrench(t: float) -> Floats:
        value = asked(called, t, given, t)
        if not np.all(np.isfinite(value)):
            raise LawError(f"{called} is {value} at t = {t:.6g} s; it must be finite")
        return _six(where, value, value)

    try:
        wrench(0.0)
    except LawError as error:
        raise InputError(str(error)) from None

    def of(t: Scalar, q: Array, qd: Array, numbers: Array) -> Array:
        value = np.array(given(t), dtype=object)
        return np.concatenate([np.zeros(6 - len(value)), value])

    return WrittenWrench(wrench, Written(of))


def _array(given: object) -> Floats:
    try:
        return numbers(given)
    except (TypeError, ValueError, OverflowError):
        return np.zeros(0)


def _six(where: str, value: Floats, given: object) -> Floats:
    if value.shape not in ((3,), (6,)) or not np.all(np.isfinite(value)):
        raise InputError(
            f"external load at {where} is {brief(given)}; give a force [fx, fy, fz] or a wrench "
            f"[{', '.join(WRENCH)}] of finite numbers, or a function of t"
        )
    return np.concatenate([np.zeros(6 - len(value)), value])
