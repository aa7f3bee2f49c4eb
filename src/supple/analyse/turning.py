"""Joints that turn steadily: rates by name, and whether a motion is steady at all."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from .. import recursion
from ..errors import InputError, brief, unknown_name
from ..robot import Robot
from ..screws.dual import slopes
from ..types import Array, Floats
from .loads import real_numbers


def steady_rates(robot: Robot, rates: Mapping[str, float]) -> Floats:
    """Rates (nv,) from those of some joints by name."""
    names = [robot.velocity_names[i] for i in robot.joint_indices]
    qd = np.zeros(robot.nv)
    if not isinstance(rates, Mapping):
        example = {(names or ["hub"])[0]: 6.0}
        raise InputError(f"rates is {brief(rates)}; give rates by joint, e.g. {example}")
    for name, value in rates.items():
        if name not in names:
            raise unknown_name("joint", str(name), names, where=f"robot {robot.name}")
        number = real_numbers(value)
        if number is None or number.shape != () or not np.isfinite(number):
            raise InputError(f"rate of {name} is {brief(value)}; it must be a finite number")
        qd[robot.velocity_names.index(name)] = float(number)
    for gear in robot.gears:  # a gear that turns steadily is not wound up further
        motor, joint = robot.links[gear.motor].u.start, robot.links[gear.link].u.start
        if robot.velocity_names[motor] in rates:
            qd[joint] = qd[motor] / gear.ratio
        qd[motor] = gear.ratio * qd[joint]
    if np.abs(qd).max(initial=0.0) > 1e50:
        raise InputError(f"rates are {dict(rates)}; they are too large to be squared")
    return qd


def steady(robot: Robot, q: Floats, qd: Floats, free: list[int], loads: dict[str, Floats]) -> bool:
    """Whether the equations stay the same along the motion: no force on what is `free` changes
    (of open chains)."""
    if robot.loops:
        return False

    def force(x: Array) -> Array:
        return recursion.bias_force(robot, x, qd, loads)

    change = slopes(force, q, [recursion.configuration_rate(robot, q, qd)])[:, 0]
    fast, M = float(np.abs(qd).max()), np.asarray(recursion.mass_matrix(robot, q), dtype=float)
    largest = fast * (float(np.abs(force(q)).max(initial=0.0)) + fast**2 * float(np.abs(M).max()))
    return bool(np.abs(change[free]).max(initial=0.0) <= 1e-9 * largest)


def unsteady_words(robot: Robot, what: str) -> str:
    """That a robot does not turn steadily; what: what holds then for an instant."""
    return (
        f"{robot.name} moves at the operating point, and its equations change on the way: {what} "
        f"for that instant alone. Poles then do not tell stability"
    )


__all__ = ["steady", "steady_rates", "unsteady_words"]
