"""What moves a robot in a run, as one function: d(state)/dt at time t.

State: configuration, velocity, the work done by torques and loads, and what is lost to damping
and friction, so that the energy balance of a run can be checked to the integrator's accuracy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from .. import recursion
from ..engine import Kernel, traced
from ..loops import dynamics as closed
from ..robot import Robot
from ..types import Array, Floats, Scalar
from .law import Law, LawError
from .loads import Loads
from .prescribed import Prescribed

Rate = Callable[[float, Floats], Floats]


@dataclass(frozen=True)
class Experiment:
    """A robot with its torques, the loads at its stations and its prescribed joints."""

    robot: Robot
    law: Law
    driven: Prescribed = field(default_factory=Prescribed)
    loads: Loads = field(default_factory=Loads)
    told: tuple[float, ...] = ()  # breaks that the user names

    def breaks(self, duration: float) -> list[float]:
        """Instants inside the run at which its solver must start anew, in order."""
        found = (part.breaks(duration, self.told) for part in (self.driven, self.loads))
        times = [*self.told, *self.law.breaks, *(t for some in found for t in some)]
        least = 1e-12 * duration
        out = [0.0]
        for t in sorted(times):
            if out[-1] + least < t < duration - least:
                out.append(t)
        return out[1:]


@dataclass
class Motor:
    """d(state)/dt of a drive. Where a law has no value the rate is NaN, so that the solver takes
    a shorter step; `trouble` keeps what the law said, should no step be short enough."""

    drive: Experiment
    trouble: LawError | None = None
    when: float = -np.inf
    stretch: tuple[float, float] = (-np.inf, np.inf)  # between two breaks: laws are asked inside

    def __post_init__(self) -> None:
        drive, robot = self.drive, self.drive.robot
        self._kernel = state_kernel(robot, drive.driven.held, drive.loads.stations)
        self._nq, self._nv = robot.nq, robot.nv
        self._known = np.zeros(robot.nv)
        self._none = np.full(robot.nq + robot.nv + 2, np.nan)

    def __call__(self, t: float, y: Floats) -> Floats:
        y = np.array(y)
        if not np.isfinite(y).all():
            return self._none
        q, qd = y[: self._nq], y[self._nq : self._nq + self._nv]
        drive = self.drive
        t = min(max(t, self.stretch[0]), self.stretch[1])
        try:
            drive.driven.put(t, q, qd, self._known)
            tau = np.ascontiguousarray(drive.law(t, q, qd))
            return self._kernel(y, tau, self._known, drive.loads(t))
        except LawError as error:
            if error.final:
                raise
            self.trouble, self.when = error, t
            return self._none


def state_kernel(
    robot: Robot, held: frozenset[int] = frozenset(), stations: tuple[str, ...] = ()
) -> Kernel:
    """Native (state, tau, accelerations of held joints, wrenches) -> d(state)/dt, traced from the
    recursion."""
    nq, nv = robot.nq, robot.nv

    def rate(y: Array, tau: Array, known: Array, wrenches: Array) -> Array:
        q, qd = y[:nq], y[nq : nq + nv]
        external = {where: wrenches[6 * i : 6 * i + 6] for i, where in enumerate(stations)}
        if held:
            qdd, tau = closed.hybrid_dynamics(robot, q, qd, tau, known, held, external)
        else:
            qdd = closed.forward_dynamics(robot, q, qd, tau, external)
        lost = recursion.passive_force(robot, q, qd) - recursion.elastic_force(robot, q)
        qdot = recursion.configuration_rate(robot, q, qd)
        power = tau @ qd + _power(robot, q, qd, external)
        return np.concatenate([qdot, qdd, [power, lost @ qd]])

    known = ("state", robot, sorted(held), list(stations))
    return traced(rate, (nq + nv + 2, nv, nv, 6 * len(stations)), known)


def _power(robot: Robot, q: Array, qd: Array, external: dict[str, Array]) -> Scalar:
    """Of the wrenches at the stations: n . w + f . v."""
    total: Scalar = 0.0
    for where, wrench in external.items():
        m = recursion.station_motion(robot, q, qd, np.zeros(robot.nv), where)
        total = total + wrench[:3] @ m.w + wrench[3:] @ m.v
    return total
