"""Motions of closed chains: their motors move by a law, the loops move the rest.

    q(t): loops closed with the motors at their places, on the branch that begins at the start
    J qd = 0,  J qdd + gamma = 0   with the motors' rates and accelerations

The way is closed once on a grid of times. In between, cubic interpolation is near enough for
Newton's method to end on the same branch.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..engine import compile
from ..errors import InputError
from ..lazy import cached_property
from ..loops.assembly import AssemblyProblem, descend, motor_links
from ..loops.placing import closed_at
from ..recursion import configuration_rate
from ..robot import Robot
from ..types import Floats
from .law import Law
from .loop_closer import LoopCloser
from .motion import Motion

GRID = 400  # stretches of the motion


class MotorsMotion:
    """All coordinates, rates and accelerations of a closed chain whose motors follow a motion."""

    def __init__(self, robot: Robot, motion: Motion) -> None:
        self.robot, self.motion, self.motors = robot, motion, motor_links(robot)
        links = [next(x for x in robot.links if x.joint_name == n) for n in motion.names]
        self._q = [link.q.start for link in links]
        self._u = [link.u.start for link in links]
        self._loops = LoopCloser(robot, self.motors)

    def __call__(self, t: float) -> tuple[Floats, Floats, Floats]:
        """q, qd and qdd at time t."""
        at = float(np.clip(t, 0.0, self.motion.duration))
        return self._at(t, np.ascontiguousarray(self._curve(at)))

    def _at(self, t: float, near: Floats) -> tuple[Floats, Floats, Floats]:
        nv = self.robot.nv
        place, rate, acceleration = self.motion(t)
        q, qd, qdd = near.copy(), np.zeros(nv), np.zeros(nv)
        q[self._q], qd[self._u], qdd[self._u] = place, rate, acceleration
        q = self._loops.place(q)
        qd = self._loops.rate(q, qd)
        qdd = self._loops.acceleration(q, qd, qdd)
        return q, qd, qdd

    @cached_property
    def _curve(self) -> Callable[[float], Floats]:
        """Cubic through the closed places of the grid, with their rates of change."""
        from scipy.interpolate import CubicHermiteSpline

        t = np.linspace(0.0, self.motion.duration, GRID + 1)
        q, places, slopes = self.start, [], []
        for at in t:
            guess = q.copy()
            guess[self._q] = self.motion(float(at))[0]
            found = descend(AssemblyProblem(self.robot, self.motors), guess)
            if not found.closed:
                raise InputError(
                    f"the motion takes {self.robot.name} where its loops do not close: at t = "
                    f"{at:.6g} s {found.left:.3g} (of its size, or rad) is left open with the "
                    f"motors at {np.array2string(guess[self._q], precision=4)}"
                )
            q, qd, _ = self._at(float(at), found.q)
            places.append(q)
            slopes.append(np.asarray(configuration_rate(self.robot, q, qd), dtype=float))
        curve: Callable[[float], Floats] = CubicHermiteSpline(t, places, slopes)
        return curve

    @cached_property
    def start(self) -> Floats:
        """Closed, the motors where the motion begins, on the branch of the robot's home."""
        return closed_at(self.robot, dict(zip(self._q, self.motion(0.0)[0], strict=True)))


def closed_feedforward(rigid: Robot, motion: Motion, columns: Floats) -> Law:
    """Torques of the motors that would move the rigid chain along the motion; columns: what the
    torque of each joint does."""
    way, inverse = MotorsMotion(rigid, motion), compile(rigid, "inverse_dynamics")
    joints, B = rigid.joint_indices, columns

    def law(t: float, q: Floats, qd: Floats) -> Floats:
        return np.asarray(B @ inverse(*way(t))[joints])

    return Law(law, motion.breaks)
