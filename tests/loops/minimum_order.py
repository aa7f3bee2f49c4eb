"""The equations of a parallel robot in its motors' coordinates alone, by the natural orthogonal
complement of the paper: a second way to the reduced equations, which come from the closure.

Reference: [Saha], eq. (33).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple import recursion
from supple.loops.parallel import Parallel, parallel, regular_parallel
from supple.recursion.inverse import Wrenches
from supple.recursion.kinematics import configuration_rate
from supple.robot import Robot
from supple.screws.dual import dual_part, seed
from supple.types import Floats


@dataclass(frozen=True)
class MinimumOrder:
    """I u_a_dot + h = tau in the motors' coordinates; h has gravity and all other forces in it."""

    I: Floats  # noqa: E741
    h: Floats
    matrices: Parallel


def minimum_order(
    robot: Robot, q: Floats, qd: Floats, external: Wrenches | None = None
) -> MinimumOrder:
    """The equations of motion of a parallel robot in its motors' coordinates alone."""
    at = regular_parallel(robot, q)
    N, K = np.asarray(at.N, dtype=float), np.asarray(at.K, dtype=float)
    moving = parallel(robot, seed(q, configuration_rate(robot, q, qd)))
    N_dot, K_dot = (np.asarray(dual_part(x), dtype=float) for x in (moving.N, moving.K))
    tree = recursion.denoc(robot, q, qd)
    rows = [k for i in at.bodies for k in range(6 * i, 6 * i + 6)]
    M, WME = tree.M[np.ix_(rows, rows)], tree.gyroscopic[np.ix_(rows, rows)]
    motors = list(at.motors)
    h = N.T @ ((M @ N_dot + WME @ N) @ qd[motors])
    others = recursion.gravity_force(robot, q) + recursion.passive_force(robot, q, qd)
    if external:
        still = np.zeros(robot.nv)
        loads = recursion.inverse_dynamics(robot, q, still, still, external)
        others = others + loads - recursion.inverse_dynamics(robot, q, still, still)
    rotors = np.zeros(robot.nv)
    for link in robot.links:
        rotors[link.u] = link.drive.rotor_inertia
    h = h + K.T @ (others + rotors * (K_dot @ qd[motors]))
    return MinimumOrder(N.T @ M @ N + K.T @ (rotors[:, None] * K), h, at)
