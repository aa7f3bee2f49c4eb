"""A run under way: what moves the robot now, what was reached, and how.

What is done with it: `integrate` goes from break to break and from event to event,
`native_advance` in native code, `by_steps` step by step; `run_failures` is what a run cannot get
over.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from .. import checks
from ..errors import SimulationError
from ..lazy import cached_property
from ..types import Floats
from .closed_run import LoopKeeper
from .event_search import EventSearch
from .events import Event
from .inputs import MEMORY
from .integrators import METHODS as NATIVE
from .integrators.log import CURVE
from .law import Law
from .native_inputs import Answers, NativeInputs, rounding
from .run_failures import Chatter
from .runner import Runner, SampleTimes, checked_one_of
from .simulated_robot import SimulatedRobot, StateRate
from .solver import DenseOutput, Tolerances
from .stick_slip import StickSlip, can_stick
from .stiffness import Choice, MethodTrial, choose

Progress = Callable[[float], None]
Watch = Callable[[float | Floats, Floats], None]
Remade = Callable[[object, float, Floats, Floats], Law]


@dataclass
class RunInProgress:
    """A run under way: what was reached, and how."""

    drive: SimulatedRobot
    times: Floats
    how: Tolerances
    watch: Watch
    progress: Progress | None = None
    events: tuple[Event, ...] = ()
    remade: Remade | None = None  # another torque, from an event on
    states: list[Floats] = field(default_factory=list)
    methods: list[tuple[float, str, str]] = field(default_factory=list)  # from when, which, why
    steps: int = 0
    refused: int = 0  # steps that native methods found too long
    calls: int = 0  # of the equations of motion
    redone: int = 0  # steps that were made again because they did not fit the equations
    largest_gap: float = 0.0  # of the steps that stood, in units of the tolerance
    all_gaps: Floats = field(default_factory=lambda: np.zeros(1))  # their sum, by state
    mark: float = 0.0  # where the run was when headway was last looked at
    marked: int = 0  # and after how many steps
    tried: bool = False  # whether other methods were tried
    watched: float = 0.0  # where the run was watched last between its samples
    step: float | None = None  # the last step's length
    leaps: list[float] = field(default_factory=list)  # instants at which forces jumped
    answers: Answers = field(default_factory=lambda: Answers())

    def __post_init__(self) -> None:
        self.rate = StateRate(self.drive)
        self.duration = float(self.times[-1])
        self.chatter = Chatter(self.rate, self.duration)
        self.keeper = LoopKeeper(self.drive) if self.drive.robot.loops else None
        self.runners: dict[str, Runner] = {}
        self.event_search = EventSearch(self.drive, self.events, self.duration)
        self.laws = [(0.0, self.drive.law)]  # from when on which drove the robot
        self.stopped = ""  # by which event
        self.stick_slip = StickSlip(self.drive) if can_stick(self.drive) else None
        self.phase_ends: list[float] = []  # of the last phases
        self.phase_from = 1  # the first state that is of the phase at hand
        self.called_back: list[str] = []  # what was asked of Python, and what it cost
        self.began = time.perf_counter()

    @property
    def method(self) -> str:
        return self.methods[-1][1]

    @property
    def base(self) -> int:
        """Numbers of a state that are not the law's own."""
        return self.drive.size - self.drive.own

    @property
    def by_steps(self) -> bool:
        """Whether every step is looked at from here."""
        return self.method not in NATIVE

    @cached_property
    def inputs(self) -> NativeInputs:
        """What drives the robot, for native code."""
        made = NativeInputs(self.drive, self.rate, self.answers)
        made.believe(self.duration, self.here)
        return made

    @property
    def drove(self) -> NativeInputs | None:
        """What drove all of the run natively; None where other laws or Python had a part in it."""
        native = all(which in NATIVE for _, which, _ in self.methods)
        alone = native and len(self.laws) == 1 and self.stick_slip is None
        return self.__dict__.get("inputs") if alone else None

    def runner(self) -> Runner:
        """The native run by the method in use."""
        if self.method not in self.runners:
            samples = SampleTimes(len(self.times), self.duration)
            made = Runner(
                self.drive,
                self.rate,
                self.inputs,
                self.method,
                samples,
                keeper=self.keeper,
                event_signs=self.event_search.event_signs(self.here)
                if self.stick_slip is None
                else None,
            )
            start = self.drive.start()
            smooth = self.inputs.smooth(self.duration, start)
            made.check_every(checked_one_of(smooth, self.how, self.duration))
            made.log[CURVE] = 1.0 if self.event_search else 0.0
            self.runners[self.method] = made
        return self.runners[self.method]

    def stepper(self) -> Runner:
        """The same for who looks at every step."""
        name = f"{self.method}, by steps"
        if name not in self.runners:
            samples = SampleTimes(2, self.duration)
            self.runners[name] = Runner(self.drive, self.rate, self.inputs, self.method, samples)
        return self.runners[name]

    @property
    def implicit(self) -> str:
        return MethodTrial(self.drive, self.rate, self.inputs, self.how, self.duration).implicit

    def decide(self, t: float, y: Floats) -> bool:
        """The method for what is left, by the stiffness at (t, y); whether it is another."""
        now = self.methods[-1][1] if self.methods else None
        if t >= self.duration:
            return False
        if self.how.auto:
            choice = choose(self.rate, t, y, self.duration - t, now, self.implicit)
        else:
            choice = Choice(self.how.method, "as asked")
        if choice.method == now:
            return False
        self.methods.append((t, choice.method, choice.why))
        return True

    def counted(self, t: float, y: Floats) -> Floats:
        self.calls += 1
        return self.rate(t, y)

    def ask_samplers(self, t: float, y: Floats) -> None:
        """Sampled laws are asked when their time has come."""
        q, qd, _ = self.drive.parts(np.array(y))
        for sampler in self.drive.law.samplers:
            self.drive.driven.put(t, q, qd, np.zeros(self.drive.robot.nv))
            sampler.look(t, q, qd)

    def between(self, a: float, b: float) -> None:
        """Laws are asked between these instants."""
        self.rate.stretch = (a, b)
        if self.stick_slip is not None:
            self.stick_slip.stretch = (a, b)

    def take_over(self, t: float, y: Floats, fresh: bool = True) -> None:
        """The law of the drive begins to act at (t, y), or goes on where it is not `fresh`."""
        self.here = y
        for sampler in self.drive.law.samplers if fresh else ():
            sampler.begin(t)
        self.ask_samplers(t, y)
        first = self.rate(t, y)
        if self.rate.trouble is not None:
            raise self.rate.trouble
        checks.finite(self.drive.robot, first, "acceleration")  # a solver would search for ever
        self.decide(t, y)

    def renew(self, t: float, y: Floats, drive: SimulatedRobot, fresh: bool = True) -> None:
        """Another drive from here on, under a fresh law or the same."""
        self.drive = self.event_search.drive = drive
        self.rate = StateRate(drive)
        self.keeper = None if self.keeper is None else replace(self.keeper, drive=drive)
        self.chatter = Chatter(self.rate, self.duration)
        self.answers, self.runners = Answers(), {}
        self.__dict__.pop("inputs", None)
        self.rate.stretch = (t, self.duration)
        self.take_over(t, y, fresh)

    def end_of_run(self) -> None:
        """What was seen is kept before another drive takes over."""
        self.ask_again()
        self.note_calls()
        self.settle()

    def note_calls(self) -> None:
        """What Python was asked for."""
        if "inputs" in self.__dict__:
            self.called_back.append(self.inputs.words(time.perf_counter() - self.began))
        else:
            self.called_back.append(f"{self.method} asks for all inputs in Python")

    def ask_again(self) -> None:
        """What was asked on the way must have the same answer now, in reverse order."""
        for t, y, before, stretch in reversed(self.answers.kept):
            self.rate.stretch = stretch
            after = self.rate.inputs(t, y)
            if after is None or np.all(np.abs(after - before) <= rounding(self.rate, t, y, after)):
                continue
            raise SimulationError(
                f"the run of {self.drive.robot.name} cannot be trusted: a function of its "
                f"torques, loads or laws, asked again at t = {t:.6g} s, {MEMORY}"
            )

    def settle(self) -> None:
        """What the native runs saw of their steps, once."""
        runners, self.runners = self.runners, {}
        for runner in runners.values():
            if self.keeper is not None:
                self.keeper.drift = max(self.keeper.drift, runner.drift)
            self.redone += runner.redone
            self.refused += runner.refused
            self.calls += runner.calls
            self.largest_gap = max(self.largest_gap, runner.largest_gap)
            self.all_gaps = self.all_gaps + runner.sums[: self.base]

    def salvage(self) -> None:
        """After a run that stopped: samples that native code has filled, and what it saw."""
        for name, runner in self.runners.items():
            if name in NATIVE:
                self.keep_until(runner, look=False)
        self.settle()

    def keep_until(self, runner: Runner, look: bool = True) -> None:
        """Samples that native code has filled."""
        done = len(self.states)
        if done == len(self.times) or self.times[done] > runner.t * (1.0 + 1e-12):
            return  # none since the last look
        rows = runner.samples[done:]
        filled = int(np.argmax(np.isnan(rows[:, -1]))) if np.isnan(rows[:, -1]).any() else len(rows)
        self.states += [row.copy() for row in rows[:filled]]
        if filled and look:
            self.watch(self.times[done : done + filled], rows[:filled])

    def keep_to(self, t: float, dense: DenseOutput) -> None:
        done = len(self.states)
        if done < len(self.times) and t >= self.times[done]:
            until = int(np.searchsorted(self.times, t, side="right"))
            found = dense(self.times[done:until]).T
            self.states += list(found if self.keeper is None else map(self.keeper, found))

    def samples(self) -> Floats:
        """The states that were kept; those that laws have of their own side by side, NaN where
        another law was in force."""
        counts = [len(law.states) for _, law in self.laws]
        if len(counts) == 1 or not any(counts):
            return np.array(self.states)
        base = self.base
        out = np.full((len(self.states), base + sum(counts)), np.nan)
        begins = [t for t, _ in self.laws[1:]]
        for i, (t, y) in enumerate(zip(self.times, self.states, strict=False)):
            k = bisect_left(begins, t)
            first = base + sum(counts[:k])
            out[i, :base], out[i, first : first + counts[k]] = y[:base], y[base:]
        return out

    def end_at(self, t: float, y: Floats) -> None:
        """The run ends here: the last sample is of this instant."""
        done = len(self.states)
        if t - self.times[done - 1] > 1e-12 * self.duration:
            self.states.append(y)
            self.times = np.append(self.times[:done], t)
        self.times = self.times[: len(self.states)]
