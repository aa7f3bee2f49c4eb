"""Maps of the workspace: outcomes are of all places of a map, e.g. `max(sag)`."""

from __future__ import annotations

import numpy as np

from ...analyse import workspace_map
from ...analyse.workspace.map import WorkspaceMap
from ...errors import unknown_name
from ...types import Floats
from .base import PointByPoint

VARIABLES = ("sag", "softest", "stiffest", "along", "stiffness_left")


class MapTrial(PointByPoint):
    """`sag`, `softest`, `stiffest`, `along`, `stiffness_left` over the places reached; `reached`
    and `blank` count them."""

    def one(self, point: dict[str, float]) -> dict[str, float]:
        words, robot = self.words_at(point), self.robot_at(point)
        found = workspace_map(robot, words["station"], words["axes"], dict(words["load"]) or None)
        return self.task.of_one(lambda name: _looked_up(found, name))


def _looked_up(found: WorkspaceMap, name: str) -> Floats:
    if name in ("reached", "blank"):
        return np.array([float(getattr(found, name))])
    if name not in VARIABLES or name not in found.data:
        known = [n for n in VARIABLES if n in found.data]
        raise unknown_name("variable", name, [*known, "reached", "blank"], where="a map")
    values = np.asarray(found.data[name].values, dtype=float).ravel()
    return np.asarray(values[np.isfinite(values)][None])
