"""The directions in which a robot may move: small motions of its independent coordinates.

A deviation dz of independent coordinates, the places `chosen` of the velocity, moves all
coordinates by K dz, K = [1; -J_d^-1 J_i] (`loops.reduced`; without loops K picks), and

    qd = K(q) zd   =>   d qd = K dzd + W dz,      W = d(K zd)/dq K,

W = 0 at rest. Coordinates that are no vector (quaternions) deviate by dq = E(q) K dz with
dq/dt = E(q) qd, so that

    d(dz)/dt = dzd + L K dz,    E L e = d(E v)/dq E e - d(E e)/dq E v       at the rate v.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...errors import InputError
from ...loops.closure import closure_jacobian
from ...loops.mobility import scaled_jacobian
from ...loops.rows import kept_rows
from ...recursion import configuration_rate
from ...robot import Robot
from ...screws.dual import slopes
from ...types import Array, Floats

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
        W[others] = -np.linalg.solve(J[:, others], slopes(_opening(robot, qd, rows), q, ways))
    return chosen, K, W


def _opening(robot: Robot, qd: Floats, rows: list[int]):  # type: ignore[no-untyped-def]
    return lambda x: closure_jacobian(robot, x)[rows] @ qd


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


__all__ = ["Directions", "directions"]
