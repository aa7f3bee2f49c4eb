"""Feed-forward torques of a robot that bends: its shapes follow the motion without vibrating.

At every instant the shapes d are those at which the forces on them balance while the joints move
as they should and the shapes stand still (quasi-static),

    0 = f_d(q, d, qd, 0, qdd, 0),     tau = f_q(q, d, qd, 0, qdd, 0),

by steps d <- d - K^-1 f_d from the unbent robot. What is left out, rates and accelerations of the
shapes, is small for motions that are slow against the first mode.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .. import recursion
from ..engine import traced
from ..errors import InputError
from ..robot import Robot
from ..types import Array, Floats
from .law import Law, TraceableLaw
from .motion import Motion

STEPS = 5  # each takes the share of K that bending and turning add
LEFT = 1e-2  # of the first step, in the last: more is no balance


class BentRobot:
    """Torques and shapes of a robot that bends as its motion makes it."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self._joints, self._modes = robot.joint_indices, list(robot.mode_indices)
        self._q = [i for link in robot.links for i in range(link.q.start, link.q.stop)]
        self._d = [i for link in robot.links for i in range(link.d.start, link.d.stop)]
        K = np.asarray(recursion.shape_stiffness(robot), dtype=float)
        self._soft = np.linalg.inv(K)

    def torque(self, moved: Array) -> Array:
        """Of the joints."""
        return self._forces(moved, self.shapes(moved)[-1])[self._joints]

    def shapes(self, moved: Array) -> list[Array]:
        """d after each step; moved: places, rates and accelerations of the joints, (3, joints)."""
        B = self.robot.input_matrix[self._modes]
        d = [np.zeros(len(self._modes), dtype=moved.dtype)]
        for _ in range(STEPS):
            f = self._forces(moved, d[-1])
            d.append(d[-1] - self._soft @ (f[self._modes] - B @ f[self._joints]))
        return d

    def _forces(self, moved: Array, d: Array) -> Array:
        robot = self.robot
        q = np.zeros(robot.nq, dtype=np.result_type(moved, d))
        qd, qdd = np.zeros((2, robot.nv), dtype=moved.dtype)
        q[self._q], q[self._d] = moved[0], d
        qd[self._joints], qdd[self._joints] = moved[1:]
        return recursion.inverse_dynamics(robot, q, qd, qdd)


def bent_feedforward(robot: Robot, motion: Motion) -> Law:
    """Torques of the bending robot along the motion, its shapes quasi-static."""
    _settles(BentRobot(robot), motion)

    def torque(moved: Array) -> Array:
        return robot.input_matrix @ BentRobot(robot).torque(moved.reshape(3, -1))

    size, way = 3 * len(motion.names), motion.written
    kernel = traced(torque, (size,), ("bent feedforward", robot))

    def law(t: float, q: Floats, qd: Floats) -> Floats:
        return kernel(np.concatenate(motion(t)))

    of: Callable[..., Array] = lambda t, q, qd, m: torque(way.of(t, q, qd, m))  # type: ignore[union-attr]  # noqa: E731
    written = None if way is None else TraceableLaw(of, way.count, way.numbers)
    return Law(law, motion.breaks, written=written, called="feed-forward of the flexible model")


def _settles(bent: BentRobot, motion: Motion) -> None:
    """The steps to the balance of the shapes must become short."""
    for t in np.linspace(0.0, motion.duration, 21):
        d = bent.shapes(np.array(motion(float(t))))
        first, last = np.abs(d[1] - d[0]).max(), np.abs(d[-1] - d[-2]).max()
        if not last <= LEFT * first + 1e-12:
            raise InputError(
                f"no quasi-static shapes of {bent.robot.name} are found at t = {t:.4g} s of the "
                f"motion: turning or weight change their stiffness too much. Move slower, or use "
                f"model='rigid'"
            )
