"""Runs: side by side in SIMD lanes where the robot and what drives it allow it.

Points that differ in the numbers of the model, in initial states and in constant torques share
lanes; numbers of the experiment (gains, shapers) part them into groups. Outcomes may name

joint1, link1.bending_y1     coordinates
joint1.rate                  their rates
link3.tip                    places of stations, link3.tip.x their numbers
wanted.joint1                what the motion asks for
wanted.link3.tip             where the station would be if nothing bent
work, dissipated, time, energy_error
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...control import pd, shaped, shaper
from ...control.controlled_coordinates import controlled_coordinates
from ...engine import compile
from ...engine.dependence import by_symbols
from ...errors import InputError, unknown_name
from ...robot import Robot
from ...simulation import Motion, Result, Runs, simulate, simulate_many
from ...simulation.law import Law, LawSum, follows
from ...simulation.motion import named_motion
from ...simulation.start import start_position
from ...simulation.variations import torque_column
from ...types import Floats
from ...worker_process import Outcomes, Points, joined
from .base import (
    AXES,
    ExperimentInputs,
    PointByPoint,
    Trial,
    final_words,
    station_names,
    words_with,
)

STATES = ("q0", "qd0", "torque")


@dataclass(frozen=True)
class History:
    """Runs of one robot, or of one whose numbers vary: `values` (runs, names)."""

    robot: Robot
    time: Floats
    q: Floats  # (runs, instants, nq)
    qd: Floats  # (runs, instants, nv)
    sums: dict[str, Floats]
    motion: Motion | None
    names: tuple[str, ...] = ()
    values: Floats = field(default_factory=lambda: np.zeros((0, 0)))

    @classmethod
    def of_many(cls, runs: Runs, motion: Motion | None, points: Points) -> History:
        names = tuple(n for n in points.names if n in runs.variables)
        values = points.values[:, [points.names.index(n) for n in names]]
        sums = {name: runs[name] for name in ("work", "dissipated", "energy_error")}
        return cls(
            runs.drive.robot, runs["time"], runs["q"], runs["qd"], sums, motion, names, values
        )

    @classmethod
    def of_one(cls, run: Result, robot: Robot, motion: Motion | None) -> History:
        q, qd = (np.asarray(run.data[name].values)[None] for name in ("q", "qd"))
        sums = {n: np.asarray(run.data[n].values)[None] for n in ("work", "dissipated")}
        sums["energy_error"] = np.array([run.energy_error])
        return cls(robot, run.time, q, qd, sums, motion)

    def __call__(self, name: str) -> Floats:
        """A variable by its name."""
        if name == "time":
            return np.broadcast_to(self.time, self.q.shape[:2])
        if name in self.sums:
            return self.sums[name]
        if name.startswith("wanted."):
            return self._wanted(name.removeprefix("wanted."))
        if name in self.robot.coordinate_names:
            return self.q[..., self.robot.coordinate_names.index(name)]
        rate = name.removesuffix(".rate")
        if rate != name and rate in self.robot.velocity_names:
            return self.qd[..., self.robot.velocity_names.index(rate)]
        return self._place(name, self.q)

    def _place(self, name: str, q: Floats) -> Floats:
        station, _, axis = name.rpartition(".")
        if axis not in AXES or station not in station_names(self.robot):
            station, axis = name, ""
        if station not in station_names(self.robot):
            known = (*self.robot.coordinate_names, *station_names(self.robot), *self.sums)
            raise unknown_name("variable", name, known, where=f"runs of {self.robot.name}")
        more = []
        if self.names:
            shape = (*q.shape[:2], len(self.names))
            more = [np.broadcast_to(self.values[:, None, :], shape)]
        p = compile(self.robot, "pose", station=station, parameters=self.names).batch(q, *more)[1]
        return np.asarray(p if not axis else p[..., AXES.index(axis)])

    def _wanted(self, name: str) -> Floats:
        if self.motion is None:
            raise InputError(f"wanted.{name} needs a motion; this experiment has none")
        asked = np.array([self.motion(float(t))[0] for t in self.time])
        if name in self.motion.names:
            column = asked[:, self.motion.names.index(name)]
            return np.broadcast_to(column, self.q.shape[:2])
        q = np.tile(self.robot.neutral(), (*self.q.shape[:2], 1))
        for k, joint in enumerate(self.motion.names):
            q[..., self.robot.coordinate_names.index(joint)] = asked[:, k]
        if self.robot.loops:
            raise InputError(f"wanted.{name}: places that a motion asks for are of open chains")
        return self._place(name, q)


def shared(name: str) -> str | None:
    """q0, qd0 or torque, where a number is one of these."""
    head = name.partition(".")[0]
    return head if head in STATES else None


def driven(robot: Robot, words: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of `simulate` that the words say. The goal of feedback without a motion is
    where the file lets the run start, also for points that start elsewhere."""
    motion = _motion(robot, words)
    start = words["q0"] or None
    torque: Floats | Law | LawSum | None = None
    if words["torque"]:
        torque = _torque(robot, words["torque"])
    if words["pd"] is not None:
        law = _feedback(robot, words["pd"], motion, start)
        torque = law if torque is None else law + torque
    plain = {key: words[key] for key in ("duration", "samples", "method", "rtol", "atol", "step")}
    return {"torque": torque, "motion": motion, "external": dict(words["load"]) or None, **plain}


@follows
def _feedback(robot: Robot, gains: list[float], motion: Motion | None, start: object) -> Law:
    """Towards the motion, or to the start: motors of elastic gears stand there as the gears do."""
    goal: object = motion
    if motion is None and start is not None:
        goal = controlled_coordinates(robot).C @ start_position(robot, start)
    kp, kd = gains
    return pd(robot, kp, kd, goal)


def _motion(robot: Robot, words: Mapping[str, Any]) -> Motion | None:
    found = None if words["motion"] is None else named_motion(robot, words["motion"])
    if words["shaper"] is None:
        return found
    if found is None:
        raise InputError("a shaper shapes a motion; give the experiment a motion")
    kind, numbers = next(iter(words["shaper"].items()))
    return shaped(found, shaper(kind, *numbers))


def _torque(robot: Robot, given: Mapping[str, float]) -> Floats:
    return np.asarray(sum(number * torque_column(robot, name) for name, number in given.items()))


class RunsInLanes(Trial):
    """Open chains without joints that stick; their numbers stay open in compiled code."""

    few, many, one_by_one = 16, 1024, False

    def run(self, points: Points) -> Outcomes:
        groups: dict[tuple[float, ...], list[int]] = {}
        own = [k for k, name in enumerate(points.names) if name.startswith("experiment.")]
        for k, row in enumerate(points.values[:, own]):
            groups.setdefault(tuple(row), []).append(k)
        found = [(group, self._group(points.some(group))) for group in groups.values()]
        return joined(len(points), found)

    def _group(self, points: Points) -> Outcomes:
        words = words_with(self.task.words, points.at(0))
        fixed = {n: x for n, x in words["torque"].items() if f"torque.{n}" not in points.names}
        words["torque"] = fixed  # one that varies is put in place of the file's, as q0 is
        given = driven(self.task.robot, words)
        varied = self._variations(points, words)
        runs = simulate_many(self.task.robot, varied, **given, threads=1)
        history = History.of_many(runs, given["motion"], points)
        out = self.task.outcomes(history, runs["time"], len(points))
        return final_words(out, [str(x) for x in runs["trouble"]])

    def _variations(
        self, points: Points, words: Mapping[str, Any]
    ) -> Mapping[str, Floats | dict[str, Floats]]:
        """As simulate_many takes them; what does not vary keeps its number."""
        n = len(points)
        numbers: dict[str, Floats] = {}
        states: dict[str, dict[str, Floats]] = {
            key: {name: np.full(n, float(x)) for name, x in words[key].items()}
            for key in ("q0", "qd0")
            if words[key]
        }
        for name, column in zip(points.names, points.values.T, strict=True):
            head = shared(name)
            if head is not None:
                states.setdefault(head, {})[name.partition(".")[2]] = np.array(column)
            elif not name.startswith("experiment."):
                numbers[name] = np.array(column)
        return {**states, **numbers} or {"q0": np.tile(self.task.robot.home(), (n, 1))}


class RunsInTurn(PointByPoint):
    """Closed chains, joints that stick, numbers that change mode shapes: run after run."""

    def one(self, point: dict[str, float]) -> dict[str, float]:
        words = words_with(self.task.words, point)
        begin = {head: dict(words[head]) for head in STATES}
        for name, number in point.items():
            if (head := shared(name)) is not None:
                begin[head][name.partition(".")[2]] = number
        robot = self.robot_at({n: x for n, x in point.items() if shared(n) is None})
        given = driven(robot, {**words, "torque": begin["torque"]})
        run = simulate(robot, **given, q0=begin["q0"] or None, qd0=begin["qd0"] or None)
        history = History.of_one(run, robot, given["motion"])
        return self.task.of_one(history, run.time)


def make(task: ExperimentInputs) -> Trial:
    """In lanes where that can be."""
    sticks = any(link.drive.sticks for link in task.robot.links)
    own = tuple(n for n in task.names if shared(n) is None and not n.startswith("experiment."))
    alone = bool(task.robot.loops) or sticks or not by_symbols(task.robot, own)
    return RunsInTurn(task) if alone else RunsInLanes(task)
