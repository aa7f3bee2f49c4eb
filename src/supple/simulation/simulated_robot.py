"""What moves a robot in a run, as one function: d(state)/dt at time t.

State: configuration, velocity, the work done by torques and loads, and what is lost to damping
and friction, so that the energy balance of a run can be checked to the integrator's accuracy; then
the states that laws have of their own.

    inputs u = (torques, rates of the laws' states, wrenches of loads,
                accelerations, places and rates of prescribed joints)
    d(state)/dt = F(state, u),   u = u(t, state)

F is native code, compiled once for a robot; u comes from laws, which change from run to run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from .. import recursion
from ..checks import all_finite
from ..engine import Kernel, traced
from ..engine.dependence import dependence
from ..frozen import Portable
from ..lazy import cached_property
from ..loops import dynamics as closed
from ..robot import Robot
from ..types import Array, Floats, Scalar
from .law import Law, LawError
from .loads import Loads
from .motion import Motion
from .prescribed import Prescribed

Rate = Callable[[float, Floats], Floats]


@dataclass(frozen=True, eq=False)
class SimulatedRobot(Portable):
    """A robot with its torques, the loads at its stations and its prescribed joints."""

    robot: Robot
    law: Law
    driven: Prescribed = field(default_factory=Prescribed)
    loads: Loads = field(default_factory=Loads)
    told: tuple[float, ...] = ()  # breaks that the user names
    names: tuple[str, ...] = ()  # numbers of the model that the equations take as arguments
    wanted: Motion | None = None  # the motion that is to be followed
    q: Floats = field(default_factory=lambda: np.zeros(0))  # where it starts, and how fast
    qd: Floats = field(default_factory=lambda: np.zeros(0))
    words: tuple[str, ...] = ()  # what is to be known of it already

    @property
    def parameters(self) -> int:
        return len(self.names)

    def breaks(self, duration: float) -> list[float]:
        """Instants inside the run at which its solver must start anew, in order."""
        if duration not in self._found:
            parts = (part.breaks(duration, self.told) for part in (self.driven, self.loads))
            self._found[duration] = [t for some in parts for t in some]
        sampled = [t for part in self.law.samplers for t in part.instants(duration)]
        times = [*self.told, *self.law.breaks, *sampled, *self._found[duration]]
        least = 1e-12 * duration
        out = [0.0]
        for t in sorted(times):
            if out[-1] + least < t < duration - least:
                out.append(t)
        return out[1:]

    @cached_property
    def _found(self) -> dict[float, list[float]]:
        """Breaks of loads and prescribed joints that were looked for, by the run's length."""
        return {}

    @property
    def size(self) -> int:
        """Numbers in a state."""
        return self.robot.nq + self.robot.nv + 2 + self.own

    @cached_property
    def own(self) -> int:
        """States that the law has of its own: the last ones."""
        return len(self.law.states)

    def start(self) -> Floats:
        """The state at t = 0."""
        return np.concatenate([self.q, self.qd, [0.0, 0.0], self.law.states.start])

    def parts(self, y: Floats) -> tuple[Floats, Floats, Floats]:
        """q, qd and the law's own states of a state."""
        here, there = self._edges
        return y[:here], y[here:there], y[there + 2 :]

    @cached_property
    def _edges(self) -> tuple[int, int]:
        """Where q and qd end in a state."""
        return self.robot.nq, self.robot.nq + self.robot.nv

    @property
    def fed(self) -> int:
        """How many inputs, from the first on, look at the state."""
        return self.robot.nv + self.own if self.law.feedback or self.own else 0

    @property
    def inputs(self) -> int:
        """Numbers in u."""
        loads, moved = 6 * len(self.loads.stations), 3 * len(self.driven.names)
        return self.robot.nv + self.own + loads + moved

    @property
    def pairs(self) -> int:
        """How many places have rates of their own that are nothing but their derivatives; none
        where a law has states of its own, which the rates depend on too."""
        plain = all(link.joint.nv == link.joint.nq <= 1 for link in self.robot.links)
        return self.robot.nv if plain and not self.driven.names and not self.own else 0

    def inputs_at(self, t: float, q: Floats, qd: Floats, z: Floats) -> Floats:
        """u at time t; the prescribed joints are put to their places in q and qd."""
        moved = self._moved(t, q, qd) if self.driven.names else None
        parts = [self.law(t, q, qd, z)]
        parts += [self.law.states.rate(t, q, qd, z)] if self.own else []
        parts += [self.loads(t)] if self.loads.stations else []
        parts += [moved] if moved is not None else []
        return np.concatenate(parts) if len(parts) > 1 else parts[0]

    def _moved(self, t: float, q: Floats, qd: Floats) -> Floats:
        """Accelerations, places and rates of the prescribed joints, which are put there."""
        known, rates = np.zeros(self.robot.nv), self.driven.rates
        self.driven.put(t, q, qd, known)
        return np.array([*known[rates], *(q[i] for i, _ in self.driven.places), *qd[rates]])

    @cached_property
    def kernel(self) -> Kernel:
        """F(state, u), or F(state, u, numbers of the model)."""
        return state_kernel(self.robot, self.driven, self.loads.stations, self.names, self.own)


@dataclass
class StateRate:
    """d(state)/dt of a driven robot, as a solver calls it. Where a law has no value the rate is
    NaN, so that the solver takes a shorter step; `trouble` keeps the law's error, in case no step
    is short enough."""

    drive: SimulatedRobot
    trouble: LawError | None = None
    when: float = -np.inf
    stretch: tuple[float, float] = (-np.inf, np.inf)  # between two breaks: laws are asked inside

    def __post_init__(self) -> None:
        self._kernel = self.drive.kernel
        self._none = np.full(self.drive.size, np.nan)

    def __call__(self, t: float, y: Floats) -> Floats:
        u = self.inputs(t, y)
        return self._none if u is None else self._kernel(np.array(y), u)

    def inputs(self, t: float, y: Floats) -> Floats | None:
        """What drives the robot at (t, y); None where a law has no value."""
        if not all_finite(y):
            return None
        y = y.copy() if self.drive.driven.names else y  # prescribed joints are put to their places
        t = min(max(t, self.stretch[0]), self.stretch[1])
        try:
            return self.drive.inputs_at(t, *self.drive.parts(y))
        except LawError as error:
            if error.final:
                raise
            self.trouble, self.when = error, t
            return None


def state_kernel(
    nominal: Robot,
    driven: Prescribed | None = None,
    stations: tuple[str, ...] = (),
    names: tuple[str, ...] = (),
    own: int = 0,
) -> Kernel:
    """Native (state, inputs) -> d(state)/dt, traced from the recursion; numbers of the model that
    are named become one more argument. own: states of the laws, whose rates are inputs."""
    nq, nv, loads = nominal.nq, nominal.nv, 6 * len(stations)
    free = nv + own  # where the wrenches begin
    driven = driven or Prescribed()
    held, places = driven.held, driven.places

    def rate(y: Array, u: Array, *parameters: Array) -> Array:
        robot = dependence(nominal, names).at(*parameters) if names else nominal
        q, qd, tau = y[:nq].copy(), y[nq : nq + nv].copy(), u[:nv]
        external = {where: u[free + 6 * i : free + 6 * i + 6] for i, where in enumerate(stations)}
        known = np.zeros(nv, dtype=u.dtype)
        for k, (i, v) in enumerate(places):
            moved = u[free + loads + k :: len(places)]
            known[v], q[i], qd[v] = moved[0], moved[1], moved[2]
        tau = recursion.motor_torque(robot, qd, tau)
        if held:
            qdd, tau = closed.hybrid_dynamics(robot, q, qd, tau, known, held, external)
        else:
            qdd = closed.forward_dynamics(robot, q, qd, tau, external)
        lost = recursion.passive_force(robot, q, qd) - recursion.elastic_force(robot, q)
        qdot = recursion.configuration_rate(robot, q, qd)
        power = tau @ qd + _power(robot, q, qd, external)
        return np.concatenate([qdot, qdd, [power, lost @ qd], u[nv:free]])

    inputs = free + loads + 3 * len(places)
    sizes = (nq + nv + 2 + own, inputs, *([len(names)] if names else []))
    return traced(rate, sizes, ("state", nominal, sorted(held), list(stations), list(names)))


def _power(robot: Robot, q: Array, qd: Array, external: dict[str, Array]) -> Scalar:
    """Of the wrenches at the stations: n . w + f . v."""
    total: Scalar = 0.0
    for where, wrench in external.items():
        m = recursion.station_motion(robot, q, qd, np.zeros(robot.nv), where)
        total = total + wrench[:3] @ m.w + wrench[3:] @ m.v
    return total
