"""Where a run starts: what the user says, what a motion or a law says, or a robot at rest."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from .. import checks
from ..analyse.statics import statics
from ..errors import InputError, brief, unknown_name
from ..robot import Robot
from ..types import Floats
from .loads import Loads
from .motion import Motion
from .prescribed import Prescribed


def start(
    robot: Robot, q0: object, qd0: object, wanted: Motion | None, driven: Prescribed
) -> tuple[Floats, Floats]:
    """q and qd at t = 0. A motion says where its joints start and how fast, unless the user
    does; prescribed joints start as their laws say."""
    q = robot.home() if q0 is None else start_position(robot, q0)
    qd = np.zeros(robot.nv) if qd0 is None else start_rate(robot, qd0)
    if wanted is not None:
        place, rate, _ = wanted(0.0)
        joints = {link.joint_name: link for link in robot.links if link.joint.nv == 1}
        for name, x, v in zip(wanted.names, place, rate, strict=True):
            if q0 is None:
                q[joints[name].q] = x
            if qd0 is None:
                qd[joints[name].u] = v
    driven.put(0.0, q, qd, np.zeros(robot.nv))
    return q, qd


def start_position(robot: Robot, given: object) -> Floats:
    """All coordinates, those of the joints alone (shapes at zero), or some by name."""
    q = robot.home()
    if isinstance(given, Mapping):
        _by_name(q, given, "q0", robot.coordinate_names, robot)
        return checks.configuration(robot, q)
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
    """q with the shapes that hold still under gravity and loads, the joints held."""
    return statics(robot, q, loads.at(0.0)).q if robot.modes else q
