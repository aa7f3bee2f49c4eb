"""Names for what a link is made of: a letter and the link's number."""

from __future__ import annotations

from dataclasses import dataclass

from ...robot import Robot
from ...types import Scalar
from .named_graph import NamedGraph, Parameter


@dataclass(frozen=True)
class LinkNamer:
    """Names parameters of one link."""

    named: NamedGraph
    number: str

    def model(self, letter: str, value: float, meaning: str) -> Scalar:
        """A number of the model file."""
        return self.named.parameter(Parameter(letter + self.number, float(value), meaning))

    def integral(self, letter: str, value: float, meaning: str, exact: str = "") -> Scalar:
        """An integral or a value of mode shapes: `letter` holds its index, e.g. a_v1_."""
        head, _, tail = letter.partition("_")
        index = tail.rstrip("_")
        name = f"{head}{self.number}" + (f"_{index}" if index else "")
        value = _exactly(exact, float(value))
        return self.named.parameter(Parameter(name, value, meaning, "integral", exact))


def _exactly(exact: str, value: float) -> float:
    """The value of a closed form that is a number."""
    if not exact or "beta" in exact:
        return value
    import sympy

    return float(sympy.sympify(exact))


def link_number(robot: Robot, i: int) -> str:
    """The number of a link in names: its place; a hub or payload that rides on a link has the
    number of that link."""
    link = robot.links[i]
    return str((link.parent if link.role in ("hub", "payload") else i) + 1)
