"""Where a robot is linearised: configuration, rates, forces and loads, in balance or not; and the
directions in which it may move there: small motions of its independent coordinates.

A deviation dz of independent coordinates, the places `chosen` of the velocity, moves all
coordinates by K dz, K = [1; -J_d^-1 J_i] (`loops.reduced`; without loops K picks), and

    qd = K(q) zd   =>   d qd = K dzd + W dz,      W = d(K zd)/dq K,

W = 0 at rest. Coordinates that are no vector (quaternions) deviate by dq = E(q) K dz with
dq/dt = E(q) qd, so that

    d(dz)/dt = dzd + L K dz,    E L e = d(E v)/dq E e - d(E e)/dq E v       at the rate v.
"""

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
from ...loops.closure import closure_jacobian
from ...loops.mobility import scaled_jacobian
from ...loops.rows import kept_rows
from ...recursion import configuration_rate
from ...robot import Robot
from ...screws.dual import slopes
from ...types import Array, Floats
from ..frequencies import steady_rates, turning_shape
from ..places import Loads, checked_loads, joint_places
from ..result import Statics
from ..statics import statics

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


WELL = 1e-3  # a pivot over the largest: coordinates that the loops give well


@dataclass(frozen=True)
class Directions:
    """Independent coordinates (places in the velocity), and how all others follow them."""

    chosen: list[int]
    K: Floats  # (nv, n)
    W: Floats  # (nv, n)
    Q: Floats  # (nq, n): change of the configuration
    turn: Floats  # (n, n): d(dz)/dt = dzd + turn dz


def directions(robot: Robot, q: Floats, qd: Floats, held: list[int]) -> Directions:
    """Those that are left when the coordinates at the places `held` keep their motion."""
    free = [k for k in range(robot.nv) if k not in held]
    if robot.loops:
        chosen, K, W = _closed(robot, q, qd, free)
    else:
        chosen, K = free, np.eye(robot.nv)[:, free]
        W = np.zeros_like(K)
    Q = np.array([configuration_rate(robot, q, way) for way in K.T]).reshape(len(chosen), robot.nq)
    turn = (W + _bracket(robot, q, qd) @ K)[chosen] if np.any(qd) else np.zeros((len(chosen),) * 2)
    return Directions(chosen, K, W, Q.T, turn)


def _closed(
    robot: Robot, q: Floats, qd: Floats, free: list[int]
) -> tuple[list[int], Floats, Floats]:
    rows = list(kept_rows(robot))
    others = _dependent(robot, q, free, len(rows))
    chosen = [k for k in free if k not in others]
    J = np.asarray(closure_jacobian(robot, q), dtype=float)[rows]
    K, W = np.zeros((robot.nv, len(chosen))), np.zeros((robot.nv, len(chosen)))
    K[chosen] = np.eye(len(chosen))
    K[others] = -np.linalg.solve(J[:, others], J[:, chosen])
    if np.any(qd):
        ways = [configuration_rate(robot, q, way) for way in K.T]
        opening = slopes(lambda x: closure_jacobian(robot, x)[rows] @ qd, q, ways)
        W[others] = -np.linalg.solve(J[:, others], opening)
    return chosen, K, W


def _dependent(robot: Robot, q: Floats, free: list[int], rows: int) -> list[int]:
    """Coordinates that the loops give: joints without motors where they can, else any joints,
    else shapes too; of each the best by a QR factorisation with pivoting."""
    from scipy.linalg import qr  # slow to import

    J = scaled_jacobian(robot, q)[list(kept_rows(robot))]
    motors, joints = set(robot.motor_indices), set(robot.joint_indices)
    passive = [k for k in free if k in joints - motors]
    for places in (passive, [k for k in free if k in joints], free):
        if len(places) < rows:
            continue
        _, R, order = qr(J[:, places], mode="economic", pivoting=True)
        sizes = np.abs(np.diag(R))
        if sizes[rows - 1] > WELL * sizes[0] or (places is free and sizes[rows - 1] > 0.0):
            return sorted(places[k] for k in order[:rows])
    raise InputError(
        f"the loops of {robot.name} hold {rows} directions, more than the joints that are not "
        f"held can follow: hold fewer joints"
    )


def _bracket(robot: Robot, q: Floats, v: Floats) -> Floats:
    """L (nv, nv); zero but for joints with quaternions."""
    unit = np.eye(robot.nv)
    E = np.array([configuration_rate(robot, q, e) for e in unit]).T.astype(float)
    along = slopes(lambda x: configuration_rate(robot, x, v), q, list(E.T))

    def all_ways(x: Array) -> Array:
        return np.concatenate([configuration_rate(robot, x, e) for e in unit])

    back = slopes(all_ways, q, [E @ v]).reshape(robot.nv, robot.nq).T
    return np.asarray(np.linalg.lstsq(E, along - back, rcond=None)[0])


__all__ = [
    *("Directions", "OperatingPoint", "directions", "floating", "operating_point", "unbalanced"),
]
