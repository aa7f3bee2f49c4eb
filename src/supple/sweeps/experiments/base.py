"""What is done at the points of a study: the contract.

An experiment is made once, of the robot and its words, and then asked for blocks of points. It
gives a column for each outcome, and says of each point what went wrong, if anything did. What it
gives depends on the block alone, so that all workers give the same.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import InputError, unknown_name
from ...robot import Robot
from ...types import Floats
from ...worker_process import Outcomes, Points, joined, words_of
from ..formulas import parse, value

AT_REST = np.zeros(1)  # the one instant
AXES = ("x", "y", "z")
KEPT = ("point", "trouble", "seconds")
"""What is kept of every point beside its numbers and outcomes."""


@dataclass(frozen=True)
class ExperimentInputs:
    """What an experiment is made of."""

    robot: Robot
    words: Mapping[str, Any]  # of the experiment, as the study file has them
    names: tuple[str, ...]  # of the numbers that vary
    formulas: Mapping[str, str]
    function: Callable[..., object] | None = None

    def outcomes(self, look_up: Callable[[str], Floats], time: Floats, n: int) -> dict[str, Floats]:
        """All formulas: (points,) each."""
        out = {}
        for name, text in self.formulas.items():
            found = value(parse(text), text, look_up, time)
            out[name] = np.broadcast_to(found, (n,)).astype(float)
        return out

    def of_one(self, look_up: Callable[[str], Floats], time: Floats = AT_REST) -> dict[str, float]:
        """All formulas of one point."""
        return {name: float(x[0]) for name, x in self.outcomes(look_up, time, 1).items()}


def column(columns: Mapping[str, Floats], name: str, where: str) -> Floats:
    """The column of a variable."""
    if name not in columns:
        raise unknown_name("variable", name, columns, where)
    return columns[name]


def final_words(columns: dict[str, Floats], trouble: list[str]) -> Outcomes:
    """Points without an end have no outcome; outcomes that are no numbers are told."""
    bad = np.array([bool(words) for words in trouble])
    for name, values in columns.items():
        out = np.where(bad, np.nan, values)
        columns[name] = out
        for k in np.flatnonzero(~np.isfinite(out) & ~bad):
            trouble[k] = trouble[k] or f"outcome {name} is no finite number"
    return Outcomes(columns, trouble)


def station_names(robot: Robot) -> tuple[str, ...]:
    """All stations, as `robot.station` takes them."""
    return tuple(f"{x.name}.{name}" for x in robot.links for name in x.body.stations)


class Trial(ABC):
    """One kind of experiment."""

    few, many = 1, 16  # points of a block, if the study does not say: at least, at most
    one_by_one = True  # whether points are begun in turn, each with its own time limit

    def __init__(self, task: ExperimentInputs) -> None:
        self.task = task

    @abstractmethod
    def run(self, points: Points) -> Outcomes:
        """The outcomes of a block."""


class PointByPoint(Trial):
    """Points in turn: one that fails says so and stops no other."""

    def run(self, points: Points) -> Outcomes:
        return joined(len(points), [([k], self._tried(points.at(k))) for k in range(len(points))])

    def _tried(self, point: dict[str, float]) -> Outcomes:
        try:
            return Outcomes({name: np.array([x]) for name, x in self.one(point).items()}, [""])
        except Exception as error:  # of the user's own function too
            return Outcomes({}, [words_of(error)])

    @abstractmethod
    def one(self, point: dict[str, float]) -> dict[str, float]:
        """The outcomes of one point."""

    def robot_at(self, point: dict[str, float]) -> Robot:
        """The robot with the numbers of this point."""
        own = {n: x for n, x in point.items() if not _of_experiment(n)}
        return self.task.robot.with_parameters(own) if own else self.task.robot


def _of_experiment(name: str) -> bool:
    return name.startswith("experiment.")


def words_with(words: Mapping[str, Any], point: Mapping[str, float]) -> dict[str, Any]:
    """Words in which `experiment.pd.0` and the like are put to a point's numbers."""
    import copy

    out = copy.deepcopy(dict(words))
    for name, number in point.items():
        if not _of_experiment(name):
            continue
        holder, key = place(out, name)
        if isinstance(holder[key], int) and not float(number).is_integer():
            raise InputError(f"{name} is {number:g}; it must be a whole number")
        holder[key] = int(number) if isinstance(holder[key], int) else number
    return out


def place(words: object, name: str) -> tuple[Any, str | int]:
    """Where a number of the experiment stands: (mapping or list, key). Keys may have dots of their
    own: experiment.load.link3.tip.1."""
    found = _found(words, name.split(".")[1:])
    if found is None:
        raise KeyError(name)
    return found


def _found(holder: object, keys: list[str]) -> tuple[Any, str | int] | None:
    for n in range(len(keys), 0, -1):
        word = ".".join(keys[:n])
        key: str | int = word
        if isinstance(holder, list) and word.isdecimal() and int(word) < len(holder):
            key, inner = int(word), holder[int(word)]
        elif isinstance(holder, dict) and word in holder:
            inner = holder[word]
        else:
            continue
        if n < len(keys):
            return _found(inner, keys[n:])
        if isinstance(inner, int | float) and not isinstance(inner, bool):
            return holder, key
    return None
