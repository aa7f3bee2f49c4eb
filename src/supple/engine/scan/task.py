"""What is to be made into a scan."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...robot import Robot
from ...screws.dual import Dual, Elastic
from ...types import Array
from ..quantities import PARAMETERS, Values
from .flatten import Levels

RATES = "rates"
"""What the columns of q run over where they are rates."""


@dataclass(frozen=True)
class Task:
    """A quantity, or its Jacobian."""

    run: Callable[..., Values]  # (robot, *arrays) -> result(s)
    robot: Callable[[Array], Robot]  # of its parameters (of none, where there are none)
    arguments: tuple[str, ...]  # "q" is a configuration, the others are rates, forces, wrenches
    results: tuple[str, ...]
    vector: bool  # whether the result has an entry for every rate
    wrenches: tuple[str, ...] = ()  # arguments of six numbers that belong to no link
    parameters: int = 0  # how many; they make one more argument, the last
    wrt: tuple[str, ...] = ()  # not empty: the Jacobian with respect to these
    along: tuple[str, ...] = ()  # or: the change along directions of these, further arguments
    tangent: bool = False  # columns or directions of q are rates
    linear: str = ""  # or: how the result follows this further argument, from zero
    alone: frozenset[int] = frozenset()  # links that must be a kind of their own
    two_sweeps: bool = False  # motion goes outward, then loads inward: see `chain_rule`
    answers: bool = False  # forces go inward, the motion that answers them outward; of a chain
    symmetric: bool = False  # the matrix of columns is
    slopes: Task | None = None  # what has the same slopes, with the result as one more argument

    @property
    def hidden(self) -> tuple[str, ...]:
        return (self.linear,) if self.linear else ()

    @property
    def columns(self) -> tuple[str, ...]:
        """What the columns of the result run over, if it has columns."""
        return self.wrt or self.hidden

    @property
    def chained(self) -> bool:
        """Whether its columns come by the chain rule over the links, not each by its own sweep."""
        return (
            (self.two_sweeps or self.answers)
            and bool(self.columns)
            and not self.loose & {*self.columns}
            and not self.tangent
        )

    @property
    def loose(self) -> frozenset[str]:
        """Arguments whose numbers belong to no link."""
        return frozenset(x for name in (PARAMETERS, *self.wrenches) for x in (name, f"d{name}"))

    @property
    def spaced(self) -> frozenset[str]:
        """Arguments whose numbers are those of configurations."""
        return frozenset(("q",) if self.tangent else ("q", "dq"))

    def sizes(self, robot: Robot) -> dict[str, int]:
        """Of all arguments."""
        out = {name: robot.nq if name == "q" else robot.nv for name in self.arguments}
        out |= dict.fromkeys(self.wrenches, 6)
        out |= {PARAMETERS: self.parameters} if self.parameters else {}
        sizes = {**out, "q": robot.nv} if self.tangent else out
        return out | {f"d{name}": sizes[name] for name in self.along}

    def levels(self, robot: Robot) -> Levels:
        """What the recursion runs on: linearised, differentiated, both, or neither."""
        linear = (Elastic,) if robot.kinematics.small else ()
        differs = self.along or (self.columns and not self.chained)
        return (*linear, Dual) if differs else linear
