"""A study as a picture: how each outcome is distributed, and over the numbers that move it most."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..errors import InputError
from ..types import Floats
from ..view.style import COLOURS, GREY, new_figure, styled
from .report import main_effects, pareto_front

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from .result import Sweep

MOST_OUTCOMES, MOST_NUMBERS, DOTS = 6, 3, 5000


@styled
def study_figure(sweep: Sweep, pareto: tuple[str, str] | None = None) -> Figure:
    """A row for each outcome: its histogram, then the outcome over the numbers with the largest
    main effects. With `pareto` a last panel of two outcomes."""
    if not sweep.sound.any():
        raise InputError(f"no point of {sweep.folder} has an outcome; there is nothing to draw")
    outcomes = sweep.outcomes[:MOST_OUTCOMES]
    columns = 1 + min(len(sweep.varied), MOST_NUMBERS)
    rows = len(outcomes) + (pareto is not None)
    title = f"{sweep.name}: {int(sweep.sound.sum())} points"
    figure = new_figure((3.2 * columns, 2.4 * rows + 0.4), title)
    panels = figure.subplots(rows, columns, squeeze=False)
    for row, name in zip(panels, outcomes, strict=False):
        y = sweep[name][sweep.sound]
        _histogram(row[0], name, y)
        effects = main_effects({x: sweep[x][sweep.sound] for x in sweep.varied}, y)
        ranked = sorted(effects.items(), key=lambda item: -np.nan_to_num(item[1]))
        for axes, (x, effect) in zip(row[1:], ranked[:MOST_NUMBERS], strict=False):
            _cloud(axes, sweep[x][sweep.sound], y, x, name)
            axes.set_title(f"main effect {effect:.2g}")
    if pareto is not None:
        _front(panels[-1, 0], sweep, pareto)
        for axes in panels[-1, 1:]:
            axes.set_axis_off()
    return figure


def _histogram(axes: Axes, name: str, y: Floats) -> None:
    y = y[np.isfinite(y)]
    axes.hist(y, bins=min(60, max(5, round(np.sqrt(len(y))))), color=COLOURS[0])
    axes.axvline(float(np.median(y)), color=COLOURS[1])
    axes.axvline(float(np.quantile(y, 0.95)), color=COLOURS[1], linestyle="--")
    axes.set_xlabel(name)
    axes.set_ylabel("points")
    axes.set_title("line: median, dashes: 95 %")
    axes.locator_params(axis="x", nbins=4)


def _cloud(axes: Axes, x: Floats, y: Floats, number: str, outcome: str) -> None:
    some = slice(None, None, max(1, len(x) // DOTS))
    size = float(np.clip(4000 / len(x), 4, 14))  # few points are seen as well as many
    axes.scatter(
        x[some], y[some], s=size, color=COLOURS[0], linewidths=0, alpha=0.5, rasterized=True
    )
    axes.margins(0.03)
    axes.locator_params(axis="x", nbins=4)
    axes.set_xlabel(number)
    axes.set_ylabel(outcome)


def _front(axes: Axes, sweep: Sweep, pareto: tuple[str, str]) -> None:
    a, b = (sweep[name][sweep.sound] for name in pareto)
    best = pareto_front(a, b)
    some = slice(None, None, max(1, len(a) // DOTS))
    axes.scatter(a[some], b[some], s=4, color=GREY, linewidths=0, rasterized=True)
    axes.plot(a[best], b[best], "o-", color=COLOURS[1], markersize=3)
    axes.margins(0.03)
    axes.set_xlabel(pareto[0])
    axes.set_ylabel(pareto[1])
    axes.set_title("none is less in both")
