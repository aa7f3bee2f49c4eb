"""Where a robot is linearised: configuration, rates, forces and loads, in balance or not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ... import checks, recursion
from ...checks import real_numbers
from ...errors import InputError, brief
from ...loops.actuation import closing_accelerations, inverse_dynamics
from ...loops.closed_checks import closed_robot
from ...robot import Robot
from ...types import Floats
from ..loads import Loads, checked_loads
from ..places import joint_places
from ..result import Statics
from ..statics import statics
from ..turning import steady_rates, turning_shape
from .directions import directions

Places = ArrayLike | Mapping[str, float]


@dataclass(frozen=True, eq=False)
class OperatingPoint:
    """A state of a robot, the forces that act in it (nv,), and the loads at its stations."""

    robot: Robot
    q: Floats
    qd: Floats
    tau: Floats
    loads: dict[str, Floats]


def operating_point(
    robot: Robot,
    q: Places | None,
    qd: Places | None,
    tau: ArrayLike | None,
    external: Loads,
    at: Statics | None,
) -> OperatingPoint:
    """Where the joints are held, shapes and torques as gravity, loads and steady rates make
    them; a whole configuration as it is given."""
    if at is not None:
        found = _of_statics(robot, q, qd, external, at)
    elif q is not None and _whole(robot, q, qd is not None):
        found = _as_given(robot, q, qd, external)
    elif qd is None:
        found = _at_rest(statics(robot, q, external))
    else:
        found = _turning(robot, q, qd, external)
    forces = found.tau if tau is None else checks.force(robot, tau)
    return OperatingPoint(
        closed_robot(robot, found.q, found.qd), found.q, found.qd, forces, found.loads
    )


def _whole(robot: Robot, q: Places, moving: bool) -> bool:
    """Whether q has all coordinates, not those of the joints alone."""
    more = bool(robot.modes) or (bool(robot.loops) and moving)
    return not isinstance(q, Mapping) and more and checks.shape(q) == (robot.nq,)


def _of_statics(
    robot: Robot, q: Places | None, qd: Places | None, external: Loads, found: Statics
) -> OperatingPoint:
    if not isinstance(found, Statics):
        raise InputError(f"at is {brief(found)}; it must be a result of supple.statics or reach")
    if q is not None or qd is not None or external is not None:
        raise InputError("at has its own q and loads; leave out q, qd and external, or at")
    if found.robot.velocity_names != robot.velocity_names:
        raise InputError(
            f"at is of {found.robot.name}, whose coordinates {robot.name} does not have"
        )
    return _at_rest(found)


def _at_rest(found: Statics) -> OperatingPoint:
    robot = found.robot
    tau = _without_base(robot, found.tau)
    return OperatingPoint(robot, found.q, np.zeros(robot.nv), tau, found.wrench)


def _as_given(robot: Robot, q: Places, qd: Places | None, external: Loads) -> OperatingPoint:
    """A whole configuration; torques hold the joints' accelerations at zero."""
    at = robot.normalized(checks.movable(robot, q))
    loads, rates = checked_loads(robot, external, "external"), _rates(robot, qd)
    ready = closed_robot(robot, at, rates)
    still = np.zeros(robot.nv)
    if robot.loops:
        chosen = directions(ready, at, rates, []).chosen
        still = closing_accelerations(ready, at, rates, np.zeros(len(chosen)), chosen)
    with np.errstate(all="ignore"):
        need = np.zeros(robot.nv)
        if robot.motor_indices:
            need = np.asarray(inverse_dynamics(ready, at, rates, still, loads), dtype=float)
    joints = robot.joint_indices
    tau = _without_base(robot, robot.input_matrix @ checks.finite(robot, need, "torques")[joints])
    return OperatingPoint(robot, at, rates, tau, loads)


def _turning(robot: Robot, q: Places | None, qd: Places | None, external: Loads) -> OperatingPoint:
    """Joints that turn steadily, and the shape that this motion gives the links."""
    if robot.loops:
        raise InputError(
            f"{robot.name} has loops: where it moves, give all coordinates q and rates qd "
            f"(supple.complete_motion gives rates that agree with the loops)"
        )
    rates, loads = _rates(robot, qd), checked_loads(robot, external, "external")
    shapes = list(robot.mode_indices)
    if np.any(rates[shapes]):
        raise InputError("rates of shapes are of an instant: give all coordinates q with them")
    found = turning_shape(robot, joint_places(robot, q, "q"), rates, loads)
    return OperatingPoint(robot, found.q, rates, _without_base(robot, found.tau), loads)


def _rates(robot: Robot, qd: Places | None) -> Floats:
    """All rates: by name, of the joints, or all of them."""
    if qd is None:
        return np.zeros(robot.nv)
    if isinstance(qd, Mapping):
        return steady_rates(robot, qd)
    numbers, joints = real_numbers(qd), list(robot.joint_indices)
    if numbers.shape == (len(joints),) and len(joints) != robot.nv:
        out = np.zeros(robot.nv)
        out[joints] = checks.vector(qd, "qd", len(joints), robot.velocity_names, robot)
        return out
    return checks.velocity(robot, qd)


def _without_base(robot: Robot, tau: Floats) -> Floats:
    """Nothing drives a floating base."""
    out = np.array(tau, dtype=float)
    for k in floating(robot):
        out[k] = 0.0
    return out


def floating(robot: Robot) -> list[int]:
    """Places in the velocity of floating joints, which have no motors."""
    return [k for x in robot.links if x.joint.kind == "floating" for k in range(robot.nv)[x.u]]


def unbalanced(point: OperatingPoint, qdd: Floats) -> float:
    """How far a point is from balance: the force M qdd over all forces that act there, both as
    accelerations in the norm of the mass matrix."""
    robot, q, qd = point.robot, point.q, point.qd
    M = np.asarray(recursion.mass_matrix(robot, q), dtype=float)
    parts = [
        recursion.gravity_force(robot, q),
        recursion.passive_force(robot, q, qd),
        recursion.coriolis_force(robot, q, qd),
        point.tau,
        recursion.bias_force(robot, q, qd, point.loads) - recursion.bias_force(robot, q, qd),
    ]
    forces = np.array([np.asarray(x, dtype=float) for x in parts])
    sizes = np.einsum("ki,ki->k", forces, np.linalg.lstsq(M, forces.T, rcond=None)[0].T)
    scale = float(np.sqrt(np.abs(sizes)).sum())
    left = float(np.sqrt(abs(qdd @ M @ qdd)))
    return left / scale if scale > 0.0 else 0.0


__all__ = ["OperatingPoint", "floating", "operating_point", "unbalanced"]
