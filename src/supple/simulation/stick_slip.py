"""Runs of robots whose friction sticks: joints that stand are held, those that slide are braked.

Between two events it is settled which joints stick and which slide (`recursion.sticking`): held
joints follow the law "stay", sliding ones feel Coulomb friction against their motion. A rate that
comes to zero, or friction that reaches its limit, ends such a phase, and the next one is found.

A brake f that is constant does the work f (q - q_0) since the phase began: it is lost, not given.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from .. import recursion
from ..engine import traced
from ..recursion.sticking import (
    StickSlipState,
    sliding_friction,
    stick_or_slide,
    sticking_links,
    without_dry_friction,
)
from ..robot import Robot
from ..types import Array, Floats, Scalar
from .events import Event
from .law import Law, TraceableLaw
from .motion import standing
from .prescribed import Prescribed
from .simulated_robot import SimulatedRobot

BEYOND = 1.0 + 1e-12  # times static: friction that a joint breaks loose at, but for rounding


@dataclass(frozen=True)
class PhaseEnd(Event):
    """Ends a phase: the joint of this rate stops, or breaks loose."""

    rate: int = -1
    loosens: bool = False

    def __post_init__(self) -> None:
        """Its action is no one's to choose."""


class StickSlip:
    """The phases of one run."""

    def __init__(self, base: SimulatedRobot) -> None:
        self.base = base
        self.rough = without_dry_friction(_without_limits(base.robot))
        self.stretch = (-np.inf, np.inf)  # between two breaks: laws are asked inside
        self._brake = np.zeros(base.robot.nv)
        self._from = np.zeros(0)

    def phase(
        self, t: float, y: Floats, ended: Sequence[PhaseEnd] = ()
    ) -> tuple[SimulatedRobot, list[PhaseEnd], Floats]:
        """What moves the robot from (t, y) on, where the last phase has `ended`, the events that
        end it, and the state, in which joints that stand do so exactly: those that are held, and
        those that have just stopped."""
        base, robot = self.base, self.base.robot
        y = np.array(y)
        q, qd, z = base.parts(y)
        base.driven.put(t, q, qd, np.zeros(robot.nv))
        qd[[end.rate for end in ended if not end.loosens]] = 0.0
        loosened = [end.rate for end in ended if end.loosens]
        found = self._found(self._inside(t), q, qd, z, loosened)
        for i in found.held:
            qd[robot.links[i].u] = 0.0
        self._brake, self._from = sliding_friction(robot, found.directions), q.copy()
        brake = self._brake
        law = _limited(robot, base.law) + Law(
            lambda t, q, qd: brake,
            written=TraceableLaw(lambda t, q, qd, n: n, robot.nv, lambda a, b: brake),
        )
        drive = replace(base, robot=self.rough, law=law, driven=_with_held(base, found.held, q))
        return drive, [*self._stopping(found), *self._loosening(found)], y

    def _inside(self, t: float) -> float:
        """Where a law is asked at t: on this side of a break."""
        return min(max(t, self.stretch[0]), self.stretch[1])

    def _found(
        self, t: float, q: Floats, qd: Floats, z: Floats, loosened: Sequence[int] = ()
    ) -> StickSlipState:
        base, robot = self.base, self.base.robot
        tau = np.asarray(recursion.motor_torque(robot, qd, base.law(t, q, qd, z)), dtype=float)
        known, external = np.zeros(robot.nv), base.loads.at(t)
        base.driven.put(t, q.copy(), qd.copy(), known)
        held = base.driven.held

        def accelerate(force: Floats) -> Floats:
            qdd, _ = recursion.hybrid_dynamics(self.rough, q, qd, force, known, held, external)
            return np.asarray(qdd, dtype=float)

        return stick_or_slide(robot, q, qd, tau, external, accelerate if held else None, loosened)

    def _stopping(self, found: StickSlipState) -> list[PhaseEnd]:
        """A joint that slides comes to a stand."""
        out = []
        for k in np.flatnonzero(found.directions):
            name = f"{self.base.robot.velocity_names[k]} stops"
            when = lambda t, q, qd, k=k: qd[k]  # noqa: E731
            way = -int(found.directions[k])
            out.append(PhaseEnd(when, direction=way, name=name, rate=int(k)))
        return out

    def _loosening(self, found: StickSlipState) -> list[PhaseEnd]:
        """Friction that holds a joint goes beyond its limit."""
        robot, force = self.base.robot, self._holding(found)
        out = []
        for i in sorted(found.held):
            k, limit = robot.links[i].u.start, BEYOND * robot.links[i].drive.static
            when = lambda t, q, qd, k=k, limit=limit: limit - abs(force(t, q, qd)[k])  # noqa: E731
            name = f"{robot.velocity_names[k]} breaks loose"
            out.append(PhaseEnd(when, direction=-1, name=name, rate=k, loosens=True))
        return out

    def _holding(self, found: StickSlipState) -> Callable[[float, Floats, Floats], Floats]:
        """The friction (nv,) that holds joints, in native code."""
        base, rough = self.base, self.rough
        nq, nv, stations = rough.nq, rough.nv, base.loads.stations
        held = found.held | base.driven.held

        def force(q: Array, qd: Array, tau: Array, qdd: Array, wrenches: Array) -> Array:
            external = {s: wrenches[6 * i : 6 * i + 6] for i, s in enumerate(stations)}
            return recursion.hybrid_dynamics(rough, q, qd, tau, qdd, held, external)[1]

        sizes = (nq, nv, nv, nv, 6 * len(stations))
        kernel = traced(force, sizes, ("holding", rough, sorted(held), list(stations)))

        def friction(t: float, q: Floats, qd: Floats) -> Floats:
            z, t = base.law.states.start, self._inside(t)  # its states are none: see `can_stick`
            asked = np.asarray(base.law(t, q, qd, z), dtype=float)
            tau = np.asarray(recursion.motor_torque(base.robot, qd, asked), dtype=float)
            known = np.zeros(nv)
            base.driven.put(t, q, qd, known)
            return np.asarray(kernel(q, qd, tau + self._brake, known, base.loads(t)) - tau)

        return friction

    def accelerations(self, times: Floats, q: Floats, qd: Floats) -> Floats:
        """qdd (times, nv): of joints that stand as friction lets them."""
        none = self.base.law.states.start
        rows = zip(times, q, qd, strict=True)
        return np.array([self._found(float(t), a.copy(), b.copy(), none).qdd for t, a, b in rows])

    def lost(self, rows: Floats) -> Floats:
        """States (..., size) of the phase with the work of its brakes among what is lost."""
        robot, out = self.base.robot, np.array(rows)
        places = [robot.links[i].q.start for i in sticking_links(robot)]
        rates = [robot.links[i].u.start for i in sticking_links(robot)]
        work = (out[..., places] - self._from[places]) @ self._brake[rates]
        at = robot.nq + robot.nv
        out[..., at] -= work
        out[..., at + 1] -= work
        return out


def can_stick(drive: SimulatedRobot) -> bool:
    """Whether a run has phases: an open chain with joints that stick, and laws without states."""
    return bool(sticking_links(drive.robot)) and not drive.robot.loops and not drive.own


def _limits(robot: Robot) -> bool:
    return any(link.drive.torque_limit for link in robot.links)


def _without_limits(robot: Robot) -> Robot:
    """The robot with motors that give whatever they are asked for."""
    if not _limits(robot):
        return robot
    links = [replace(x, drive=replace(x.drive, torque_limit=0.0)) for x in robot.links]
    return replace(robot, links=tuple(links), spec=None)


def _limited(robot: Robot, law: Law) -> Law:
    """What motors with limits give of a law; brakes are added behind them."""
    if not _limits(robot):
        return law
    written = law.written

    def force(t: float, q: Floats, qd: Floats, *z: Floats) -> Floats:
        return np.asarray(recursion.motor_torque(robot, qd, law(t, q, qd, *z)), dtype=float)

    def of(t: Scalar, q: Array, qd: Array, n: Array) -> Array:
        assert written is not None
        return recursion.motor_torque(robot, qd, written.of(t, q, qd, n))

    fed = law.feedback or any(link.drive.speed_limit for link in robot.links)
    native = None if written is None else replace(written, of=of)
    return replace(law, force=force, feedback=fed, written=native)


def _with_held(base: SimulatedRobot, held: frozenset[int], q: Floats) -> Prescribed:
    """What is prescribed, and joints that stay where they are."""
    driven, robot = base.driven, base.robot
    rows = list(zip(driven.links, driven.names, driven.places, driven.laws, strict=True))
    for i in held:
        link = robot.links[i]
        place = (link.q.start, link.u.start)
        rows.append((i, link.joint_name, place, standing(float(q[link.q.start]))))
    rows.sort(key=lambda row: row[0])
    links, names, places, laws = zip(*rows, strict=True) if rows else ((), (), (), ())
    return Prescribed(tuple(names), tuple(links), tuple(places), tuple(laws), driven.knots)
