"""What a robot's quantities cost as native code: operations, time of a call, time to compile."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import numpy as np

from ..engine import Function, cache, compile, traced
from ..engine.quantities import QUANTITIES, example_station
from ..errors import unknown_name
from ..robot import Robot
from ..types import Floats
from .stopwatch import Call, in_turns

SLOPES = "_derivatives"  # after a quantity's name: all its derivatives in one call
MAIN = (
    "forward_dynamics",
    "inverse_dynamics",
    "mass_matrix",
    "jacobian",
    "forward_dynamics_derivatives",
    "inverse_dynamics_derivatives",
)
"""What is measured when nothing is named."""

STATES = 10_000  # of a batch
NUMBERS = 4_000_000  # of a batch's results, at most: fewer states where each has many


@dataclass(frozen=True)
class Cost:
    """The cost of one quantity. Times in seconds, the best of many; a batch runs on one core."""

    quantity: str
    station: str | None  # where, for what has a place
    operations: dict[str, int]
    call: float  # gives a new array
    out: float | None  # writes to an array at hand; None: several results have no out=
    batch: float  # a state
    states: int  # of that batch
    compiled: float  # with an empty cache
    found: float  # from the cache


def costs(robot: Robot, quantities: Sequence[str] = MAIN, seconds: float = 0.5) -> list[Cost]:
    """Measure each quantity for about so many seconds, compiling apart.

    Each is a name that `compile` takes; with "_derivatives" after it, all its derivatives in
    one call. What needs a station is taken at the end of the last link, section forces at the root
    of the last beam.
    """
    for name in quantities:
        _check(name)
    with empty_cache():
        traced(lambda x: x + 1.0, [1])  # LLVM starts
        return [_cost(robot, name, seconds) for name in quantities]


@contextmanager
def empty_cache() -> Iterator[None]:
    """Compile as on a new machine."""
    with tempfile.TemporaryDirectory() as folder, cache.kept_in(folder):
        yield


def _check(name: str) -> None:
    if name.removesuffix(SLOPES) not in QUANTITIES:
        allowed = [*QUANTITIES, *(x + SLOPES for x in ("forward_dynamics", "inverse_dynamics"))]
        raise unknown_name("quantity", name, allowed, where="supple.compile")


def _cost(robot: Robot, name: str, seconds: float) -> Cost:
    compiled, function = _timed(robot, name)
    found = min(_timed(robot, name)[0] for _ in range(3))
    size = sum(int(np.prod(shape)) for shape in function.results.values())
    states = max(1, min(STATES, NUMBERS // max(1, size)))
    best = in_turns(_calls(function, _state(robot, function), states), seconds)
    return Cost(
        quantity=name,
        station=_station(robot, name),
        operations=function.operations(),
        call=best["call"],
        out=best.get("out"),
        batch=best["batch"] / states,
        states=states,
        compiled=compiled,
        found=found,
    )


def _timed(robot: Robot, name: str) -> tuple[float, Function]:
    """Seconds until the function is there."""
    start = time.perf_counter()
    what = name.removesuffix(SLOPES)
    function = compile(robot, what, station=_station(robot, name))
    if what != name:
        function = function.jacobian(*function.arguments)
    return time.perf_counter() - start, function


def _station(robot: Robot, name: str) -> str | None:
    """The end of the last link, or the root of the last beam, for what needs a station."""
    what = name.removesuffix(SLOPES)
    return example_station(robot, what) if QUANTITIES[what].station else None


def _state(robot: Robot, function: Function) -> list[Floats]:
    """A state near the neutral one, all of it moving."""
    rng = np.random.default_rng(0)
    x = {name: 0.01 * rng.normal(size=size) for name, size in function.arguments.items()}
    if "q" in x:
        x["q"] = robot.normalized(robot.neutral() + x["q"])
    return [x[name] for name in function.arguments]


def _calls(function: Function, x: list[Floats], states: int) -> dict[str, Call]:
    many = [np.tile(a, (states, 1)) for a in x]
    calls: dict[str, Call] = {"call": Call(function, tuple(x))}
    batch = partial(function.batch, threads=1)
    if len(function.results) == 1:
        (shape,) = function.results.values()
        calls["out"] = Call(function, (*x, np.empty(shape)))
        batch = partial(batch, out=np.empty((states, *shape)))
    calls["batch"] = Call(batch, tuple(many))
    return calls
