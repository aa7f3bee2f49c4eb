"""Runs of closed chains: the loops stay closed, and singular places are seen.

Integrated as it is, a closed chain drifts apart by the solver's errors. So every step ends where
the loops are closed and where they stay so: the gaps r of positions and J qd of rates are taken
away by the smallest step in the sense of the mass matrix,

    dq = -M^-1 J^T (J M^-1 J^T)^-1 r,    qd <- qd - M^-1 J^T (J M^-1 J^T)^-1 J qd.

Two kinds of places are singular: those in which the loops hold less than elsewhere (rows of J
become dependent), and those in which the motors do (det of J over the joints without motors).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..engine import traced
from ..errors import InputError
from ..loops.assembly import size
from ..loops.closure import closure, closure_jacobian
from ..loops.dynamics import closing_step, row_shares
from ..loops.rows import kept_rows
from ..loops.sound import regular
from ..recursion import configuration_rate
from ..robot import Robot
from ..types import Array, Floats
from .experiment import Experiment
from .solver import DenseOutput

CLOSED = 1e-14  # of the robot's size: where closing further is rounding
WEAK = 1e-8  # share of a row that is its own, below which rows are chosen anew


@dataclass
class Keeper:
    """Keeps the loops of a run closed."""

    drive: Experiment
    drift: float = 0.0  # the largest gap that was taken away [m, rad]
    singular: list[float] = field(default_factory=list)  # when the motors lost their hold
    _side: float | None = None  # sign of det J over the joints without motors
    _at: float = 0.0

    def __post_init__(self) -> None:
        robot, held = self.drive.robot, self.drive.driven.held
        kept, motors = list(kept_rows(robot)), robot.motor_indices
        passive = [k for k in robot.joint_indices if k not in motors]
        self.robot, self.kept, self._size = robot, kept, size(robot)
        key = ("loops", robot, sorted(held))

        def gaps(q: Array, qd: Array) -> Array:
            at = closure(robot, q, qd, np.zeros(robot.nv))
            return np.array([at.residual, at.rate])

        def step(q: Array, gap: Array) -> Array:
            move = closing_step(robot, q, gap, held)
            return np.concatenate([move, configuration_rate(robot, q, move)])

        def shares(q: Array) -> Array:
            return row_shares(robot, q, held)

        def hold(q: Array) -> Array:
            return closure_jacobian(robot, q)[kept][:, passive]

        self._gaps = traced(gaps, (robot.nq, robot.nv), (*key, "gaps"))
        self._step = traced(step, (robot.nq, len(self.kept)), (*key, "step"))
        self._shares = traced(shares, (robot.nq,), (*key, "row shares"))
        square = len(passive) == len(kept) and not held
        self._hold = traced(hold, (robot.nq,), (*key, "hold")) if square else None

    def __call__(self, y: Floats) -> Floats:
        """The state with its loops closed."""
        n, nv = self.robot.nq, self.robot.nv
        y = np.array(y)
        q, qd = np.ascontiguousarray(y[:n]), np.ascontiguousarray(y[n : n + nv])
        for _ in range(4):
            gap, rate = self._gaps(q, qd)
            left = float(np.abs(gap).max())
            self.drift = max(self.drift, left)
            if left <= CLOSED * self._size:
                break
            q = self.robot.normalized(q + self._step(q, gap[self.kept])[nv:])
        y[:n], y[n : n + nv] = q, qd + self._step(q, rate[self.kept])[:nv]
        return y

    def gaps(self, q: Floats) -> Floats:
        """What is left open of all loops: (rows,)."""
        return np.asarray(self._gaps(np.ascontiguousarray(q), np.zeros(self.robot.nv))[0])

    def weak(self, y: Floats) -> bool:
        """Whether a kept row hardly holds anything of its own here."""
        return not bool(self._shares(np.ascontiguousarray(y[: self.robot.nq])).min() > WEAK)

    def look(self, a: float, b: float, dense: DenseOutput) -> None:
        """Note when in (a, b] the motors lost their hold: det changed its sign."""
        if self._hold is None:
            return
        before = self._sign(dense, a) if self._side is None else self._side
        self._side = self._sign(dense, b)
        if before * self._side < 0.0:
            low, high = a, b
            while high - low > 1e-12 * b:
                middle = 0.5 * (low + high)
                if self._sign(dense, middle) * before > 0.0:
                    low = middle
                else:
                    high = middle
            self.singular.append(0.5 * (low + high))

    def _sign(self, dense: DenseOutput, t: float) -> float:
        assert self._hold is not None
        q = np.ascontiguousarray(dense(t)[: self.robot.nq])
        return float(np.linalg.slogdet(self._hold(q))[0])

    def words(self) -> list[str]:
        """What is to be known of the singular places on the way."""
        if not self.singular:
            return []
        when = ", ".join(f"{t:.6g}" for t in self.singular[:4])
        more = f" and {len(self.singular) - 4} more times" if len(self.singular) > 4 else ""
        return [
            f"the motors of {self.robot.name} lose their hold at t = {when} s{more}: there its "
            f"other joints can move while {', '.join(self.robot.actuated)} stand still (a singular "
            f"place), and no torque of theirs can carry a load across it"
        ]


def singular_here(robot: Robot, q: Floats) -> str:
    """Why a run of a closed chain may have stopped at q: its loops are singular, or ''."""
    try:
        regular(robot, np.asarray(q))
    except InputError as error:
        return str(error)
    return ""
