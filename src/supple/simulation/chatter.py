"""Chatter: forces that switch without end, because each switch brings the next one about.

A hard sign(qd) that should hold a joint still, or a hard switch that keeps a state on a surface,
has no solution that a solver could follow: it steps to and fro ever faster. Where a run gets on
slowly, jumps are looked for right ahead of its steps; steep but smooth forces have none.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import SimulationError
from ..types import Floats
from .jump import beyond_jump
from .simulated_robot import Rate

OFTEN = 200  # steps after which a run's pace is looked at
SLOW = 1e-4  # of the run: what it must have got on by then
LOOKS = 20  # steps that are looked at for jumps if it has not
SWITCHES = 8  # jumps in so many steps that are chatter


@dataclass
class Chatter:
    """Looks on while a run goes on."""

    rate: Rate
    duration: float
    steps: int = 0
    mark: float = 0.0
    left: int = 0  # steps still to be looked at
    jumps: int = 0

    def watch_closely(self) -> None:
        """The next steps are looked at one by one."""
        self.left, self.jumps = LOOKS, 0

    def __call__(self, a: float, y: Floats, b: float) -> None:
        """A step from (a, y) to b was made, or tried."""
        self.steps += 1
        if self.left:
            self.left -= 1
            reach = max(b - a, 0.1 * SLOW * self.duration)
            self.jumps += beyond_jump(self.rate, a, y, reach) is not None
            if self.jumps >= SWITCHES:
                raise chatters(a)
        elif self.steps % OFTEN == 0:
            if b - self.mark < SLOW * self.duration:
                self.watch_closely()
            self.mark = b


def chatters(t: float) -> SimulationError:
    return SimulationError(
        f"the run stopped at t = {t:.6g} s: the forces switch without end there, each switch "
        f"brings about the next (chatter). Make the switch smooth, e.g. tanh(x/0.01) for sign(x); "
        f"friction of a joint is its coulomb"
    )
