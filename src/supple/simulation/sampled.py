"""Controllers on a computer: asked at their own instants; each value acts after a delay and is held
until the next.

    tau(t) = law(t_k, q(t_k), qd(t_k))    for t_k + delay <= t < t_k+1 + delay,   t_k = k period

They are asked once at each instant, in order, so they may keep a memory of their own: filters,
estimators, noise, an integral.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from .. import checks
from ..checks import all_finite, force
from ..errors import InputError
from ..frozen import Portable
from ..robot import Robot
from ..types import Floats
from .inputs import asked, takes_state
from .law import Ask, Law, SampleHold, TorqueSource, TraceableLaw, law_of

MOST = 1_000_000  # instants in a run


@dataclass(frozen=True, eq=False)
class Sampled(Portable, TorqueSource):
    """Torques (whatever `simulate` takes) that are asked every `period` seconds and act from
    `delay` later, held until the next take their place; none act before the first.

    A function may keep a memory; if it has a method `reset`, this is called when a run begins.
    States that a controller has of its own (`pid`) go on by Euler's rule, z += period dz/dt.
    """

    torque: object
    period: float
    delay: float = 0.0

    def __post_init__(self) -> None:
        period = checks.number(self.period, "period", "a positive number of seconds")
        if not 0.0 < period < np.inf:
            raise InputError(f"period is {period:g}; it must be a positive number of seconds")
        delay = checks.number(self.delay, "delay", "a number of seconds, 0 or more")
        if not 0.0 <= delay < np.inf:
            raise InputError(f"delay is {delay:g}; it must be a number of seconds, 0 or more")
        object.__setattr__(self, "period", period)
        object.__setattr__(self, "delay", delay)

    def of(self, one: Robot, other: Robot) -> Sampled:
        return replace(self, torque=law_of(self.torque, one, other))

    def law(self, robot: Robot, made: Callable[[object], Law], duration: float) -> Law:
        if duration / self.period > MOST:
            raise InputError(
                f"period is {self.period:g} s, of a run of {duration:g} s: more than {MOST} "
                f"instants. Sample less often, or run a shorter stretch"
            )
        ask, reset, called = self._asking(robot, made)
        sampler = SampleHold(ask, robot.nv, self.period, self.delay, reset)
        written = TraceableLaw(
            lambda t, q, qd, n: n, robot.nv, lambda a, b: sampler.at(0.5 * (a + b))
        )
        held: Callable[..., Floats] = lambda t, q, qd: sampler.at(t)  # noqa: E731
        return Law(held, (), False, written, f"sampled {called}", samplers=(sampler,))

    def _asking(
        self, robot: Robot, made: Callable[[object], Law]
    ) -> tuple[Ask, Callable[[], object], str]:
        given = self.torque
        if callable(given) and not isinstance(given, Law):
            return _function(robot, given), getattr(given, "reset", lambda: None), "torque"
        law = made(given)
        if law.samplers:
            raise InputError("a sampled law is sampled again; give it one period")
        memory = _Memory(law, self.period)
        return memory, memory.reset, law.called


def _function(robot: Robot, given: Callable[..., object]) -> Ask:
    of_state = takes_state(given)
    called = f"sampled torque(t{', q, qd' if of_state else ''})"

    def ask(t: float, q: Floats, qd: Floats) -> Floats:
        value = asked(called, t, given, q, qd) if of_state else asked(called, t, given)
        if not all_finite(value):
            raise InputError(f"{called} gave {value} at t = {t:.6g} s; it must be finite")
        return force(robot, value)

    return ask


class _Memory:
    """A law with states of its own, which go on from instant to instant."""

    def __init__(self, law: Law, period: float) -> None:
        self.law, self.period = law, period
        self.reset()

    def reset(self) -> None:
        self.z = np.array(self.law.states.start)

    def __call__(self, t: float, q: Floats, qd: Floats) -> Floats:
        tau = self.law(t, q, qd, self.z)
        self.z = self.z + self.period * self.law.states.rate(t, q, qd, self.z)
        return tau
