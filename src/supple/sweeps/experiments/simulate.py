"""Runs: side by side in SIMD lanes where the robot and what drives it allow it.

Points that differ in the numbers of the model, in initial states and in constant torques share
lanes; numbers of the experiment (gains, shapers) part them into groups.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...control import pd, shaped, shaper
from ...control.controlled_coordinates import controlled_coordinates
from ...engine.dependence import by_symbols
from ...errors import InputError
from ...robot import Robot
from ...simulation import Motion, simulate, simulate_many
from ...simulation.law import Law, LawSum, follows
from ...simulation.motion import named_motion
from ...simulation.start import start_position
from ...simulation.variations import torque_column
from ...types import Floats
from ...worker_process import Outcomes, Points, joined
from .base import ExperimentInputs, PointByPoint, Trial, words_with
from .history import History, final_words

STATES = ("q0", "qd0", "torque")


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
        words = self.words_at(point)
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
