"""Motions of closed chains: their motors move by a law, the loops move the rest.

    q(t): loops closed with the motors at their places, on the branch that begins at the start
    J qd = 0,  J qdd + gamma = 0   with the motors' rates and accelerations

The way is closed once on a grid of times. In between, cubic interpolation is near enough for
Newton's method to end on the same branch. Each of its steps, in native code, is the smallest in the
sense of the mass matrix that takes a gap of the closure away (`loops.dynamics.closing_step`);
joints that are held keep theirs.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..engine import Kernel, compile, traced
from ..errors import InputError
from ..lazy import cached_property
from ..loops.assembly import AssemblyProblem, descend, motor_links, size
from ..loops.closure import closure
from ..loops.dynamics import closing_step
from ..loops.placing import closed_at
from ..loops.rows import kept_rows
from ..recursion import configuration_rate
from ..recursion.forward import HeldLinks
from ..robot import Robot
from ..types import Array, Floats
from .law import Law
from .motion import Motion

CLOSED = 1e-14  # of the robot's size: where closing further is rounding
NEWTON = 4  # steps at most
GRID = 400  # stretches of the motion


def normalized(robot: Robot, q: Array) -> Array:
    """The configuration with unit quaternions, of any scalar."""
    out = q.copy()
    for link in robot.links:
        out[link.q] = link.joint.normalized(q[link.q])
    return out


class LoopCloser:
    """Brings places, rates and accelerations of one robot to where its loops are closed and stay
    so, the joints of the links `held` held."""

    def __init__(self, robot: Robot, held: HeldLinks) -> None:
        self.robot, self.kept, self.size = robot, list(kept_rows(robot)), size(robot)
        self.held = held
        key = ("closing", robot, sorted(held))

        def gaps(q: Array, qd: Array, qdd: Array) -> Array:
            at = closure(robot, q, qd, qdd)
            return np.array([at.residual, at.rate, at.acceleration])

        def step(q: Array, gap: Array) -> Array:
            move = closing_step(robot, q, gap, held)
            return np.concatenate([move, configuration_rate(robot, q, move)])

        self._gaps = traced(gaps, (robot.nq, robot.nv, robot.nv), (*key, "gaps"))
        self._step = traced(step, (robot.nq, len(self.kept)), (*key, "step"))
        self._still = np.zeros(robot.nv)

    @property
    def rows(self) -> int:
        """Of all loops, those that follow from others too."""
        return len(self._gaps(self.robot.home(), self._still, self._still)[0])

    def kernel(self, rest: int) -> Kernel:
        """(q, qd, and `rest` numbers more) -> the same after a step of Newton's method on places
        and rates, and what was open of all loops."""
        robot, held, kept = self.robot, self.held, self.kept
        nq, nv = robot.nq, robot.nv

        def closed(y: Array) -> Array:
            q, qd, still = y[:nq], y[nq : nq + nv], np.zeros(nv)
            gap = closure(robot, q, still, still).residual
            move = closing_step(robot, q, gap[kept], held)
            q = normalized(robot, q + configuration_rate(robot, q, move))
            rate = closure(robot, q, qd, still).rate[kept]
            return np.concatenate([q, qd + closing_step(robot, q, rate, held), y[nq + nv :], gap])

        return traced(closed, (nq + nv + rest,), ("closing", robot, sorted(held), "all", rest))

    def gaps(self, q: Floats, qd: Floats) -> tuple[Floats, Floats]:
        """What is open of all loops, and how fast it opens: (rows,) each."""
        gap, rate, _ = self._gaps(q, qd, self._still)
        return gap, rate

    def place(self, q: Floats) -> Floats:
        """A closed place near q."""
        for _ in range(NEWTON):
            gap = self._gaps(q, self._still, self._still)[0]
            if np.abs(gap).max() <= CLOSED * self.size:
                break
            q = self.robot.normalized(q + self._step(q, gap[self.kept])[self.robot.nv :])
        return q

    def rate(self, q: Floats, qd: Floats) -> Floats:
        """qd, such that the loops stay closed."""
        gap = self._gaps(q, qd, self._still)[1]
        return np.asarray(qd + self._step(q, gap[self.kept])[: self.robot.nv])

    def acceleration(self, q: Floats, qd: Floats, qdd: Floats) -> Floats:
        """qdd, such that the loops go on to stay closed."""
        gap = self._gaps(q, qd, qdd)[2]
        return np.asarray(qdd + self._step(q, gap[self.kept])[: self.robot.nv])


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
