"""Integrate the equations of motion, natively or with SciPy's solvers, and check the way.

A solver judges its steps by the instants it chose itself; what happens between them it cannot
see. So each step [a, b] is looked at again, at instants the solver did not choose: its dense
output y(t) must satisfy the integrated equations, in every panel of the step,

    gap = y(t_2) - y(t_1) - int_{t_1}^{t_2} f(t, y(t)) dt,

by Gauss' rule. Stiff parts magnify the error of y(t) by h df/dy; (1 - h df/dy)^-1 gap does not.
Where the gap is large against the tolerance, the step is made again with shorter ones.

Native integrators (`integrators`) do all of this themselves, many steps at a time; between two
such marches the run is watched here. Closed chains and SciPy's solvers go step by step.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from .. import checks
from ..errors import SimulationError, SuppleError
from ..types import Floats
from .after_events import after_reset, torque_after
from .breaks import FINEST
from .chatter import LOOKS, SLOW, Chatter, chatters
from .closed_run import Keeper, singular_here
from .cvode import NAME as CVODE, CvodeStepper
from .events import Event, Occurrence
from .experiment import Experiment, Motor
from .inputs import MEMORY
from .integrators import METHODS as NATIVE
from .integrators.log import CURVE, END, GOING, LOOK, ROUGH
from .jump import beyond_jump
from .law import Law
from .lookout import Lookout, Reached
from .native_inputs import Answers, NativeInputs, rounding
from .pilot import Pilot
from .rubbing import PhaseEnd, Rubbing, rubs
from .runner import NativeStepper, Runner, Samples, checked_one_of
from .solver import DenseOutput, Stepper, Tolerances
from .stiffness import EXPLICIT, Choice, choose, slope, unstable

Progress = Callable[[float], None]
Watch = Callable[[float | Floats, Floats], None]
Remade = Callable[[object, float, Floats, Floats], Law]
STALL = 10_000  # steps in which a run must get on by 1e-5 of its length
PANELS = 1000  # a panel of the check is no longer than this share of the run
ALLOWED = 30.0  # gap of a panel, in units of the tolerance
DEEPEST = 9  # times that a step is cut in eight
REVIEW = 200  # steps after which the method is looked at again, by native code ten times as many
MARCH = 500  # steps without returning to Python
FEW, WATCHED = 20, 1e-3  # steps after which a run is watched, and the share of it
EXPLICIT_METHODS = ("DOP853", "RK45")
_X, _W = np.polynomial.legendre.leggauss(4)


@dataclass
class Course:
    """A run under way: what was reached, and how."""

    drive: Experiment
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
    _mark: float = 0.0  # where the run was when headway was last looked at
    _marked: int = 0  # and after how many steps
    _tried: bool = False  # whether other methods were tried
    _watched: float = 0.0  # where the run was watched last between its samples
    _step: float | None = None  # the last step's length
    _leaps: list[float] = field(default_factory=list)  # instants at which forces jumped
    _answers: Answers = field(default_factory=lambda: Answers())

    def __post_init__(self) -> None:
        self.rate = Motor(self.drive)
        self.duration = float(self.times[-1])
        self._chatter = Chatter(self.rate, self.duration)
        self.keeper = Keeper(self.drive) if self.drive.robot.loops else None
        self._runners: dict[str, Runner] = {}
        self.lookout = Lookout(self.drive, self.events, self.duration)
        self.laws = [(0.0, self.drive.law)]  # from when on which drove the robot
        self.stopped = ""  # by which event
        self.rub = Rubbing(self.drive) if rubs(self.drive) else None
        self._ends: list[float] = []  # of the last phases
        self._phase_from = 1  # the first state that is of the phase at hand
        self.called_back: list[str] = []  # what was asked of Python, and what it cost
        self._began = time.perf_counter()

    @property
    def method(self) -> str:
        return self.methods[-1][1]

    def run(self, y: Floats) -> None:
        """Go from t = 0 to the end, or to an event that stops; `states` fills with the samples."""
        self.states.append(y)
        if self.rub is None:
            self.lookout.begin(0.0, y)
            self._take_over(0.0, y)
        else:
            y = self._next_phase(0.0, y)
        self._stable(y)
        t = 0.0
        starts = bool(self.events)
        while not self.stopped:
            try:
                if starts:
                    starts = False
                    self.lookout.at_start(y, self.rate)
                self._stretches(t, y)
                break
            except Reached as event:
                t, y = self._act(event)
        self._ask_again()
        self._note_calls()
        if self.rub is not None:
            self._phase_done(y)
            self.drive = self.rub.base

    def _phase_done(self, y: Floats) -> Floats:
        """What brakes did in this phase is lost; the state at its end."""
        assert self.rub is not None
        self.states[self._phase_from :] = [
            self.rub.lost(x) for x in self.states[self._phase_from :]
        ]
        self._phase_from = len(self.states)
        return self.rub.lost(y)

    def _next_phase(self, t: float, y: Floats, ended: Sequence[PhaseEnd] = ()) -> Floats:
        """Some joints stick and others slide from here on."""
        assert self.rub is not None
        drive, ends, y = self.rub.phase(t, y, ended)
        armed = [len(self.events) + i for i, end in enumerate(ends) if end.loosens]
        self.lookout = self.lookout.going_on(drive, (*self.events, *ends), armed)
        self._renew(t, y, drive)
        self.lookout.begin(t, y)
        return y

    def _renew(self, t: float, y: Floats, drive: Experiment) -> None:
        """Another drive from here on."""
        self.drive = self.lookout.drive = drive
        self.rate = Motor(drive)
        self.keeper = None if self.keeper is None else replace(self.keeper, drive=drive)
        self._chatter = Chatter(self.rate, self.duration)
        self._answers, self._runners = Answers(), {}
        self.__dict__.pop("inputs", None)
        self.rate.stretch = (t, self.duration)
        self._take_over(t, y)

    def _without_end(self, t: float) -> None:
        """Phases that end as they begin: a pulse that is too short to be told from its break."""
        self._ends = [x for x in self._ends if t - x < 1e-9 * self.duration] + [t]
        if len(self._ends) > 20:
            raise SimulationError(
                f"the run of {self.drive.robot.name} stopped at t = {t:.6g} s: a joint breaks "
                f"loose and stands again without end there. Make the torque smooth, or give it as "
                f"a table"
            )

    def _end_of_run(self) -> None:
        """What was seen is kept before another drive takes over."""
        self._ask_again()
        self._note_calls()
        self.settle()

    def _take_over(self, t: float, y: Floats) -> None:
        """The law of the drive begins to act at (t, y)."""
        self._here = y
        for sampler in self.drive.law.samplers:
            sampler.begin(t)
        self._sample(t, y)
        first = self.rate(t, y)
        if self.rate.trouble is not None:
            raise self.rate.trouble
        checks.finite(self.drive.robot, first, "acceleration")  # a solver would search for ever
        self._decide(t, y)

    def _stretches(self, t: float, y: Floats) -> None:
        """From (t, y) to the end, from break to break."""
        inside = 2.0 * FINEST * self.duration
        breaks = self.drive.breaks(self.duration)
        here = max([t, *(b for b in breaks if t < b <= t + 4.0 * inside)])
        ends = [b for b in breaks if b > t + 4.0 * inside]
        for end in [*ends, self.duration]:
            self._sample(t, y)
            self._between(here + inside, end - inside)
            y = self._advance(t, y, end) if self._by_steps else self._march(t, y, end)
            t = here = end

    def _between(self, a: float, b: float) -> None:
        """Laws are asked between these instants."""
        self.rate.stretch = (a, b)
        if self.rub is not None:
            self.rub.stretch = (a, b)

    def _sample(self, t: float, y: Floats) -> None:
        """Sampled laws are asked when their time has come."""
        q, qd, _ = self.drive.parts(np.array(y))
        for sampler in self.drive.law.samplers:
            self.drive.driven.put(t, q, qd, np.zeros(self.drive.robot.nv))
            sampler.look(t, q, qd)

    def _act(self, reached: Reached) -> tuple[float, Floats]:
        """All that an instant brings about; where the run goes on. Joints that stop or break loose
        do so first, then the user's events act in their order; a stop ends the run after them."""
        t, y, self._step = reached.t, reached.y, None
        events = [self.lookout.events[k] for k in reached.ways]
        y = self._end_phase([event for event in events if isinstance(event, PhaseEnd)], t, y)
        for event in events:
            if not isinstance(event, PhaseEnd):
                y = self._follow(event, self.lookout.note(event, t, y), y)
        if self.stopped:
            self._end_at(t, y)
        else:
            self.lookout.again(reached.of_first(len(self.events)), y, self.rate)
        return t, y

    def _end_phase(self, events: Sequence[PhaseEnd], t: float, y: Floats) -> Floats:
        """Joints that slid stand, or those that stood slide."""
        if not events:
            return y
        for event in events:
            self.lookout.note(event, t, y)
        self._without_end(t)
        self._end_of_run()
        return self._next_phase(t, self._phase_done(y), events)

    def _follow(self, event: Event, here: Occurrence, y: Floats) -> Floats:
        """What one event brings about; the state after it."""
        if event.action == "stop":
            self.stopped = self.stopped or event.called
        if event.action == "reset":
            return self._reset(event, here, y)
        return self._switch(event, here, y) if event.action == "switch" else y

    def _reset(self, event: Event, here: Occurrence, y: Floats) -> Floats:
        """On from another state."""
        if self.rub is not None:
            self._end_of_run()
            y = after_reset(self.rub.base, event, here, self._phase_done(y))
            return self._next_phase(here.t, y)
        y = after_reset(self.drive, event, here, y)
        self.watch(here.t, y)
        return y

    def _end_at(self, t: float, y: Floats) -> None:
        """The run ends here: the last sample is of this instant."""
        done = len(self.states)
        if t - self.times[done - 1] > 1e-12 * self.duration:
            self.states.append(y)
            self.times = np.append(self.times[:done], t)
        self.times = self.times[: len(self.states)]

    def _switch(self, event: Event, here: Occurrence, y: Floats) -> Floats:
        """Another law takes over."""
        assert self.remade is not None
        given = torque_after(event, here)
        self._end_of_run()
        law = self.remade(given, here.t, here.q, here.qd)
        self.laws.append((here.t, law))
        if self.rub is not None:
            self.rub.base = replace(self.rub.base, law=law)
            return self._next_phase(here.t, self._phase_done(y))
        y = np.concatenate([y[: self._base], law.states.start])
        self._renew(here.t, y, replace(self.drive, law=law))
        return y

    @property
    def _base(self) -> int:
        """Numbers of a state that are not the law's own."""
        return self.drive.size - self.drive.own

    def _note_calls(self) -> None:
        """What Python was asked for."""
        if "inputs" in self.__dict__:
            self.called_back.append(self.inputs.words(time.perf_counter() - self._began))
        else:
            self.called_back.append(f"{self.method} asks for all inputs in Python")

    def samples(self) -> Floats:
        """The states that were kept; those that laws have of their own side by side, NaN where
        another law was in force."""
        counts = [len(law.states) for _, law in self.laws]
        if len(counts) == 1 or not any(counts):
            return np.array(self.states)
        base = self._base
        out = np.full((len(self.states), base + sum(counts)), np.nan)
        begins = [t for t, _ in self.laws[1:]]
        for i, (t, y) in enumerate(zip(self.times, self.states, strict=False)):
            k = bisect_left(begins, t)
            first = base + sum(counts[:k])
            out[i, :base], out[i, first : first + counts[k]] = y[:base], y[base:]
        return out

    @property
    def _by_steps(self) -> bool:
        """Whether every step is looked at from here."""
        return self.method not in NATIVE

    @cached_property
    def inputs(self) -> NativeInputs:
        """What drives the robot, for native code."""
        made = NativeInputs(self.drive, self.rate, self._answers)
        made.believe(self.duration, self._here)
        return made

    def _runner(self) -> Runner:
        """The native run by the method in use."""
        if self.method not in self._runners:
            samples = Samples(len(self.times), self.duration)
            made = Runner(
                self.drive, self.rate, self.inputs, self.method, samples, keeper=self.keeper
            )
            start = self.drive.start()
            smooth = self.inputs.smooth(self.duration, start)
            made.check_every(checked_one_of(smooth, self.how, self.duration))
            made.log[CURVE] = 1.0 if self.lookout else 0.0
            self._runners[self.method] = made
        return self._runners[self.method]

    def _stepper(self) -> Runner:
        """The same for who looks at every step."""
        name = f"{self.method}, by steps"
        if name not in self._runners:
            samples = Samples(2, self.duration)
            self._runners[name] = Runner(self.drive, self.rate, self.inputs, self.method, samples)
        return self._runners[name]

    def _march(self, t: float, y: Floats, end: float) -> Floats:
        """From (t, y) to `end` in native code."""
        while t < end:
            runner = self._runner()
            runner.start(t, y, end, self.how, self.how.step or self._step or 0.0)
            t, y = self._go(runner, end)
        return y

    def _go(self, runner: Runner, end: float) -> tuple[float, Floats]:
        """On until `end`, a jump, or another method's turn."""
        reviewed = runner.steps
        while runner.t < end:
            a, steps = runner.t, runner.steps
            try:
                self._some_steps(runner, end)
            finally:
                self.steps += runner.steps - steps
            t, y = runner.t, runner.y.copy()
            self._step = runner.step
            self._keep_until(runner)
            if runner.steps - steps > FEW or t - self._watched > WATCHED * self.duration:
                self.watch(t, y)
                self._watched = t
            if self.progress is not None:
                self.progress(t)
            if runner.status == LOOK:
                return self._by_hand(t, y, end)
            if runner.status != GOING:
                return self._obstacle(runner, end)
            if self.inputs.traced and self._answers.due():
                self._answers(t, y, runner.inputs_at(t, y), self.rate.stretch)
            self._slowly(runner, a, end)
            if runner.t < end and self._tries(runner, t - a):
                return t, y
            if self.how.auto and runner.steps - reviewed >= 10 * REVIEW:
                reviewed = runner.steps
                if self._decide(t, y):
                    self._step = None
                    break
        return runner.t, runner.y.copy()

    def _some_steps(self, runner: Runner, end: float) -> None:
        """Many without returning to Python, unless each is to be looked at."""
        if not self.lookout:
            runner.go(MARCH)
            return
        for _ in range(MARCH):
            self._one_step(runner)
            if runner.t >= end or runner.status != GOING:
                break

    def _one_step(self, runner: Runner) -> None:
        """A step, looked at for events; samples behind one that acts are not kept."""
        a, before = runner.t, runner.y.copy()
        runner.go(1)
        if not self.lookout or runner.t == a:
            return
        try:
            self.lookout.look(a, runner.t, runner.curve(a, before), self.rate)
        except Reached as event:
            runner.samples[self.times > event.t] = np.nan
            self._keep_until(runner)
            raise

    @property
    def _implicit(self) -> str:
        return Pilot(self.drive, self.rate, self.inputs, self.how, self.duration).implicit

    def _tries(self, runner: Runner, done: float) -> bool:
        """Whether another method turned out to be faster, where the run takes long: tried once."""
        if not self.how.auto or self.method != EXPLICIT or self._tried or self.keeper is not None:
            return False
        pilot = Pilot(self.drive, self.rate, self.inputs, self.how, self.duration)
        if not pilot.costly(self.duration - runner.t, done, MARCH):
            return False
        self._tried = True
        found = pilot.better(runner.t, runner.y, float(runner.log[END]))
        if found is not None:
            self.methods.append((runner.t, *found))
            self._step = None
        return found is not None

    def _by_hand(self, t: float, y: Floats, end: float) -> tuple[float, Floats]:
        """Past a singular place of a closed chain, step by step."""
        keeper = self.keeper
        assert keeper is not None
        self._step = None
        return self._stepping(t, y, end, leave=lambda y: keeper.far(y))

    def _obstacle(self, runner: Runner, end: float) -> tuple[float, Floats]:
        """Native code does not get on: over a jump, or the reason why not."""
        t, y = runner.t, runner.y.copy()
        if runner.status == ROUGH:
            error = self._rough(t, t + runner.cap, runner.largest_gap)
        else:
            message = "no step is short enough"
            error = self._failure_at(t, y, message)
        if runner.fixed:
            raise self._failure_at(t, y, f"steps of {runner.step:.3g} s are too long: it diverges")
        return self._leap(t, y, end, error)

    def _slowly(self, runner: Runner, a: float, end: float) -> None:
        """A run that hardly gets on is looked at step by step: do its forces switch without end?"""
        if runner.t - a >= SLOW * self.duration or runner.t >= end or runner.fixed:
            return
        self._chatter.watch_closely()
        for _ in range(LOOKS):
            before, y = runner.t, runner.y.copy()
            self._one_step(runner)
            self._chatter(before, y, runner.t)
        self._keep_until(runner)
        self._headway_of(runner.t, runner.y)

    def salvage(self) -> None:
        """After a run that stopped: samples that native code has filled, and what it saw."""
        for name, runner in self._runners.items():
            if name in NATIVE:
                self._keep_until(runner, look=False)
        self.settle()

    def _keep_until(self, runner: Runner, look: bool = True) -> None:
        """Samples that native code has filled."""
        done = len(self.states)
        if done == len(self.times) or self.times[done] > runner.t * (1.0 + 1e-12):
            return  # none since the last look
        rows = runner.samples[done:]
        filled = int(np.argmax(np.isnan(rows[:, -1]))) if np.isnan(rows[:, -1]).any() else len(rows)
        self.states += [row.copy() for row in rows[:filled]]
        if filled and look:
            self.watch(self.times[done : done + filled], rows[:filled])

    def settle(self) -> None:
        """What the native runs saw of their steps, once."""
        runners, self._runners = self._runners, {}
        for runner in runners.values():
            if self.keeper is not None:
                self.keeper.drift = max(self.keeper.drift, runner.drift)
            self.redone += runner.redone
            self.refused += runner.refused
            self.calls += runner.calls
            self.largest_gap = max(self.largest_gap, runner.largest_gap)
            self.all_gaps = self.all_gaps + runner.sums[: self._base]

    def _stable(self, y: Floats) -> None:
        """Refuse steps of one length that would blow up what does not grow by itself."""
        if self.how.step is None:
            return
        fast = unstable(self.method, self.how.step, slope(self.rate, 0.0, y))
        if fast is not None:
            raise SimulationError(
                f"steps of {self.how.step:.3g} s by {self.method} are too long for "
                f"{self.drive.robot.name}: a mode at {fast:.3g} rad/s would blow up. Take steps "
                f"of at most {2.5 / fast:.2g} s, or an implicit method (rosenbrock, sweep)"
            )

    def _decide(self, t: float, y: Floats) -> bool:
        """The method for what is left, by the stiffness at (t, y); whether it is another."""
        now = self.methods[-1][1] if self.methods else None
        if t >= self.duration:
            return False
        if self.how.auto:
            choice = choose(self.rate, t, y, self.duration - t, now, self._implicit)
        else:
            choice = Choice(self.how.method, "as asked")
        if choice.method == now:
            return False
        self.methods.append((t, choice.method, choice.why))
        return True

    def _counted(self, t: float, y: Floats) -> Floats:
        self.calls += 1
        return self.rate(t, y)

    def _solver(self, t: float, y: Floats, end: float, most: float) -> Stepper:
        if self.method in NATIVE:
            step = min(self._step or 0.0, most, end - t)
            return NativeStepper(self._stepper(), t, y, end, self.how, most, step)
        from scipy import integrate

        kind = CvodeStepper if self.method == CVODE else getattr(integrate, self.method)
        step = min(self._step or np.inf, most, end - t)
        first = step if self._step is not None or most < np.inf else None
        relative = max(self.how.rtol, 2.3e-14)
        made: Stepper = kind(
            self._counted,
            t,
            y,
            end,
            rtol=relative,
            atol=self.how.atol,
            max_step=most,
            first_step=first if first is None or first > 0.0 else None,
        )
        return made

    def _advance(
        self, t: float, y: Floats, end: float, most: float = np.inf, depth: int = 0
    ) -> Floats:
        """From (t, y) to `end` in steps no longer than `most`."""
        return self._stepping(t, y, end, most, depth)[1]

    def _stepping(
        self,
        t: float,
        y: Floats,
        end: float,
        most: float = np.inf,
        depth: int = 0,
        leave: Callable[[Floats], bool] | None = None,
    ) -> tuple[float, Floats]:
        """Step by step, each looked at, until `end`, or until it is time to `leave`."""
        solver = self._solver(t, y, end, most)
        while solver.status == "running":
            a, before = float(solver.t), solver.y
            message = _step(solver)
            if solver.status == "failed" or not np.all(np.isfinite(solver.y)):
                b, y = self._leap(a, before, end, self._failure(solver, message))
                solver = self._solver(b, y, end, most)
                continue
            b, dense = float(solver.t), solver.dense_output()
            self.steps += 1
            self._step = b - a
            self._chatter(a, before, b)
            gap = self._gap(dense, a, b, before)
            if gap > ALLOWED:
                b, y = self._again(a, before, b, gap, depth)
                self._step = None
                solver = self._solver(b, y, end, most)
                continue
            self.largest_gap = max(self.largest_gap, gap)
            self.all_gaps = self.all_gaps + self._sum[: self._base]
            if self.lookout:
                self._look_on(a, b, dense)
            if self.method not in NATIVE:
                self._answers(b, solver.y, self.rate.inputs(b, solver.y), self.rate.stretch)
            self._keep(solver, dense)
            solver = self._closed(solver, dense, a, end, most)
            self.watch(b, solver.y)
            if self.progress is not None:
                self.progress(b)
            self._headway(solver)
            if self.how.auto and self.steps % REVIEW == 0 and self._decide(b, solver.y):
                self._step = None
                solver = self._solver(b, solver.y, end, most)
            if leave is not None and leave(np.asarray(solver.y)):
                break
        return float(solver.t), np.asarray(solver.y)

    def _look_on(self, a: float, b: float, dense: DenseOutput) -> None:
        """For events in a step; samples up to one that acts are kept."""
        try:
            self.lookout.look(a, b, dense, self.rate)
        except Reached as event:
            self._keep_to(event.t, dense)
            raise

    def _closed(
        self, solver: Stepper, dense: DenseOutput, a: float, end: float, most: float
    ) -> Stepper:
        """The solver where the loops are closed again."""
        if self.keeper is None:
            return solver
        b = float(solver.t)
        self.keeper.look(a, b, dense)
        y = self.keeper(solver.y)
        long = self.keeper.across(y) if solver.status == "running" else None
        if long is not None:
            return self._across(b, y, min(long, end - b), end, most)
        if isinstance(solver, NativeStepper):
            solver.y = y
            return solver
        if hasattr(solver, "f"):  # of one step: nothing else remembers the state
            solver.y, solver.f = y, self.rate(b, y)  # type: ignore[misc]
            return solver
        if solver.status != "running" or self.keeper.nearly(solver.y, self.how.atol):
            return solver  # of several steps: it would have to begin anew
        return self._solver(b, y, end, most)

    def _across(self, a: float, y: Floats, long: float, end: float, most: float) -> Stepper:
        """Beyond a singular place of the loops, by one step on closed states."""
        from scipy.integrate import DOP853

        keeper = self.keeper
        assert keeper is not None
        b = a + long
        options = {"first_step": b - a, "rtol": 0.1, "atol": 0.1}
        step: Stepper = DOP853(lambda t, y: self.rate(t, keeper.closed(y)), a, y, b, **options)
        step.step()
        dense = step.dense_output()
        keeper.look(a, float(step.t), dense)
        self._keep(step, dense)
        self.steps += 1
        return self._solver(float(step.t), keeper(step.y), end, most)

    def _ask_again(self) -> None:
        """What was asked on the way must have the same answer now, in reverse order."""
        for t, y, before, stretch in reversed(self._answers.kept):
            self.rate.stretch = stretch
            after = self.rate.inputs(t, y)
            if after is None or np.all(np.abs(after - before) <= rounding(self.rate, t, y, after)):
                continue
            raise SimulationError(
                f"the run of {self.drive.robot.name} cannot be trusted: a function of its "
                f"torques, loads or laws, asked again at t = {t:.6g} s, {MEMORY}"
            )

    def _gap(self, dense: DenseOutput, a: float, b: float, before: Floats) -> float:
        """How far the step is from the equations, in units of the tolerance."""
        count = max(1, int(np.ceil((b - a) * PANELS / self.duration)))
        edges = np.linspace(a, b, count + 1)
        half = 0.5 * (b - a) / count
        at = (edges[:-1, None] + half * (1.0 + _X)).ravel()
        rates = np.array([self.rate(float(t), y) for t, y in zip(at, dense(at).T, strict=True)])
        if not np.all(np.isfinite(rates)):
            return np.inf
        moved = np.diff(dense(edges), axis=1).T
        flow = half * np.einsum("w,pwn->pn", _W, rates.reshape(count, len(_W), -1))
        scale = self.how.atol + self.how.rtol * np.maximum(np.abs(before), np.abs(dense(b)))
        gaps = moved - flow
        # stiff parts magnify gaps, an implicit method's are not to be added up as they are
        self._sum = gaps.sum(axis=0) / scale * (self.method in (*EXPLICIT_METHODS, EXPLICIT))
        worst = float((np.abs(gaps) / scale).max())
        if worst <= ALLOWED:
            return worst
        J = slope(self.rate, 0.5 * (a + b), dense(0.5 * (a + b)))
        if not np.all(np.isfinite(J)):
            return worst
        softened = np.linalg.solve(np.eye(len(J)) - (b - a) * J, gaps.T).T
        self._sum = softened.sum(axis=0) / scale
        return min(worst, float((np.abs(softened) / scale).max()))

    def _again(
        self, a: float, before: Floats, b: float, gap: float, depth: int
    ) -> tuple[float, Floats]:
        """The same stretch in steps an eighth as long."""
        self.redone += 1
        if depth < DEEPEST and b - a > 1e-11 * self.duration:
            return b, self._advance(a, before, b, (b - a) / 8.0, depth + 1)
        return self._leap(a, before, b, self._rough(a, b, gap))

    def _rough(self, a: float, b: float, gap: float) -> SimulationError:
        """Between a and b no step satisfies the equations."""
        if self.rate.trouble is not None and a <= self.rate.when <= b:
            return self.rate.trouble
        return SimulationError(
            f"the run of {self.drive.robot.name} cannot be trusted: between t = {a:.12g} and "
            f"{b:.12g} s its solution does not satisfy the equations of motion ({gap:.3g} "
            f"times the tolerance), however short the steps. Look at the torques, loads and laws "
            f"there: a jump can be named (breaks=[{b:.9g}]), there is no way through a pole"
        )

    def _leap(
        self, a: float, before: Floats, end: float, otherwise: SimulationError | None
    ) -> tuple[float, Floats]:
        """Just beyond a jump of the forces right after a, or the error why there is none."""
        last = self._leaps[-1] if self._leaps else -np.inf
        found = beyond_jump(self.rate, a, before, 1e-9 * self.duration)
        if found is None or found[0] >= end:
            assert otherwise is not None
            raise otherwise
        if a - last < 1e-9 * self.duration:
            raise chatters(a)
        self._leaps.append(found[0])
        self._step = None
        return found

    def _keep(self, solver: Stepper, dense: DenseOutput) -> None:
        """Samples up to where the solver is, by its dense output."""
        self._keep_to(float(solver.t), dense)

    def _keep_to(self, t: float, dense: DenseOutput) -> None:
        done = len(self.states)
        if done < len(self.times) and t >= self.times[done]:
            until = int(np.searchsorted(self.times, t, side="right"))
            found = dense(self.times[done:until]).T
            self.states += list(found if self.keeper is None else map(self.keeper, found))

    def _headway(self, solver: Stepper) -> None:
        if self.steps % STALL == 0:
            self._headway_of(solver.t, solver.y)

    def _headway_of(self, t: float, y: Floats) -> None:
        if self.steps - self._marked < STALL:
            return
        if t - self._mark < 1e-5 * self.duration:
            raise self._failure_at(t, y, "it makes no headway")
        self._mark, self._marked = t, self.steps

    def _failure(self, solver: Stepper, message: str | None) -> SimulationError:
        return self._failure_at(float(solver.t), solver.y, message)

    def _ask_ahead(self, t: float, y: Floats) -> None:
        """Let a law without a value right ahead say so; native code only sees that it has none."""
        ahead = self.rate(t, y)
        if self.rate.trouble is None and np.all(np.isfinite(ahead)):
            self.rate.stretch = (-np.inf, np.inf)
            for step in (1e-9 * self.duration, 1e-6 * self.duration, 1e-4 * self.duration):
                self.rate.inputs(t + step, y + step * ahead)

    def _failure_at(self, t: float, y: Floats, message: str | None) -> SimulationError:
        self._ask_ahead(t, y)
        if self.rate.trouble is not None and self.rate.when >= t:
            return self.rate.trouble
        return failure(self.drive, t, y, message)


def _step(solver: Stepper) -> str | None:
    """One step; what the solver's own algebra cannot do is a failed step."""
    try:
        with np.errstate(all="ignore"):
            return solver.step()
    except SuppleError:
        raise
    except (ArithmeticError, ValueError, np.linalg.LinAlgError):
        solver.status = "failed"
        return "the state is no longer finite"


def failure(drive: Experiment, t: float, y: Floats, message: str | None) -> SimulationError:
    """Why a run stopped, as well as can be told from where it did."""
    robot, held = drive.robot, drive.driven.held
    names = [*robot.coordinate_names, *(f"d/dt {n}" for n in robot.velocity_names)]
    finite = np.nan_to_num(np.abs(y[: len(names)]), nan=np.inf)
    worst = names[int(np.argmax(finite))]
    reason = (message or "the state is no longer finite").rstrip(".").lower()
    where = f"the run of {robot.name} stopped at t = {t:.6g} s"
    lock = checks.locked_joint(robot, y[: robot.nq], near=0.01)
    if lock is not None:
        return SimulationError(f"{where}: {checks.lock_words(lock)}")
    singular = singular_here(robot, y[: robot.nq]) if robot.loops else ""
    if singular:
        return SimulationError(f"{where}: {singular}")
    words = checks.indefinite_words(robot, y[: robot.nq], held, share=0.05)
    if words:
        return SimulationError(f"{where}: {words}")
    return SimulationError(
        f"{where}: {reason}. The largest state is {worst}. Look at the torques, at the damping, "
        f"or try method='rosenbrock'."
    )
