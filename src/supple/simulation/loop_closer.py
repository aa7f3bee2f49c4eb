"""Newton's method on the loops of a robot, in native code: places, rates and accelerations are
brought to where the loops are closed and stay so.

Each step is the smallest in the sense of the mass matrix that takes a gap of the closure away
(`loops.dynamics.closing_step`); joints that are held keep theirs.
"""

from __future__ import annotations

import numpy as np

from ..engine import Kernel, traced
from ..loops.assembly import size
from ..loops.closure import closure
from ..loops.dynamics import closing_step
from ..loops.rows import kept_rows
from ..recursion import configuration_rate
from ..recursion.forward import HeldLinks
from ..robot import Robot
from ..types import Array, Floats

CLOSED = 1e-14  # of the robot's size: where closing further is rounding
NEWTON = 4  # steps at most


def normalized(robot: Robot, q: Array) -> Array:
    """The configuration with unit quaternions, of any scalar."""
    out = q.copy()
    for link in robot.links:
        out[link.q] = link.joint.normalized(q[link.q])
    return out


class LoopCloser:
    """Closes the loops of one robot, the joints of the links `held` held."""

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
