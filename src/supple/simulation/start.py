"""Where a run starts: what the user says, what a motion or a law says, or a robot at rest."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from .. import checks
from ..analyse.statics import statics
from ..errors import InputError, brief, unknown_name
from ..loops import closed_checks
from ..loops.actuation import closing_rates
from ..loops.assembly import AssemblyProblem, descend
from ..loops.closure import closure_jacobian
from ..loops.placing import closed_at
from ..robot import Robot
from ..types import Floats
from .loads import Loads
from .motion import Motion
from .prescribed import Prescribed


def start(
    robot: Robot, q0: object, qd0: object, wanted: Motion | None, driven: Prescribed
) -> tuple[Floats, Floats]:
    """q and qd at t = 0. A motion says where its joints start and how fast, unless the user
    does; prescribed joints start as their laws say; the loops of closed chains say the rest."""
    places: dict[int, float] = {}
    rates: dict[int, float] = {}
    joints = {link.joint_name: link for link in robot.links if link.joint.nv == 1}
    if wanted is not None:
        place, rate, _ = wanted(0.0)
        for name, x, v in zip(wanted.names, place, rate, strict=True):
            if q0 is None:
                places[joints[name].q.start] = float(x)
            if qd0 is None:
                rates[joints[name].u.start] = float(v)
    for (i, v), law in zip(driven.places, driven.laws, strict=True):
        places[i], rates[v], _ = law(0.0)
    if robot.loops:
        q = closed_position(robot, q0, places)
        return q, closed_rate(robot, q, qd0, rates)
    q = robot.home() if q0 is None else start_position(robot, q0)
    qd = np.zeros(robot.nv) if qd0 is None else start_rate(robot, qd0)
    for k, x in places.items():
        q[k] = x
    for k, x in rates.items():
        qd[k] = x
    return _on_gears(robot, q, qd, places, rates)


def ready(robot: Robot, q: Floats, driven: Prescribed) -> Floats:
    """q with quaternions of length one, unless no run can start there."""
    return checks.definite(robot, robot.normalized(checks.movable(robot, q)), driven.held)


def _on_gears(
    robot: Robot, q: Floats, qd: Floats, places: Collection[int], rates: Collection[int]
) -> tuple[Floats, Floats]:
    """Motors where a motion or a law puts their joints, elastic gears not wound up there; all
    joints between their stops."""
    for gear in robot.gears:
        motor, joint = robot.links[gear.motor], robot.links[gear.link]
        if joint.q.start in places and motor.q.start not in places:
            q[motor.q.start] = gear.ratio * q[joint.q.start]
        if joint.u.start in rates and motor.u.start not in rates:
            qd[motor.u.start] = gear.ratio * qd[joint.u.start]
    return checks.between_stops(robot, q), qd


def closed_position(robot: Robot, given: object, places: dict[int, float]) -> Floats:
    """A configuration with closed loops: some joints by name and the rest as the loops put it, or
    all coordinates, which must be closed."""
    if given is None or isinstance(given, Mapping):
        q = robot.home()
        named: dict[int, float] = {}
        if isinstance(given, Mapping):
            _by_name(q, given, "q0", robot.coordinate_names, robot)
            named = {i: float(q[i]) for i, n in enumerate(robot.coordinate_names) if n in given}
        return closed_at(robot, named | places)
    q = start_position(robot, given)
    for k, x in places.items():
        q[k] = x
    closed_checks.check_closed(robot, q, np.zeros(robot.nv))
    held = [i for i, x in enumerate(robot.links) if x.q.start in places]
    return descend(AssemblyProblem(robot, frozenset(held)), q).q


def closed_rate(robot: Robot, q: Floats, given: object, rates: dict[int, float]) -> Floats:
    """Rates that keep the loops closed: some by name and the rest as the loops want it (the
    smallest that do), or all of them, which must."""
    named = dict(rates)
    if isinstance(given, Mapping):
        qd = np.zeros(robot.nv)
        _by_name(qd, given, "qd0", robot.velocity_names, robot)
        named = {i: float(qd[i]) for i, n in enumerate(robot.velocity_names) if n in given} | rates
    elif given is not None:
        qd = start_rate(robot, given)
        for k, x in rates.items():
            qd[k] = x
        closed_checks.check_closed(robot, q, qd)
        return qd
    if not named:
        return np.zeros(robot.nv)
    qd = closing_rates(robot, q, np.array(list(named.values())), list(named))
    left = float(np.abs(np.asarray(closure_jacobian(robot, q), dtype=float) @ qd).max())
    if left > 1e-8 * (1.0 + float(np.abs(qd).max())):
        raise InputError(
            f"the loops of {robot.name} do not allow these rates at the start: "
            f"{', '.join(robot.velocity_names[k] for k in named)} cannot be chosen freely; loops "
            f"would open at {left:.3g} (m/s or rad/s). Give fewer of them"
        )
    return qd


def start_position(robot: Robot, given: object) -> Floats:
    """All coordinates, those of the joints alone (shapes at zero), or some by name."""
    q = robot.home()
    if isinstance(given, Mapping):
        _by_name(q, given, "q0", robot.coordinate_names, robot)
        named = [i for i, name in enumerate(robot.coordinate_names) if name in given]
        return checks.configuration(robot, robot.unwound(q, named))
    joints = [i for link in robot.links for i in range(link.q.start, link.q.stop)]
    if checks.shape(given) == (len(joints),) and len(joints) != robot.nq:
        names = tuple(robot.coordinate_names[i] for i in joints)
        q[joints] = checks.vector(given, "q0", len(joints), names, robot)
        return checks.configuration(robot, q)
    return checks.configuration(robot, given)


def start_rate(robot: Robot, given: object) -> Floats:
    """All rates, those of the joints alone, or some by name."""
    qd = np.zeros(robot.nv)
    if isinstance(given, Mapping):
        _by_name(qd, given, "qd0", robot.velocity_names, robot)
        return qd
    joints = list(robot.joint_indices)
    if checks.shape(given) == (len(joints),) and len(joints) != robot.nv:
        names = tuple(robot.velocity_names[i] for i in joints)
        qd[joints] = checks.vector(given, "qd0", len(joints), names, robot)
        return qd
    return checks.velocity(robot, given, "qd0")


def _by_name(
    out: Floats, given: Mapping[object, object], what: str, names: tuple[str, ...], robot: Robot
) -> None:
    for name, value in given.items():
        if name not in names:
            raise unknown_name("coordinate", str(name), names, where=f"robot {robot.name}")
        number = checks.number(value, f"{what} of {name}", "a finite number")
        if not np.isfinite(number):
            raise InputError(f"{what} of {name} is {brief(value)}; it must be a finite number")
        out[names.index(name)] = number


def at_rest(robot: Robot, q: Floats, loads: Loads) -> Floats:
    """q with the shapes and the gears that hold still under gravity and loads, the motors held."""
    return statics(robot, q, loads.at(0.0)).q if robot.free_indices else q
