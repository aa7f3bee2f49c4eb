"""The robot at rest: places of stations, torques, shapes and what is left of the stiffness; and
maps of the workspace, whose outcomes are of all places, e.g. `max(sag)`."""

from __future__ import annotations

import numpy as np

from ...analyse import statics, workspace_map
from ...analyse.result import Statics
from ...analyse.workspace.map import WorkspaceMap
from ...errors import unknown_name
from ...recursion import station_pose
from ...robot import Robot
from ...types import Floats
from .base import PointByPoint
from .history import AXES, station_names

VARIABLES = ("sag", "softest", "stiffest", "along", "stiffness_left")


class StaticsTrial(PointByPoint):
    """`torque.JOINT`, coordinates, `STATION.x`, `stiffness_left`, and `unbent.STATION.x`: where the
    station would be if nothing bent."""

    def one(self, point: dict[str, float]) -> dict[str, float]:
        words, robot = self.words_at(point), self.robot_at(point)
        found = statics(robot, words["q"] or None, dict(words["load"]) or None)
        return self.task.of_one(lambda name: _of_rest(found, name))


def _of_rest(found: Statics, name: str) -> Floats:
    """A variable of one rest: (1,), of a place (1, 1, 3), as at one instant."""
    robot, q = found.robot, found.q
    if name == "stiffness_left":
        return np.array([found.stiffness_left])
    if name in robot.coordinate_names:
        return q[[robot.coordinate_names.index(name)]]
    if name.startswith("torque.") and name.removeprefix("torque.") in found.torques:
        return np.array([found.torques[name.removeprefix("torque.")]])
    if name.startswith("unbent."):
        name, q = name.removeprefix("unbent."), q.copy()
        for link in robot.links:
            q[link.d] = 0.0
    station, _, axis = name.rpartition(".")
    if axis in AXES and station in station_names(robot):
        return _place(robot, q, station)[[AXES.index(axis)]]
    if name in station_names(robot):
        return _place(robot, q, name)[None, None]
    torques = [f"torque.{joint}" for joint in found.torques]
    known = (*robot.coordinate_names, *torques, *station_names(robot), "stiffness_left")
    raise unknown_name("variable", name, known, where=f"statics of {robot.name}")


def _place(robot: Robot, q: Floats, station: str) -> Floats:
    """Where a station is: (3,)."""
    return np.asarray(station_pose(robot, q, station).p, dtype=float)


class MapTrial(PointByPoint):
    """`sag`, `softest`, `stiffest`, `along`, `stiffness_left` over the places reached; `reached`
    and `blank` count them."""

    def one(self, point: dict[str, float]) -> dict[str, float]:
        words, robot = self.words_at(point), self.robot_at(point)
        found = workspace_map(robot, words["station"], words["axes"], dict(words["load"]) or None)
        return self.task.of_one(lambda name: _of_map(found, name))


def _of_map(found: WorkspaceMap, name: str) -> Floats:
    if name in ("reached", "blank"):
        return np.array([float(getattr(found, name))])
    if name not in VARIABLES or name not in found.data:
        known = [n for n in VARIABLES if n in found.data]
        raise unknown_name("variable", name, [*known, "reached", "blank"], where="a map")
    values = np.asarray(found.data[name].values, dtype=float).ravel()
    return np.asarray(values[np.isfinite(values)][None])
