"""Where a run starts: what the user says, what a motion or a law says, or a robot at rest."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import numpy as np

from .. import checks
from ..analyse.statics import statics
from ..errors import InputError
from ..loops import closed_checks
from ..loops.actuation import closing_rates
from ..loops.assembly import AssemblyProblem, descend, motor_links
from ..loops.closure import closure_jacobian
from ..recursion.gears import rigid_gears
from ..robot import Robot
from ..types import Floats
from .loads import Loads
from .motion import Motion
from .prescribed import Prescribed


def start(
    robot: Robot,
    q0: object,
    qd0: object,
    wanted: Motion | None,
    driven: Prescribed,
    at_rest: Loads | None = None,
) -> tuple[Floats, Floats]:
    """q and qd at t = 0. A motion says where its joints start and how fast, unless the user
    does; prescribed joints start as their laws say; the loops of closed chains say the rest.
    at_rest: shapes and gears begin where they hold still under these loads."""
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
    where, how_fast = (closed_position, closed_rate) if robot.loops else (_position, _rate)
    q = robot.normalized(checks.movable(robot, where(robot, q0, places)))
    q = checks.definite(robot, q, driven.held)  # no run can start elsewhere
    if at_rest is not None:
        q = _settled(robot, q, at_rest, driven)
    return q, how_fast(robot, q, qd0, rates)


def _position(robot: Robot, given: object, places: dict[int, float]) -> Floats:
    """Of an open chain; motors where a motion or a law puts their joints, elastic gears not wound
    up there; all joints between their stops."""
    q = robot.home() if given is None else start_position(robot, given)
    for k, x in places.items():
        q[k] = x
    keep = _named(given, robot.coordinate_names)
    if given is not None and not isinstance(given, Mapping):  # all but motors of moved joints
        gears = [(robot.links[x.link].q.start, robot.links[x.motor].q.start) for x in robot.gears]
        keep = set(range(robot.nq)) - {motor for joint, motor in gears if joint in places}
    return checks.between_stops(robot, robot.unwound(q, keep | set(places)))


def _rate(robot: Robot, q: Floats, given: object, rates: dict[int, float]) -> Floats:
    """Of an open chain; motors turn with their joints where only one of the two is named."""
    qd = np.zeros(robot.nv) if given is None else start_rate(robot, given)
    named = set(rates) | _named(given, robot.velocity_names)
    for k, x in rates.items():
        qd[k] = x
    return _on_gears(robot, qd, named)


def _named(given: object, names: tuple[str, ...]) -> set[int]:
    """Places of the names that a user gave."""
    return {i for i, n in enumerate(names) if n in given} if isinstance(given, Mapping) else set()


def _on_gears(robot: Robot, qd: Floats, named: Collection[int]) -> Floats:
    """qd with elastic gears that do not wind up: the motor turns with a joint that is named, or
    the joint with its motor."""
    for ratio, motor, joint in _geared(robot):
        if joint in named and motor not in named:
            qd[motor] = ratio * qd[joint]
        elif motor in named and joint not in named:
            qd[joint] = qd[motor] / ratio
    return qd


def _geared(robot: Robot) -> Iterator[tuple[float, int, int]]:
    """Ratio of each elastic gear, places of its motor's rate and of its joint's."""
    for gear in robot.gears:
        yield gear.ratio, robot.links[gear.motor].u.start, robot.links[gear.link].u.start


def closed_position(robot: Robot, given: object, places: dict[int, float]) -> Floats:
    """A configuration with closed loops: some joints by name and the rest as the loops put it, or
    all coordinates, which must be closed."""
    if given is None or isinstance(given, Mapping):
        named = {robot.coordinate_names[k]: x for k, x in places.items()}
        return checks.configuration(robot, {**(given or {}), **named}, "q0")
    q = start_position(robot, given)
    for k, x in places.items():
        q[k] = x
    closed_checks.check_closed(robot, q, np.zeros(robot.nv))
    held = [i for i, x in enumerate(robot.links) if x.q.start in places]
    return descend(AssemblyProblem(robot, frozenset(held)), q).q


def closed_rate(robot: Robot, q: Floats, given: object, rates: dict[int, float]) -> Floats:
    """Rates that keep the loops closed: some by name, the rest as the loops want it, or all of
    them, which must. Shapes and motors that are not named stand still, if the loops allow it; if
    not, the motors move too, and in the end the shapes: the smallest rates that do."""
    if given is not None and not isinstance(given, Mapping):
        qd = start_rate(robot, given)
        for k, x in rates.items():
            qd[k] = x
        closed_checks.check_closed(robot, q, qd)
        return qd
    named = _named(given, robot.velocity_names) | set(rates)
    qd = _rate(robot, q, given, rates)
    if not named:
        return qd
    geared = {joint: motor for _, motor, joint in _geared(robot)}
    told = named | {joint for joint, motor in geared.items() if motor in named}
    motors = [k for i in motor_links(robot) for k in range(robot.nv)[robot.links[i].u]]
    for still in ([*motors, *robot.mode_indices], robot.mode_indices, []):
        chosen = sorted(told | set(still))
        found = closing_rates(robot, q, qd[chosen], chosen)  # of what is not told: zero
        left = float(np.abs(np.asarray(closure_jacobian(robot, q), dtype=float) @ found).max())
        if left <= 1e-8 * float(np.abs(found).max()):
            return _on_gears(robot, found, named | set(geared))
    names = ", ".join(robot.velocity_names[k] for k in sorted(named))
    raise InputError(
        f"the loops of {robot.name} do not allow these rates at the start: {names} cannot be "
        f"chosen freely; loops would open at {left:.3g} (m/s or rad/s). Give fewer of them"
    )


def start_position(robot: Robot, given: object) -> Floats:
    """All coordinates, those of the joints alone (shapes at zero), or some by name."""
    return checks.configuration(robot, given, "q0")


def start_rate(robot: Robot, given: object) -> Floats:
    """All rates, those of the joints alone, or some by name."""
    qd = np.zeros(robot.nv)
    if isinstance(given, Mapping):
        return checks.put_named(robot, qd, given, "qd0", robot.velocity_names)
    joints = list(robot.joint_indices)
    if checks.shape(given) == (len(joints),) and len(joints) != robot.nv:
        names = tuple(robot.velocity_names[i] for i in joints)
        qd[joints] = checks.vector(given, "qd0", len(joints), names, robot)
        return qd
    return checks.velocity(robot, given, "qd0")


def _settled(robot: Robot, q: Floats, loads: Loads, driven: Prescribed) -> Floats:
    """q with the shapes and the gears that hold still under gravity and loads, the motors held,
    and so are prescribed joints: elastic gears before them are not wound up."""
    if not robot.free_indices:
        return q
    places = {i for i, _ in driven.places}
    held = [gear for gear in robot.gears if robot.links[gear.link].q.start in places]
    stiff, out = rigid_gears(robot, held), np.array(q)
    mine = [robot.coordinate_names.index(name) for name in stiff.coordinate_names]
    out[mine] = statics(stiff, q[mine], loads.at(0.0)).q
    for gear in held:
        out[robot.links[gear.motor].q.start] = gear.ratio * q[robot.links[gear.link].q.start]
    return out
