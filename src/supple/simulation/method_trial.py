"""Which of two native methods gets on faster, found out by trying: both go the same few steps.

What a step costs is counted in operations, not timed, so that a run chooses the same every time.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..types import Floats
from .integrators import METHODS
from .native_inputs import NativeInputs
from .runner import Runner, SampleTimes, slope_of
from .simulated_robot import SimulatedRobot, StateRate
from .solver import Tolerances

LONG = 1e9  # operations still to be done, from which on it pays to try
WARM, TRIED = 40, 40  # steps that a method takes to find its pace, and that count
BETTER = 1.5  # times as fast another method must be
LARGE = 3e6  # operations of a Jacobian, by columns: beyond it the sweep is taken


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
