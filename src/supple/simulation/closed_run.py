"""Runs of closed chains: the loops stay closed, and singular places are seen.

Integrated as it is, a closed chain drifts apart by the solver's errors. So every step ends where
the loops are closed and where they stay so: the gaps r of positions and J qd of rates are taken
away by the smallest step in the sense of the mass matrix,

    dq = -M^-1 J^T (J M^-1 J^T)^-1 r,    qd <- qd - M^-1 J^T (J M^-1 J^T)^-1 J qd.

Two kinds of places are singular: those in which the loops hold less than elsewhere (rows of J
become dependent), and those in which the motors do (J over the joints without motors), or in their
place the joints that are prescribed: dead centres.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ..engine import traced
from ..errors import InputError
from ..loops.assembly import rate_scale, row_scale
from ..loops.closed_checks import jammed, lost_hold, regular
from ..loops.closure import closure_jacobian
from ..loops.dynamics import row_pivots
from ..loops.rows import kept_rows
from ..recursion import configuration_rate
from ..robot import Robot
from ..types import Array, Floats
from .closed_motion import CLOSED, LoopCloser
from .simulated_robot import SimulatedRobot
from .solver import DenseOutput

NEAR = 0.02  # distance from a singular place at which it is crossed in one step


@dataclass
class LoopKeeper:
    """Keeps the loops of a run closed."""

    drive: SimulatedRobot
    drift: float = 0.0  # the largest gap that was taken away [m, rad]
    singular: list[float] = field(default_factory=list)  # when the motors lost their hold
    crossed: list[float] = field(default_factory=list)  # when the loops did
    nearest: float = np.inf  # distance from a singular place, where the run was nearest to one
    place: Floats | None = None  # and its configuration there
    _loose: list[str] = field(default_factory=list)  # joints that could move then
    _lost: str = ""  # and what the loops no longer held

    def __post_init__(self) -> None:
        robot, driven = self.drive.robot, self.drive.driven
        kept, held = list(kept_rows(robot)), driven.held
        self._leading = driven.rates or list(robot.motor_indices)
        passive = [k for k in robot.joint_indices if k not in self._leading]
        self.robot, self.kept, self._loops = robot, kept, LoopCloser(robot, held)
        self.best = np.full(len(kept), 1e-300)
        key = ("loops", robot, sorted(held))

        def pivots(q: Array) -> Array:
            return row_pivots(robot, q, held)

        def hold(q: Array) -> Array:
            return closure_jacobian(robot, q)[kept]

        def watched(y: Array) -> Array:
            q = y[: robot.nq]
            A = (scale * closure_jacobian(robot, q)[kept])[:, passive] if square else np.zeros(0)
            return np.concatenate([np.ravel(A), row_pivots(robot, q, held)])

        self._pivots = traced(pivots, (robot.nq,), (*key, "row pivots"))
        square = len(passive) == len(kept)
        self._hold = traced(hold, (robot.nq,), (*key, "hold")) if square else None
        scale = row_scale(robot)[kept][:, None] * rate_scale(robot)
        self._scale, self._passive, self.square = scale, passive, square
        words = (*key, "watched", passive, square)
        self.watched = traced(watched, (self.drive.size,), words)
        self.closing = self._loops.kernel(self.drive.size - robot.nq - robot.nv)
        self.rows, self.shut = self._loops.rows, CLOSED * self._loops.size

    def __call__(self, y: Floats) -> Floats:
        """The state of a step with its loops closed; how far they were open is noted."""
        gap, _ = self._loops.gaps(*self._parts(y))
        self.drift = max(self.drift, float(np.abs(gap).max()))
        return self.closed(y)

    def nearly(self, y: Floats, small: float) -> bool:
        """Whether the loops are open by no more than a run may leave open for some steps."""
        gap, rate = (np.abs(x).max() for x in self._loops.gaps(*self._parts(y)))
        return bool(gap < 1e-9 * self._loops.size + small and rate < 1e-6 + small)

    def _parts(self, y: Floats) -> tuple[Floats, Floats]:
        n = self.robot.nq
        return np.ascontiguousarray(y[:n]), np.ascontiguousarray(y[n : n + self.robot.nv])

    def closed(self, y: Floats) -> Floats:
        """The state with its loops closed."""
        q, qd = self._parts(y)
        q = self._loops.place(q)
        return np.concatenate([q, self._loops.rate(q, qd), y[len(q) + len(qd) :]])

    def across(self, y: Floats) -> float | None:
        """How long a step is that crosses the singular place right ahead; None if there is none.

        There two ways to close the loops meet (a flat parallelogram), and the chain goes on along
        the one it is on. The equations only lose digits: 1/e of them where the weakest row holds
        e^2 of what it does elsewhere. So the place is put into the middle of a step, between the
        instants at which the step asks.
        """
        q, qd = self._parts(y)
        fast = float(np.abs(qd).max(initial=0.0))
        here = self._distance(q)
        if here < self.nearest:
            self.nearest, self.place = here, q.copy()
        if here > NEAR or fast == 0.0:
            return None
        brief = 0.1 * max(here, 1e-3 * NEAR) / fast
        slope = (self._distance(q + brief * configuration_rate(self.robot, q, qd)) - here) / brief
        if slope < 0.0:
            long = -2.0 * here / slope
        elif here < 0.1 * NEAR and slope > 0.0:
            long = NEAR / slope
        else:
            return None
        return min(long, 2.0 * NEAR / fast)

    def _distance(self, q: Floats) -> float:
        """From a singular place: 0 there; 1 where the rows hold as well as they did so far."""
        now = self._pivots(np.ascontiguousarray(q))
        np.maximum(self.best, now, out=self.best)
        return float(np.sqrt(max(float((now / self.best).min()), 0.0)))

    def jam(self, y: Floats | None = None) -> str:
        """Why prescribed joints cannot go on at y, by default where the run was nearest to a
        singular place; '' if they can."""
        q = self.place if y is None else self._parts(y)[0]
        return "" if q is None else jammed(self.robot, q, self.drive.driven.held)

    def far(self, y: Floats) -> bool:
        """Whether no singular place is near."""
        return self._distance(self._parts(y)[0]) > 2.0 * NEAR

    def elimination(self, y: Floats) -> tuple[Floats, Floats]:
        """In which order rows are eliminated at y, and the signs of the pivots."""
        if self._hold is None:
            return np.arange(float(len(self.kept))), np.ones(len(self.kept))
        order = _row_order(self._jacobian(lambda t: y, 0.0)[:, self._passive])
        return np.array(order, dtype=float), self._signs(lambda t: y, 0.0, order)[:-1].copy()

    def look(self, a: float, b: float, dense: DenseOutput) -> None:
        """Note when in (a, b] the motors lost their hold: a pivot of the closure's Jacobian over
        the other joints changed its sign, and the Jacobian is singular there."""
        if self._hold is None:
            return
        order = _row_order(self._jacobian(dense, a)[:, self._passive])
        before, after = self._signs(dense, a, order), self._signs(dense, b, order)
        for k in np.flatnonzero(before * after < 0.0):
            low, high = a, b
            while high - low > 1e-12 * b:
                middle = 0.5 * (low + high)
                if self._signs(dense, middle, order)[k] * before[k] > 0.0:
                    low = middle
                else:
                    high = middle
            self._note(0.5 * (low + high), dense)

    def _note(self, t: float, dense: DenseOutput) -> None:
        """Whether it is the motors or the loops themselves, if anything, that lost their hold."""
        J = self._jacobian(dense, t)
        if not _singular(J[:, self._passive]):
            return  # two pivots changed places
        loops = _singular(J)
        times = self.crossed if loops else self.singular
        if any(abs(t - other) < 1e-5 * t for other in times):
            return
        times.append(t)
        if loops and not self._lost:
            self._lost = lost_hold(self.robot, np.linalg.svd(J)[0][:, -1], self.kept)
        if not loops and not self._loose:
            way = np.abs(np.linalg.svd(J[:, self._passive])[2][-1])
            names = [self.robot.velocity_names[k] for k in self._passive]
            self._loose = [n for n, x in zip(names, way, strict=True) if x > 0.1 * way.max()]

    def _jacobian(self, dense: DenseOutput, t: float) -> Floats:
        """Of the kept rows, without units."""
        assert self._hold is not None
        q = np.ascontiguousarray(dense(t)[: self.robot.nq])
        return np.asarray(self._scale * self._hold(q))

    def _signs(self, dense: DenseOutput, t: float, order: list[int]) -> Floats:
        """Signs of the pivots of elimination with rows in this order, which see each row's own
        zero, and of the determinant, which sees one beside a change of rows."""
        J = self._jacobian(dense, t)[:, self._passive]
        A, out = J[order], []
        for k in range(len(A)):
            pivot = A[k, k] if abs(A[k, k]) > 1e-100 else 1e-100
            out.append(np.sign(pivot))
            share = np.clip(A[k + 1 :, k] / pivot, -1e50, 1e50)
            A[k + 1 :] = np.clip(A[k + 1 :] - np.outer(share, A[k]), -1e50, 1e50)
        return np.array([*out, np.linalg.slogdet(J)[0]])

    def words(self) -> list[str]:
        """What is to be known of the singular places on the way."""
        out = []
        if self.crossed:
            out.append(
                f"the loops of {self.robot.name} are singular at t = {_times(self.crossed)}: "
                f"{self._lost}. Two ways to close them meet there; the run went on along its own"
            )
        if self.singular:
            names = [self.robot.velocity_names[k] for k in self._leading]
            which = "prescribed joints" if self.drive.driven.held else "motors"
            out.append(
                f"the {which} of {self.robot.name} lose their hold at t = {_times(self.singular)}: "
                f"there {_some(self._loose)} can move while {_some(names)} stand "
                f"still (a singular place), and no torque of theirs can carry a load across it"
            )
        return out


def _some(names: Sequence[str]) -> str:
    """Names, the first few of many."""
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")


def _row_order(A: Floats) -> list[int]:
    """In which elimination takes the rows, each with its largest pivot."""
    from scipy.linalg import lu

    P, _, _ = lu(A)
    return [int(k) for k in np.argmax(P, axis=0)]


def _singular(J: Floats) -> bool:
    values = np.linalg.svd(J, compute_uv=False)
    return bool(values[-1] < 1e-6 * values[0])


def _times(times: list[float]) -> str:
    more = f" and {len(times) - 4} more times" if len(times) > 4 else ""
    return ", ".join(f"{t:.6g}" for t in times[:4]) + f" s{more}"


def singular_here(robot: Robot, q: Floats) -> str:
    """Why a run of a closed chain may have stopped at q: its loops are singular, or ''."""
    try:
        regular(robot, np.asarray(q))
    except InputError as error:
        return str(error)
    return ""
