"""A quantity of a robot, asked for, and its recursion run once on symbols."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from .. import recursion as rec
from ..lazy import cached_property
from ..robot import Robot
from ..tracer import Tangent, Tangents, Trace, traced_arrays
from ..types import Array
from . import shape_coordinates
from .base_inertia import with_base_inertia
from .dependence import Dependence, dependence
from .quantities import PARAMETERS, QUANTITIES, Quantity, Values, wrench_arguments
from .slopes import FEW_INVERSE, forward_slope, inverse_slope, inverted_mass


@dataclass(frozen=True)
class Request:
    """A quantity of a robot: at a station, and with numbers of its model and wrenches at stations
    as arguments."""

    robot: Robot
    what: str
    station: str | None = None
    parameters: tuple[str, ...] = ()
    wrenches: tuple[str, ...] = ()

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
        """Of all arguments: the quantity's own, the wrenches, then the parameters."""
        out = {n: self.robot.nq if n == "q" else self.robot.nv for n in self.quantity.arguments}
        out |= dict.fromkeys(wrench_arguments(self.wrenches), 6)
        return out | ({PARAMETERS: len(self.parameters)} if self.parameters else {})

    @property
    def tangents(self) -> Tangents:
        """Of q, where joints keep quaternions: it moves by the robot's rates."""
        if self.robot.nq == self.robot.nv or "q" not in self.quantity.arguments:
            return {}
        return {"q": Tangent(self.robot.nv, partial(rec.configuration_rate, self.robot))}

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

    def external(self, inputs: Mapping[str, Array]) -> dict[str, Array]:
        """The wrenches among the inputs, by station."""
        names = wrench_arguments(self.wrenches)
        return {at: inputs[name] for at, name in zip(self.wrenches, names, strict=True)}

    def run(self, robot: Robot, *arrays: Array) -> Values:
        """Of the quantity's own arguments and the wrenches."""
        own = arrays[: len(self.quantity.arguments)]
        external = self.external(dict(zip(self.sizes, arrays, strict=False)))
        return self.quantity.run(robot, *own, *self.extra, *([external] if external else []))


def trace_quantity(request: Request) -> Trace:
    """Run the recursion once on symbols."""
    quantity = request.quantity

    def run(*arrays: Array) -> Values:
        inputs = dict(zip(request.sizes, arrays, strict=True))
        if request.what == "forward_dynamics" and not request.parameters:
            external = request.external(inputs)
            q, qd, tau = arrays[:3]
            return shape_coordinates.forward_dynamics(request.robot, q, qd, tau, external)
        robot = robot_of(inputs)
        if request.what == "inverse_mass_matrix" and robot.nv <= FEW_INVERSE:
            return inverted_mass(robot, *arrays[:1])
        return request.run(robot, *arrays)

    def robot_of(inputs: dict[str, Array]) -> Robot:
        return request.robot_at(inputs.get(PARAMETERS, np.zeros(0)))

    short = {"forward_dynamics": forward_slope, "inverse_dynamics": inverse_slope}
    slope = short[request.what](robot_of, request.external) if request.what in short else None
    return traced_arrays(run, request.sizes, quantity.results, slope)
