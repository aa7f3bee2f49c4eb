"""A function of the user's own: f(robot, point) gives a number, or numbers by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...errors import InputError, brief
from .base import KEPT, PointByPoint, column


class FunctionTrial(PointByPoint):
    """The robot has the point's numbers; those that no model knows are the function's alone."""

    def one(self, point: dict[str, float]) -> dict[str, float]:
        assert self.task.function is not None
        known = set(self.task.robot.parameter_names) if self.task.robot.spec is not None else set()
        robot = self.robot_at({n: x for n, x in point.items() if n in known})
        own = _numbers(self.task.function(robot, dict(point)))
        columns = {name: np.array([x]) for name, x in own.items()}
        out = own | self.task.of_one(lambda name: column(columns, name, "what the function gave"))
        if not out:
            raise InputError("the function gave no number")
        for name, x in out.items():
            if name in (*KEPT, *point):
                raise InputError(f"the function gave {name!r}, which {_taken(name)}; rename it")
            if not np.isfinite(x):
                raise InputError(f"outcome {name} is {x}: no finite number")
        return out


def _taken(name: str) -> str:
    return "every study keeps" if name in KEPT else "is the name of a number that varies"


def _numbers(given: object) -> dict[str, float]:
    named: Mapping[Any, Any] = given if isinstance(given, Mapping) else {"outcome": given}
    try:
        if any(isinstance(x, str) for x in named.values()):
            raise TypeError
        return {str(name): float(x) for name, x in named.items()}
    except (TypeError, ValueError, OverflowError):
        raise InputError(
            f"the function gave {brief(given)}; it must give a number, or numbers by name"
        ) from None
