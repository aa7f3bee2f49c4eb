"""Which method suits the equations as they are here and now.

The eigenvalues of the closed loop, feedback and friction included, say how fast things move: an
explicit method must follow the fastest of them with steps of some 3/|lambda|, an implicit one
may step over those that die out. It must not step over vibration, which it would damp.

Which of two native methods gets on faster in a long run is found out by trying: both go the same
few steps. What a step costs is counted in operations, not timed, so that a run chooses the same
every time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..types import Floats
from .integrators import METHODS
from .integrators.explicit import tableau as explicit_tableau
from .integrators.rk4 import tableau as rk4_tableau
from .native_inputs import NativeInputs
from .runner import Runner, SampleTimes, slope_of
from .simulated_robot import Rate, SimulatedRobot, StateRate
from .solver import Tolerances

EXPLICIT, IMPLICIT = "explicit", ("rosenbrock", "sweep")
DAMPED_TURNS = 2e4  # |lambda| times the time left, from which on damped motion is stepped over
TURNS = 3e5  # the same for vibration: an explicit method keeps it, at a price
TABLEAUX = {"rk4": rk4_tableau(), "explicit": explicit_tableau()}
BACK = 2e3  # and below which an explicit method is taken again
LONG = 1e9  # operations still to be done, from which on it pays to try
WARM, TRIED = 40, 40  # steps that a method takes to find its pace, and that count
BETTER = 1.5  # times as fast another method must be
LARGE = 3e6  # operations of a Jacobian, by columns: beyond it the sweep is taken


@dataclass(frozen=True)
class Choice:
    """A method, and why."""

    method: str
    why: str


def slope(rate: Rate, t: float, y: Floats) -> Floats:
    """d(rate)/d(state) by differences: (n, n)."""
    base = rate(t, y)
    J = np.empty((len(y), len(y)))
    for k in range(len(y)):
        step = 1e-7 * max(abs(float(y[k])), 1e-3)
        moved = np.array(y)
        moved[k] += step
        J[:, k] = (rate(t, moved) - base) / step
    return J


def unstable(method: str, step: float, J: Floats) -> float | None:
    """The rate |lambda| [1/s] of a motion that steps of this length would blow up: it does not
    grow by itself, but by these steps, |R(h lambda)| > 1."""
    if method not in TABLEAUX or not np.all(np.isfinite(J)):
        return None
    A, b = TABLEAUX[method]
    for value in sorted(np.linalg.eigvals(J), key=abs, reverse=True):
        z = step * value
        grown = abs(1.0 + z * (b @ np.linalg.solve(np.eye(len(b)) - z * A, np.ones(len(b)))))
        if value.real <= 1e-3 * abs(value) and grown > 1.0 + 1e-3:
            return float(abs(value))
    return None


def choose(
    rate: Rate,
    t: float,
    y: Floats,
    left: float,
    now: str | None,
    implicit: str = "rosenbrock",
) -> Choice:
    """A method for the `left` seconds from (t, y) on."""
    J = slope(rate, t, y)
    if not np.all(np.isfinite(J)):
        return Choice(now or EXPLICIT, "no slope of the equations is known here")
    values = np.linalg.eigvals(J)
    fast = np.abs(values)
    damped = (values.real < 0.0) & (np.abs(values.real) > 0.3 * fast)
    decay = float((fast * damped).max(initial=0.0)) * left
    turns = float((fast * (values.real <= 0.1 * fast)).max(initial=0.0)) * left
    if decay > DAMPED_TURNS:
        return Choice(implicit, f"something dies out {decay / left:.2g} times a second")
    if turns > TURNS:
        return Choice(implicit, f"the fastest mode turns at {turns / left:.2g} rad/s")
    if now in IMPLICIT and max(decay, turns) > BACK:
        return Choice(str(now), "nothing has changed")
    return Choice(EXPLICIT, f"the fastest mode turns at {max(decay, turns) / left:.2g} rad/s")


@dataclass(frozen=True)
class MethodTrial:
    """What trying needs to know of a run."""

    drive: SimulatedRobot
    rate: StateRate
    inputs: NativeInputs
    how: Tolerances
    duration: float

    @property
    def implicit(self) -> str:
        """The implicit method for a robot of this size."""
        return "rosenbrock" if self._rate() * self.drive.size < LARGE else "sweep"

    def costly(self, left: float, done: float, tried: int) -> bool:
        """Whether an explicit run still takes long: `left` seconds, at `done` in so many steps."""
        return done > 0.0 and left / done * tried * self.cost("explicit") > LONG

    def better(self, t: float, y: Floats, end: float) -> tuple[str, str] | None:
        """The implicit method and why, if it gets on so much faster from (t, y)."""
        pace = {name: self._pace(name, t, y, end) for name in ("explicit", self.implicit)}
        ratio = pace[self.implicit] / max(pace["explicit"], 1e-300)
        if ratio < BETTER:
            return None
        return self.implicit, f"it gets on {ratio:.2g} times as fast as the explicit one here"

    def _pace(self, name: str, t: float, y: Floats, end: float) -> float:
        """Seconds of the run for an operation."""
        runner = Runner(self.drive, self.rate, self.inputs, name, SampleTimes(2, self.duration))
        runner.check_every(1e9)
        runner.start(t, y, end, self.how)
        runner.go(WARM)
        began = runner.t
        runner.go(TRIED)
        return (runner.t - began) / (TRIED * self.cost(name)) if runner.t < end else 1.0

    def cost(self, name: str) -> float:
        """Operations of a step."""
        n = self.drive.robot.nv
        jacobian = 0.0
        if name == "rosenbrock":
            slope = slope_of(self.drive).operations()
            jacobian = (
                sum(slope.values()) + n**3 + 8.0 * 2.0 * n**2 + self.inputs.fed * self._rate()
            )
        return float(METHODS[name].RATES * (self._rate() + 12.0 * self.drive.size) + jacobian)

    def _rate(self) -> float:
        return float(sum(self.drive.kernel.operations().values()))
