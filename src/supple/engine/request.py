"""A quantity of a robot, asked for, and its recursion run once on symbols."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..robot import Robot
from ..tracer import Trace, traced_arrays
from ..types import Array
from . import shape_coordinates
from .base_inertia import with_base_inertia
from .dependence import Dependence, dependence
from .quantities import PARAMETERS, QUANTITIES, Quantity, Values
from .slopes import FEW_INVERSE, forward_slope, inverse_slope, inverted_mass


@dataclass(frozen=True)
class Request:
    """A quantity of a robot: at a station, and with numbers of its model as arguments."""

    robot: Robot
    what: str
    station: str | None = None
    parameters: tuple[str, ...] = ()

    @property
    def quantity(self) -> Quantity:
        return QUANTITIES[self.what]

    @property
    def scans(self) -> bool:
        """Whether a scan over the links gives it: loops and gears tie links together that are not
        one on the other."""
        tied = bool(self.robot.gears) or (self.quantity.loops and bool(self.robot.loops))
        return self.quantity.scans and not tied

    @property
    def sizes(self) -> dict[str, int]:
        """Of all arguments: the quantity's own, then the parameters."""
        out = {n: self.robot.nq if n == "q" else self.robot.nv for n in self.quantity.arguments}
        return out | ({PARAMETERS: len(self.parameters)} if self.parameters else {})

    @property
    def extra(self) -> tuple[str, ...]:
        return () if self.station is None else (self.station,)

    @cached_property
    def dependence(self) -> Dependence:
        return dependence(self.robot, self.parameters)

    def robot_at(self, parameters: Array) -> Robot:
        """The robot to run on: parameters put in, hidden inertia moved to where it is least."""
        robot = self.dependence.at(parameters) if self.parameters else self.robot
        return with_base_inertia(robot) if self.quantity.inertial else robot

    def run(self, robot: Robot, *arrays: Array) -> Values:
        return self.quantity.run(robot, *arrays, *self.extra)


def trace_quantity(request: Request) -> Trace:
    """Run the recursion once on symbols."""
    quantity = request.quantity

    def run(*arrays: Array) -> Values:
        count = len(quantity.arguments)
        values = arrays[count] if request.parameters else np.zeros(0)
        if request.what == "forward_dynamics" and not request.parameters:
            return shape_coordinates.forward_dynamics(request.robot, *arrays)
        robot = request.robot_at(values)
        if request.what == "inverse_mass_matrix" and robot.nv <= FEW_INVERSE:
            return inverted_mass(robot, *arrays[:1])
        return request.run(robot, *arrays[:count])

    def robot_of(inputs: dict[str, Array]) -> Robot:
        return request.robot_at(inputs.get(PARAMETERS, np.zeros(0)))

    short = {"forward_dynamics": forward_slope, "inverse_dynamics": inverse_slope}
    slope = short[request.what](robot_of) if request.what in short else None
    return traced_arrays(run, request.sizes, quantity.results, slope)
