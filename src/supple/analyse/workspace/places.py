"""Joints that bring a station of the unbent robot to the places of a map."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InputError
from ...robot import Robot
from ...types import Floats
from ..places import closed_places, joint_places
from .grid import WORLD
from .unbent_reach import unbent_search


@dataclass
class WorkspacePlaces:
    """Joint positions of the unbent robot at places of the map, near those found before."""

    robot: Robot
    station: str
    axes: tuple[str, ...]
    start: ArrayLike | Mapping[str, float] | None
    fixed: dict[str, float]

    def __post_init__(self) -> None:
        self.first = (closed_places if self.robot.loops else joint_places)(
            self.robot, self.start, "start"
        )
        for link in self.robot.links:
            self.first[link.d] = 0.0
        self.near: dict[tuple[int, ...], Floats] = {}

    def __call__(self, values: tuple[float, ...], index: tuple[int, ...]) -> Floats | None:
        q = self._joints(values) if self.axes[0] not in WORLD else self._reached(values, index)
        if q is not None:
            self.near[index] = q
        return q

    def _joints(self, values: tuple[float, ...]) -> Floats | None:
        given = dict(zip(self.axes, values, strict=True))
        if self.robot.loops:
            try:
                return closed_places(self.robot, given, "axes")
            except InputError:
                return None  # the loops do not close here
        q, told = self.first.copy(), [self.robot.coordinate_names.index(name) for name in given]
        q[told] = values
        return self.robot.unwound(q, told)

    def _reached(self, values: tuple[float, ...], index: tuple[int, ...]) -> Floats | None:
        target = np.full(3, np.nan)
        for name, value in (*zip(self.axes, values, strict=True), *self.fixed.items()):
            target[WORLD.index(name)] = value
        steps = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
        beside = [tuple(int(a + b) for a, b in zip(index, step, strict=False)) for step in steps]
        firsts = [self.near[k] for k in dict.fromkeys(beside) if k in self.near]
        found = unbent_search(self.robot, self.station, target, [*firsts, self.first])
        return None if found is None else self.robot.unwound(found)
