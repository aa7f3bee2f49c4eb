"""The shape functions that a robot's beams are given: phi_k(x), a panel a link and field."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from ..errors import InputError
from ..model.lines import beam_lines
from ..robot import Robot
from .style import label, legend, looks, new_figure, page, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

POINTS = 201
MOST = 24  # panels


@styled
def shapes(robot: Robot) -> Figure:
    """Each over x along its beam, scaled as the model says."""
    found = [
        (name, line.beam.length, field, functions)
        for name, line in beam_lines(robot).items()
        for field, functions in zip(line.base.fields, line.base.shapes, strict=True)
        if field.count
    ][:MOST]
    if not found:
        raise InputError(f"{robot.name} has no beams with shapes to draw")
    columns = min(page().columns, len(found))
    rows, high = ceil(len(found) / columns), 2.9 if page().headed else 1.9
    wide = page().inches if columns > 1 or not page().headed else 9.0
    figure = new_figure((wide, 0.5 + high * rows), f"{robot.name}: shape functions")
    cells = list(figure.subplots(rows, columns, squeeze=False).flat)
    unit = "m" if robot.units == "SI" else "model units"
    for axes, (name, length, field, functions) in zip(cells, found, strict=False):
        x = np.linspace(0.0, length, POINTS)
        rows_of = zip(functions(x), looks(field.count), strict=True)
        for k, (values, (colour, style)) in enumerate(rows_of):
            axes.plot(x, values, style, color=colour, label=f"{field.name}{k + 1}")
        axes.set_xlabel(f"x along {name} [{unit}]")
        axes.set_ylabel(label(f"shape of {name}", "", high - 0.8))
        legend(axes, wide / columns)
    for axes in cells[len(found) :]:
        axes.set_visible(False)
    return figure
