"""Many runs at once: side by side in the lanes of vectors, and on all cores.

    runs = supple.simulate_many(robot, {"q0": {"joint1": angles}, "link1.beam.mass": masses}, ...)

Initial states, torques and numbers of the model vary; each run has its own time, steps and
checks, as if it were alone. One that fails says so and stops no other.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from .. import checks
from ..analyse import validity
from ..engine import compile
from ..errors import InputError, brief, unknown_name
from ..model.parameters import parameter_value
from ..robot import Robot
from ..tracer.function import workers
from ..tracer.machine import host
from ..types import Floats
from .breaks import FINEST
from .experiment import Experiment, Motor
from .gaps import ALLOWED
from .integrators import METHODS as NATIVE, log as at
from .law import Law, Written
from .native_inputs import Answers, NativeInputs
from .observe import make_result
from .result import Result
from .run import prepared, times_of, tolerances
from .runner import Runner, Samples, checked_one_of
from .solver import Tolerances
from .start import start
from .stiffness import choose

if TYPE_CHECKING:
    import xarray as xr

STEPS = 5_000_000  # of one run, at most
RUNAWAY, NO_ENERGY = 1e6, 0.1  # rates [rad/s, m/s] and imbalance that mean nothing
STATES = ("q0", "qd0", "torque")


@dataclass(frozen=True)
class Runs:
    """Many finished runs. `data` is an xarray Dataset with a dimension `run`."""

    data: xr.Dataset
    drive: Experiment
    varied: dict[str, Floats]

    def __len__(self) -> int:
        return int(self.data.sizes["run"])

    def __getitem__(self, name: str) -> Floats:
        """A variable of all runs, e.g. runs["q"]: (runs, times, coordinates)."""
        return np.asarray(self.data[name].values)

    @property
    def failed(self) -> dict[int, str]:
        """Runs that did not come to their end, and why."""
        return {k: str(x) for k, x in enumerate(self.data["trouble"].values) if x}

    def run(self, k: int) -> Result:
        """All that is worth looking at of one run."""
        if not -len(self) <= k < len(self):
            raise InputError(f"there are {len(self)} runs, 0 to {len(self) - 1}; {k} was asked for")
        if self.data["trouble"].values[k]:
            raise InputError(f"run {k} has no end: {self.data['trouble'].values[k]}")
        robot = self.drive.robot
        if self.drive.names:
            values = {name: float(self.varied[name][k]) for name in self.drive.names}
            robot = robot.with_parameters(values)
        law = self.drive.law
        if "torque" in self.varied:
            law = law + _constant(self.varied["torque"][k])
        states = np.concatenate([self[x][k] for x in ("q", "qd")], axis=1)
        sums = np.column_stack([self["work"][k], self["dissipated"][k]])
        own = self["law_state"][k] if self.drive.own else np.zeros((len(sums), 0))
        y = np.concatenate([states, sums, own], axis=1)
        return make_result(
            replace(self.drive, robot=robot, law=law, names=()), self["time"], y, None
        )


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
    """
    checks.check_robot(robot, "simulation")
    times = times_of(duration, motion, robot, samples)
    how = tolerances(method, rtol, atol, step, float(times[-1]))
    if how.method not in ("auto", *NATIVE):
        raise InputError(f"many runs are made by {', '.join(NATIVE)}, not by {how.method}")
    drive = prepared(robot, torque, times, how, motion, prescribed, external, breaks)
    if robot.loops:
        raise InputError(
            f"{robot.name} has closed loops; many runs at once are of open chains so far. Run "
            f"supple.simulate in a loop"
        )
    if drive.law.samplers:
        raise InputError(
            "a sampled law keeps a memory of one run; many runs at once have no place for it. Run "
            "supple.simulate in a loop"
        )
    if any(link.drive.sticks for link in robot.links):
        raise InputError(
            f"{robot.name} has joints that stick; many runs at once have no phases of standing and "
            f"sliding. Run supple.simulate in a loop, or leave stick out"
        )
    varied = _varied(drive, variations)
    names = tuple(name for name in varied if name not in STATES)
    drive = replace(drive, names=names)
    if "torque" in varied:
        drive = replace(drive, law=drive.law + _varying(robot))
    return _Batch(drive, varied, times, how, threads).run()


def _varied(drive: Experiment, given: object) -> dict[str, Floats]:
    """Initial states and torques of all runs, and the numbers of the model."""
    robot = drive.robot
    if not isinstance(given, Mapping) or not given:
        raise InputError(
            f"variations is {brief(given)}; give a mapping of what changes to its values, e.g. "
            f'{{"q0": {{"{robot.coordinate_names[0]}": [0.0, 0.1]}}}}'
        )
    counts = {str(k): _count(str(k), v) for k, v in given.items()}
    if len(set(counts.values())) != 1:
        listed = ", ".join(f"{k}: {n}" for k, n in counts.items())
        raise InputError(f"variations have different numbers of runs ({listed})")
    count = next(iter(counts.values()))
    q, qd = _starts(drive, given, count)
    out = {"q0": q, "qd0": qd}
    if "torque" in given:
        out["torque"] = _torques(robot, given["torque"], count)
    for name, values in given.items():
        if name not in STATES:
            parameter_value(robot, str(name))  # says what is wrong with the name
            out[str(name)] = _column(str(name), values)
            for value in {float(out[str(name)].min()), float(out[str(name)].max())}:
                robot.with_parameters({str(name): value})  # and with its values
    return out


def _count(name: str, given: object) -> int:
    parts = (
        [_column(f"{name}.{k}", v) for k, v in given.items()] if isinstance(given, Mapping) else []
    )
    if parts:
        if len({len(x) for x in parts}) != 1:
            raise InputError(f"{name}: all its coordinates need as many values")
        return len(parts[0])
    return len(_array(name, given))


def _array(name: str, given: object) -> Floats:
    try:
        values = checks.numbers(given)
    except (TypeError, ValueError, OverflowError):
        values = np.zeros(0)
    if values.ndim == 0 or not len(values) or not np.all(np.isfinite(values)):
        raise InputError(f"{name} is {brief(given)}; give one finite value (or row) for each run")
    return values


def _column(name: str, given: object) -> Floats:
    values = _array(name, given)
    if values.ndim != 1:
        raise InputError(f"{name} has the shape {values.shape}; give one number for each run")
    return values


def _starts(drive: Experiment, given: Mapping[str, object], count: int) -> tuple[Floats, Floats]:
    rows_q, rows_qd = (_rows(given.get(name), count) for name in ("q0", "qd0"))
    made = [
        start(drive.robot, q, qd, drive.wanted, drive.driven)
        for q, qd in zip(rows_q, rows_qd, strict=True)
    ]
    return np.array([q for q, _ in made]), np.array([qd for _, qd in made])


def _rows(given: object, count: int) -> list[object]:
    """What each run is given."""
    if given is None:
        return [None] * count
    if isinstance(given, Mapping):
        return [{k: float(np.asarray(v)[i]) for k, v in given.items()} for i in range(count)]
    return list(np.asarray(given, dtype=float))


def _torques(robot: Robot, given: object, count: int) -> Floats:
    if not isinstance(given, Mapping):
        return np.array([checks.force(robot, row) for row in _rows(given, count)])
    out = np.zeros((count, robot.nv))
    for name, values in given.items():
        if name not in robot.velocity_names:
            raise unknown_name("velocity", str(name), robot.velocity_names)
        out[:, robot.velocity_names.index(name)] = _column(f"torque.{name}", values)
    return out


def _constant(force: Floats) -> Law:
    return Law(lambda t, q, qd: force)


def _varying(robot: Robot) -> Law:
    """A torque whose numbers are put in run by run."""
    none = np.zeros(robot.nv)
    written = Written(lambda t, q, qd, n: n, robot.nv, lambda a, b: none)
    return Law(lambda t, q, qd: none, written=written)


class _Batch:
    """The runs of one call."""

    def __init__(
        self,
        drive: Experiment,
        varied: dict[str, Floats],
        times: Floats,
        how: Tolerances,
        threads: int | None,
    ) -> None:
        self.drive, self.varied, self.times, self.how = drive, varied, times, how
        self.duration = float(times[-1])
        self.rate = Motor(replace(drive, names=()))
        self.rate.stretch = (0.0, self.duration)
        self.inputs = NativeInputs(drive, self.rate, Answers())
        self.count = len(varied["q0"])
        self.inputs.believe(self.duration, self._states([0])[:, 0])
        if "torque" in varied and not self.inputs.traced:
            raise InputError(
                "torques vary, and the torque law is called back to Python, where it cannot take "
                "them up. Make them part of the law, or write it without decisions"
            )
        y = self._states([0])[:, 0]
        self.method = how.method
        if how.auto:
            self.method = choose(self.rate, 0.0, y, self.duration, None).method
        smooth = self.inputs.smooth(self.duration, y)
        self.every = checked_one_of(smooth, self.how, self.duration)
        self.lanes = host().lanes if self.inputs.traced else 1
        self.threads = workers(threads) if self.inputs.traced else 1

    def run(self) -> Runs:
        groups = [
            list(range(k, min(k + self.lanes, self.count)))
            for k in range(0, self.count, self.lanes)
        ]
        nv = self.drive.robot.nv
        self.states = np.full((self.count, len(self.times), self.drive.size), np.nan)
        self.trouble = np.full(self.count, "", dtype=object)
        self.steps = np.zeros(self.count, dtype=int)
        breaks = [0.0, *self.drive.breaks(self.duration), self.duration]
        self._runner(self.rate)  # its code is made once, before threads ask for it
        integrate = lambda group: self._group(group, breaks)  # noqa: E731
        with ThreadPoolExecutor(self.threads) as pool:
            list(pool.map(integrate, groups))
        nq = self.drive.robot.nq
        self._watch()
        return Runs(self._dataset(nq, nv), replace(self.drive, law=self._law()), self.varied)

    def _law(self) -> Law:
        """Without what varies."""
        return self.drive.law

    def _states(self, group: list[int]) -> Floats:
        """Initial states of some runs: (size, runs)."""
        q, qd = self.varied["q0"][group], self.varied["qd0"][group]
        own = np.tile(self.drive.law.states.start, (len(group), 1))
        return np.concatenate([q, qd, np.zeros((len(group), 2)), own], axis=1).T

    def _group(self, group: list[int], breaks: list[float]) -> None:
        """Runs side by side, from break to break."""
        lanes = [group[min(k, len(group) - 1)] for k in range(self.lanes)]
        motor = Motor(replace(self.drive, names=()))
        runner = self._runner(motor)
        for k, name in enumerate(self.drive.names):
            runner.parameters[k] = self._lanes(self.varied[name], lanes)
        inside, y, step = 2.0 * FINEST * self.duration, self._states(lanes), self.how.step or 0.0
        if self.lanes == 1:
            y = y[:, 0]
        runner.samples[0] = y
        for a, b in pairwise(breaks):
            motor.stretch = (a + inside, b - inside)
            status = runner.log[at.STATUS].copy()
            runner.start(a, y, b, self.how, step)
            if "torque" in self.varied and self.drive.law.written is not None:
                torques = self._lanes(self.varied["torque"], lanes)
                runner.put_numbers(torques, self.drive.law.written.count)
            runner.log[at.STATUS] = status
            runner.go(STEPS)
            y, step = runner.y.copy(), np.minimum(runner.log[at.H], self.duration)
        self._collect(runner, group)

    def _runner(self, motor: Motor) -> Runner:
        samples = Samples(len(self.times), self.duration)
        made = Runner(self.drive, motor, self.inputs, self.method, samples, self.lanes)
        made.check_every(self.every)
        return made

    def _lanes(self, values: Floats, lanes: list[int]) -> Floats:
        picked = values[lanes].T
        return np.asarray(picked if self.lanes > 1 else picked[..., 0])

    def _collect(self, runner: Runner, group: list[int]) -> None:
        log = runner.log if self.lanes > 1 else runner.log[:, None]
        samples = runner.samples if self.lanes > 1 else runner.samples[..., None]
        for lane, k in enumerate(group):
            self.states[k] = samples[..., lane]
            self.steps[k] = int(log[at.STEPS, lane])
            self.trouble[k] = self._said(log[:, lane])

    def _said(self, log: Floats) -> str:
        """What went wrong with a run, if anything did."""
        t = float(log[at.T])
        if log[at.STATUS] == at.STUCK:
            return f"stopped at t = {t:.6g} s: no step is short enough"
        if log[at.STATUS] == at.ROUGH:
            return f"stopped at t = {t:.6g} s: no step satisfies the equations of motion"
        if t < self.duration:
            return f"stopped at t = {t:.6g} s after {STEPS} steps"
        if self.how.step is not None and log[at.GAP] > ALLOWED:
            return f"its steps leave the equations open by {log[at.GAP]:.3g} tolerances"
        return ""

    def _watch(self) -> None:
        """Runs that bend beyond all meaning, run away, or lose their energy are worth nothing."""
        robot = self.drive.robot
        q, fast = (
            self.states[..., : robot.nq],
            np.abs(self.states[..., robot.nq : -2 - self.drive.own]),
        )
        lost = self._energy(robot.nq, robot.nv) if robot.kinematics.keeps_energy else np.zeros(1)
        for k in range(self.count):
            if not self.trouble[k] and np.nanmax(fast[k], initial=0.0) > RUNAWAY:
                self.trouble[k] = "it diverges: a rate grows beyond all bounds"
            if not self.trouble[k] and lost[k % len(lost)] > NO_ENERGY:
                self.trouble[k] = (
                    f"energy, work and losses differ by {100 * lost[k % len(lost)]:.2g} %"
                )
        if validity.Sentinel(robot)(q):
            return
        for k in range(self.count):
            words = None if self.trouble[k] else validity.refusal(robot, q[k], self.times)
            self.trouble[k] = words or self.trouble[k]

    def _dataset(self, nq: int, nv: int) -> xr.Dataset:
        import xarray as xr

        robot, y = self.drive.robot, self.states
        data = {
            "q": (("run", "time", "coordinate"), y[..., :nq]),
            "qd": (("run", "time", "velocity"), y[..., nq : nq + nv]),
            "work": (("run", "time"), y[..., nq + nv]),
            "dissipated": (("run", "time"), y[..., nq + nv + 1]),
            "energy_error": (("run",), self._energy(nq, nv)),
            "steps": (("run",), self.steps),
            "trouble": (("run",), self.trouble),
        }
        if self.drive.own:
            data["law_state"] = (("run", "time", "state"), y[..., nq + nv + 2 :])
        for name in self.drive.names:
            data[name] = (("run",), self.varied[name])
        coords = {
            "time": self.times,
            "coordinate": list(robot.coordinate_names),
            "velocity": list(robot.velocity_names),
        }
        if self.drive.own:
            coords["state"] = list(self.drive.law.states.names)
        about = {"robot": robot.name, "method": self.method, "lanes": self.lanes}
        return xr.Dataset(data, coords=coords, attrs=about)

    def _energy(self, nq: int, nv: int) -> Floats:
        """The largest imbalance of energy, work and losses in each run, over the largest energy."""
        robot, names = self.drive.robot, self.drive.names
        q, qd = self.states[..., :nq], self.states[..., nq : nq + nv]
        more = []
        if names:
            values = np.column_stack([self.varied[name] for name in names])
            more = [np.repeat(values[:, None, :], len(self.times), axis=1)]
        parts = [
            compile(robot, "kinetic_energy", parameters=names).batch(q, qd, *more),
            compile(robot, "potential_energy", parameters=names).batch(q, *more),
        ]
        total = parts[0] + parts[1]
        work, lost = self.states[..., nq + nv], self.states[..., nq + nv + 1]
        off = np.abs(total - total[:, :1] - work + lost).max(axis=1)
        sizes = [np.ptp(x, axis=1) for x in (*parts, work, lost)]
        return np.asarray(off / np.maximum(np.max(sizes, axis=0), 1e-300))
