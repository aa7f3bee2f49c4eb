"""Many runs at once: side by side in the lanes of vectors, and on all cores.

    runs = supple.simulate_many(robot, {"q0": {"joint1": angles}, "link1.beam.mass": masses}, ...)

Initial states, torques and numbers of the model vary; each run has its own time, steps and
checks, as if it were alone. One that fails says so and stops no other. What cannot go side by
side (closed chains, laws that are called back) is run one after the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from .. import checks
from ..analyse import validity
from ..engine import compile
from ..engine.dependence import by_symbols, dependence
from ..errors import InputError, SuppleError, brief, unknown_name
from ..frozen import Portable
from ..lazy import cached_property
from ..robot import Robot
from ..tracer.machine import host
from ..tracer.shares import workers
from ..types import Array, Floats, Scalar
from .check import failures, written
from .integrate import integrate
from .integrators import METHODS as NATIVE
from .law import Law, TraceableLaw
from .native_inputs import Answers, NativeInputs
from .observe import accelerations, make_result
from .result import Columns, Result, read_only
from .run import finished, tell, times_of, tolerances, wanted_motion
from .run_checks import Guard, check_run
from .run_in_progress import RunInProgress
from .side_by_side import SideBySide
from .simulated_robot import SimulatedRobot, StateRate
from .solver import Tolerances
from .stiffness import choose
from .variations import STATES, Common, experiment_of, model_of, varied_values

if TYPE_CHECKING:
    import xarray as xr

SOME = 32  # runs whose energies are computed together
RUNAWAY, NO_ENERGY = 1e6, 0.1  # rates [rad/s, m/s] and imbalance that mean nothing


@dataclass(frozen=True, eq=False)
class Runs(Portable):
    """Many finished runs."""

    variables: Columns  # of each its axes and its values
    axes: Mapping[str, ArrayLike]
    about: Mapping[str, object]
    drive: SimulatedRobot
    varied: dict[str, Floats]
    how: Tolerances
    common: Common

    def __reduce__(self) -> tuple[Any, ...]:
        return *super().__reduce__(), {k: v for k, v in vars(self).items() if k == "data"}

    @cached_property
    def data(self) -> xr.Dataset:
        """All of it, with a dimension `run`; made when it is asked for."""
        import xarray as xr

        return xr.Dataset(self.variables, coords=self.axes, attrs=self.about)

    def __len__(self) -> int:
        return len(self["trouble"])

    def __getitem__(self, name: str) -> Floats:
        """A variable of all runs, e.g. runs["q"]: (runs, times, coordinates)."""
        known = {n: read_only(values) for n, values in self.axes.items()}
        known |= {n: np.asarray(values) for n, (_, values) in self.variables.items()}
        if "data" in vars(self):  # what was put into it belongs to the runs
            known |= {str(n): x.values for n, x in self.data.variables.items()}
        if not isinstance(name, str) or name not in known:
            where = f"runs of {self.drive.robot.name}"
            raise unknown_name("variable", str(name), known, where=where)
        return np.asarray(known[name])

    @property
    def failed(self) -> dict[int, str]:
        """Runs that did not come to their end, and why."""
        return {k: str(x) for k, x in enumerate(self["trouble"]) if x}

    def run(self, k: int) -> Result:
        """The Result of run k, checked as `simulate` checks one; whether its steps satisfy the
        equations was checked while they were made."""
        if isinstance(k, bool) or not isinstance(k, int | np.integer):
            raise InputError(f"a run is asked by its number, e.g. runs.run(0), got {brief(k)}")
        if not -len(self) <= k < len(self):
            raise InputError(f"there are {len(self)} runs, 0 to {len(self) - 1}; {k} was asked for")
        if self["trouble"][k]:
            raise InputError(f"run {k} did not reach its end: {self['trouble'][k]}")
        drive = experiment_of(self.drive, self.varied, k, self.common)
        if drive.law.samplers:  # they remember the run that was made last
            single_run(drive, self["time"], self.how)
        parts = [self[x][k] for x in ("q", "qd")]
        parts += [self[x][k][:, None] for x in ("work", "dissipated")]
        parts += [self["law_state"][k]] if drive.own else []
        run = make_result(drive, self["time"], np.concatenate(parts, axis=1), drive.wanted)
        run.again = partial(finished, drive, how=self.how)
        made = check_run(drive, run, self.how, accelerations(drive, run))
        run.held.attrs["checks"] = written(made)
        return tell(run, [*drive.words, *failures(made)])


def simulate_many(
    robot: Robot,
    variations: Mapping[str, ArrayLike | Mapping[str, ArrayLike]],
    torque: object = None,
    duration: float | None = None,
    *,
    motion: object = None,
    prescribed: object = None,
    external: object = None,
    breaks: ArrayLike | None = None,
    samples: int = 101,
    method: str = "auto",
    rtol: float = 1e-8,
    atol: float = 1e-10,
    step: float | None = None,
    threads: int | None = None,
) -> Runs:
    """Run the robot once for each of the variations, side by side on all cores.

    variations: what changes from run to run, each with one value (or row) a run: "q0", "qd0" and
    "torque" (rows, or {coordinate: values}), and numbers of the model by name
    ("link1.beam.mass"). The rest is as in `simulate`; torques of the variations are added to it.
    Laws that follow from the robot (feed-forward, computed torque, `lqr`, ...) are made of each
    run's own numbers; those of a robot with other numbers, and functions, stay what they are.
    Closed chains, joints that stick, laws that are sampled or cannot be native code, and numbers
    that are no powers (angles, a payload beside a damping ratio) are run one after the other.
    """
    checks.check_robot(robot, "simulation")
    wanted = wanted_motion(robot, motion)
    times = times_of(duration, wanted, robot, samples)
    how = tolerances(method, rtol, atol, step, float(times[-1]))
    if how.method not in ("auto", *NATIVE):
        raise InputError(f"many runs are made by {', '.join(NATIVE)}, not by {how.method}")
    count = workers(threads)
    common = Common(robot, torque, times, how, motion, prescribed, external, breaks)
    drive = common.experiment(robot)
    return _Batch(drive, varied_values(drive, variations, common), common).run(count)


def _varying(robot: Robot) -> Law:
    """A torque whose numbers are put in run by run."""
    none = np.zeros(robot.nv)
    written = TraceableLaw(lambda t, q, qd, n: n, robot.nv, lambda a, b: none)
    return Law(lambda t, q, qd: none, written=written)


def _of_own_numbers(law: Law, robot: Robot, names: tuple[str, ...]) -> Law:
    """A law that follows from the robot with its numbers put in run by run."""
    inner, found = law.written, dependence(robot, names)
    if inner is None:
        return law
    here, behind = inner.count, inner.count + len(names)

    def of(t: Scalar, q: Array, qd: Array, n: Array) -> Array:
        own = law.of(robot, found.at(n[here:behind])).written
        assert own is not None
        return own.of(t, q, qd, np.concatenate([n[:here], n[behind:]]))

    def numbers(a: float, b: float) -> Floats:
        return np.concatenate([inner.numbers(a, b), found.nominal])

    return replace(law, written=TraceableLaw(of, behind, numbers, inner.states))


class _Batch:
    """The runs of one call."""

    def __init__(self, drive: SimulatedRobot, varied: dict[str, Floats], common: Common) -> None:
        self.drive, self.varied, self.common = drive, varied, common
        self.times, self.how = times, how = common.times, common.how
        self.names = tuple(name for name in varied if name not in STATES)
        self.count = len(varied["q0"])
        self.method, self.lanes = how.method, 1
        self.states = np.full((self.count, len(times), drive.size), np.nan)
        self.trouble = np.full(self.count, "", dtype=object)
        self.steps = np.zeros(self.count, dtype=int)

    def run(self, threads: int) -> Runs:
        """Side by side those that can, the others one after the other."""
        robot, law = self.drive.robot, self.drive.law
        sticks = any(link.drive.sticks for link in robot.links)
        apart = robot.loops or law.samplers or sticks or not by_symbols(robot, self.names)
        together = not apart and self._together(threads)
        if not together:
            for k in range(self.count):
                self._alone(k)
        self._watch()
        return self._finished()

    def _together(self, threads: int) -> bool:
        """Whether they could go side by side, and did."""
        drive, numbers = replace(self.drive, names=self.names), []
        if self.names and drive.law.anew is not None:
            drive = replace(drive, law=_of_own_numbers(drive.law, drive.robot, self.names))
            numbers += [self.varied[name][:, None] for name in self.names]
        if "torque" in self.varied:
            drive = replace(drive, law=drive.law + _varying(drive.robot))
            numbers += [self.varied["torque"]]
        rate, duration = StateRate(replace(drive, names=())), float(self.times[-1])
        rate.stretch = (0.0, duration)
        inputs = NativeInputs(drive, rate, Answers())
        y = replace(drive, q=self.varied["q0"][0], qd=self.varied["qd0"][0]).start()
        inputs.believe(duration, y)
        if not inputs.traced:
            return False
        if self.how.auto:
            self.method = choose(rate, 0.0, y, duration, None).method
        self.lanes = host().lanes
        own = np.hstack([np.zeros((self.count, 0)), *numbers])
        more = (self.times, self.how, self.method, self.lanes)
        made = SideBySide(drive, inputs, self.varied, own, *more)
        made.run(threads)
        self.states, self.trouble, self.steps = made.states, made.trouble, made.steps
        for k in sorted(made.aside):
            self._alone(k)
        return True

    def _alone(self, k: int) -> None:
        try:
            drive = experiment_of(self.drive, self.varied, k, self.common)
        except SuppleError as error:  # it starts in a singular place, or its numbers do not fit
            self.trouble[k] = str(error)
            return
        course, self.trouble[k] = single_run(drive, self.times, self.how)
        rows, self.states[k] = course.samples(), np.nan
        self.states[k, : len(rows)], self.steps[k] = rows, course.steps
        if self.method == "auto" and course.methods:
            self.method = course.methods[0][1]

    def _watch(self) -> None:
        """Runs that bend beyond all meaning, run away, or lose their energy are worth nothing."""
        robot = self.drive.robot
        q = self.states[..., : robot.nq]
        lost = self.imbalance if robot.kinematics.keeps_energy else np.zeros(self.count)
        for k in range(self.count):
            fast = np.abs(self.states[k, :, self._rates])
            if not self.trouble[k] and np.nanmax(fast, initial=0.0) > RUNAWAY:
                self.trouble[k] = "it diverges: a rate grows beyond all bounds"
            if not self.trouble[k] and lost[k] > NO_ENERGY:
                self.trouble[k] = f"energy, work and losses differ by {100 * lost[k]:.2g} %"
        if validity.BendCheck(robot)(q):
            return
        for k in range(self.count):
            words = None if self.trouble[k] else validity.refusal(robot, q[k], self.times)
            self.trouble[k] = words or self.trouble[k]

    @property
    def _rates(self) -> slice:
        """Of a state, the velocity."""
        return slice(self.drive.robot.nq, self.drive.robot.nq + self.drive.robot.nv)

    def _finished(self) -> Runs:
        robot, y, here = self.drive.robot, self.states, self._rates.stop
        data: dict[str, tuple[tuple[str, ...], ArrayLike]] = {
            "q": (("run", "time", "coordinate"), y[..., : robot.nq]),
            "qd": (("run", "time", "velocity"), y[..., self._rates]),
            "work": (("run", "time"), y[..., here]),
            "dissipated": (("run", "time"), y[..., here + 1]),
            "energy_error": (("run",), self.imbalance),
            "steps": (("run",), self.steps),
            "trouble": (("run",), self.trouble),
        }
        axes: dict[str, ArrayLike] = {
            "time": self.times,
            "coordinate": list(robot.coordinate_names),
            "velocity": list(robot.velocity_names),
        }
        if self.drive.own:
            data["law_state"] = (("run", "time", "state"), y[..., here + 2 :])
            axes["state"] = list(self.drive.law.states.names)
        data |= {name: (("run",), self.varied[name]) for name in self.names}
        about = {"robot": robot.name, "method": self.method, "lanes": self.lanes}
        return Runs(data, axes, about, self.drive, self.varied, self.how, self.common)

    @cached_property
    def imbalance(self) -> Floats:
        """The largest imbalance of energy, work and losses in each run, over the largest energy;
        some runs at a time, so that all that is computed stays in the processor's memory."""
        robot, names = self.drive.robot, self.names
        if by_symbols(robot, names):
            parts = [slice(k, k + SOME) for k in range(0, self.count, SOME)]
            return np.concatenate([self._imbalance(runs, robot, names) for runs in parts])
        out = np.full(self.count, np.nan)
        for k in np.flatnonzero(self.trouble == "").tolist():
            out[k] = self._imbalance(slice(k, k + 1), model_of(robot, self.varied, k), ())[0]
        return out

    def _imbalance(self, runs: slice, robot: Robot, names: tuple[str, ...]) -> Floats:
        kinetic, potential = (
            compile(robot, f"{kind}_energy", parameters=names) for kind in ("kinetic", "potential")
        )
        y, here = self.states[runs], self._rates.stop
        q, qd = (np.ascontiguousarray(y[..., x]) for x in (slice(self._rates.start), self._rates))
        more = []
        if names:
            values = np.column_stack([self.varied[name][runs] for name in names])
            more = [np.repeat(values[:, None, :], len(self.times), axis=1)]
        parts = [kinetic.batch(q, qd, *more), potential.batch(q, *more)]
        work, lost = y[..., here], y[..., here + 1]
        total = parts[0] + parts[1]
        off = np.abs(total - total[:, :1] - work + lost).max(axis=1)
        sizes = [np.ptp(x, axis=1) for x in (*parts, work, lost)]
        return np.asarray(off / np.maximum(np.max(sizes, axis=0), 1e-300))


def single_run(drive: SimulatedRobot, times: Floats, how: Tolerances) -> tuple[RunInProgress, str]:
    """A run of many that is made alone, as `simulate` makes it: what was reached, and why it
    stopped if it did."""
    course, trouble = RunInProgress(drive, times, how, Guard(drive)), ""
    try:
        integrate(course, drive.start())
        course.settle()
    except SuppleError as error:
        trouble = str(error)
        course.salvage()
    return course, trouble
