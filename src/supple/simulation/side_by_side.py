"""Runs side by side in the lanes of vectors, and on all cores.

Each lane has its own time, steps and checks. A run that does not get on there (a jump of its
forces, chatter, no step that satisfies the equations) is left aside, to be made alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from queue import SimpleQueue

import numpy as np

from ..types import Floats
from .breaks import FINEST
from .integrators import log as at
from .native_inputs import NativeInputs
from .run_failures import OFTEN, SLOW
from .runner import Runner, SampleTimes, checked_one_of
from .simulated_robot import SimulatedRobot, StateRate
from .solver import Tolerances
from .step_checks import ALLOWED
from .variations import STATES

MARCH = 10 * OFTEN  # steps, after which it is looked at how far the runs have got


class SideBySide:
    """The runs of one call, each with its `own` last numbers of the law (runs, numbers): `states`
    (runs, times, size), their `steps`, what went wrong (`trouble`), and which of them are to be
    made alone (`aside`)."""

    def __init__(
        self,
        drive: SimulatedRobot,
        inputs: NativeInputs,
        varied: Mapping[str, Floats],
        own: Floats,
        times: Floats,
        how: Tolerances,
        method: str,
        lanes: int,
    ) -> None:
        self.drive, self.inputs, self.varied, self.own = drive, inputs, varied, own
        self.times, self.how, self.method, self.lanes = times, how, method, lanes
        self.duration = float(times[-1])
        self.count = len(varied["q0"])
        self.names = [name for name in varied if name not in STATES]
        self.rate = StateRate(replace(drive, names=()))
        self.rate.stretch = (0.0, self.duration)
        smooth = inputs.smooth(self.duration, self._starts([0])[:, 0])
        self._every = checked_one_of(smooth, how, self.duration)
        self._breaks = [0.0, *drive.breaks(self.duration), self.duration]
        self.states = np.full((self.count, len(times), drive.size), np.nan)
        self.steps = np.zeros(self.count, dtype=int)
        self.trouble = np.full(self.count, "", dtype=object)
        self.aside: list[int] = []

    def run(self, threads: int) -> None:
        """All of them, by so many threads."""
        count, lanes = self.count, self.lanes
        groups = [range(k, min(k + lanes, count)) for k in range(0, count, lanes)]
        threads = min(threads, len(groups))
        made = [self._runner() for _ in range(threads)]
        runners: SimpleQueue[Runner] = SimpleQueue()
        for runner in made:
            runners.put(runner)

        def group(runs: range) -> None:
            runner = runners.get()
            try:
                self._group(runner, list(runs))
            finally:
                runners.put(runner)

        with ThreadPoolExecutor(threads) as pool:
            try:
                list(pool.map(group, groups))
            finally:  # threads do not outlive an interrupt by long
                for runner in made:
                    runner.halted = True
                pool.shutdown(cancel_futures=True)

    def _runner(self) -> Runner:
        samples = SampleTimes(len(self.times), self.duration)
        motor = StateRate(self.rate.drive)
        made = Runner(self.drive, motor, self.inputs, self.method, samples, self.lanes)
        made.check_every(self._every)
        return made

    def _starts(self, group: Sequence[int]) -> Floats:
        """Initial states of some runs: (size, runs)."""
        runs = list(group)
        q, qd = self.varied["q0"][runs], self.varied["qd0"][runs]
        own = np.tile(self.drive.law.states.start, (len(runs), 1))
        return np.concatenate([q, qd, np.zeros((len(runs), 2)), own], axis=1).T

    def _group(self, runner: Runner, group: list[int]) -> None:
        """Runs side by side, from break to break; lanes that are left over repeat the last."""
        lanes = [group[min(k, len(group) - 1)] for k in range(self.lanes)]
        runner.forget()
        for k, name in enumerate(self.names):
            runner.parameters[k] = self.varied[name][lanes]
        inside, y = 2.0 * FINEST * self.duration, self._starts(lanes)
        step: float | Floats = self.how.step or 0.0
        runner.samples[0] = y
        for a, b in pairwise(self._breaks):
            runner.rate.stretch = (a + inside, b - inside)
            status = runner.log[at.STATUS].copy()
            runner.start(a, y, b, self.how, step)
            if self.own.size and self.drive.law.written is not None:
                runner.put_numbers(self.own[lanes].T, self.drive.law.written.count)
            runner.log[at.STATUS] = status
            self._march(runner)
            y, step = runner.y.copy(), np.minimum(runner.log[at.H], self.duration)
        self._collect(runner, group)

    def _march(self, runner: Runner) -> None:
        """To the next break, but for runs that hardly get on."""
        log, slow = runner.log, SLOW * self.duration * MARCH / OFTEN
        while not runner.halted:
            before = log[at.T].copy()
            runner.go(MARCH)
            going = (log[at.T] < log[at.END]) & (log[at.STATUS] == at.GOING)
            if not np.any(going):
                return
            lame = going & (log[at.T] - before < slow) & (log[at.FIXED] == 0.0)
            log[at.STATUS] = np.where(lame, at.ROUGH, log[at.STATUS])

    def _collect(self, runner: Runner, group: list[int]) -> None:
        log = runner.log
        for lane, k in enumerate(group):
            self.states[k] = runner.samples[..., lane]
            self.steps[k] = int(log[at.STEPS, lane])
            if log[at.STATUS, lane] != at.GOING:
                self.aside.append(k)
            elif self.how.step is not None and log[at.GAP, lane] > ALLOWED:
                gap = f"{log[at.GAP, lane]:.3g} tolerances"
                self.trouble[k] = f"its steps leave the equations open by {gap}"
