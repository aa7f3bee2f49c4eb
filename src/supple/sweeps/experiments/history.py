"""The variables of runs that outcomes may name.

joint1, link1.bending_y1     coordinates
joint1.rate                  their rates
link3.tip                    places of stations, link3.tip.x their numbers
wanted.joint1                what the motion asks for
wanted.link3.tip             where the station would be if nothing bent
work, dissipated, time, energy_error
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...engine import compile
from ...errors import InputError, unknown_name
from ...robot import Robot
from ...simulation import Motion, Result, Runs
from ...types import Floats
from ...worker_process import Outcomes, Points

AXES = ("x", "y", "z")


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


def final_words(columns: dict[str, Floats], trouble: list[str]) -> Outcomes:
    """Points without an end have no outcome; outcomes that are no numbers are told."""
    bad = np.array([bool(words) for words in trouble])
    for name, values in columns.items():
        out = np.where(bad, np.nan, values)
        columns[name] = out
        for k in np.flatnonzero(~np.isfinite(out) & ~bad):
            trouble[k] = trouble[k] or f"outcome {name} is no finite number"
    return Outcomes(columns, trouble)


def station_names(robot: Robot) -> tuple[str, ...]:
    """All stations, as `robot.station` takes them."""
    return tuple(f"{x.name}.{name}" for x in robot.links for name in x.body.stations)
