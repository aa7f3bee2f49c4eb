"""Robots in motion for files without a program of their own: places at every picture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...robot import Robot
from ...types import Floats
from .figure import PageFigure
from .places import Frames, PagePlaces
from .record import frames
from .unbent import magnified_way

if TYPE_CHECKING:
    from .show import View

PALETTE = (
    *("#3d7fd9", "#e58a2e", "#2ea57c", "#9467d4"),
    *("#d9534f", "#2ba8c4", "#8aa334", "#d666a8"),
)
STEEL, LOAD = "#5d6673", "#b9a24b"
SECTIONS = 17


@dataclass(frozen=True)
class MovingFigure:
    """A robot's figure, and its places at the given times."""

    figure: PageFigure
    time: Floats
    frames: Frames
    tint: int | None  # which colour it has as a whole, of several

    @property
    def robot(self) -> Robot:
        return self.figure.robot

    def colour(self, paint: int) -> str:
        """Of a link, or of what is no link's own."""
        if paint < 0:
            return STEEL if paint == -1 else LOAD
        if self.tint is not None:
            return PALETTE[self.tint % len(PALETTE)]
        before = [x for x in self.robot.links[:paint] if x.body.mass > 0.0 and x.role == "link"]
        return PALETTE[len(before) % len(PALETTE)]

    def half(self, i: int) -> Floats:
        """Half widths (n, 2) of a beam's sections; round ones where the model gives none."""
        known = self.figure.half(i)
        count = len(self.figure.places.sections[i].x)
        return np.full((count, 2), self.figure.unit) if known is None else known

    def square(self, i: int) -> bool:
        line = self.robot.links[i].body.line
        assert line is not None
        return line.beam.outline is not None and not line.beam.outline.round


def moving_figure(
    view: View, times: Floats | None = None, most: int = 600
) -> Iterator[MovingFigure]:
    """Each robot of a view, at these times, or at its own samples, no more than `most`; a robot
    without a run as it stands."""
    several = len(view.runs) > 1
    for k, robot in enumerate(view.robots):
        figure = PageFigure.of(PagePlaces.of(robot, SECTIONS))
        if not view.runs:
            still = figure.places.at(robot.home()[None])
            yield MovingFigure(figure, np.zeros(1), still, None)
            continue
        run = view.runs[k]
        at = run.time[frames(len(run.time), most)] if times is None else times
        columns = [np.interp(at, run.time, column) for column in run["q"].T]
        q = np.reshape(columns, (-1, len(at))).T  # of a robot that cannot move: none
        q = magnified_way(robot, np.array([robot.normalized(row) for row in q]), view.magnify)
        yield MovingFigure(figure, at, figure.places.at(q), k if several else None)
