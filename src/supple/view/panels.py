"""Panels of curves over time: the form of most figures of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from ..errors import InputError
from ..types import Floats
from .style import GREY, label, legend, looks, new_figure, page, paler

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST = 6  # links that get a panel each when their curves are too many for one
FEW = 14  # curves that one panel takes


@dataclass(frozen=True)
class Curve:
    """One history. `group` is the link or joint it belongs to."""

    label: str
    values: Floats
    group: str
    wanted: Floats | None = None  # the desired history, dashed beside it


@dataclass(frozen=True)
class Panel:
    """Curves of one quantity over time; a curve that is alone is named on the axis, as in
    "joint torque of shoulder [N m]", unless the panel is `listed`."""

    title: str  # its quantity
    unit: str
    curves: tuple[Curve, ...]
    listed: bool = False

    @property
    def alone(self) -> bool:
        return len(self.curves) == 1 and not self.listed

    @property
    def words(self) -> str:
        return f"{self.title} of {self.curves[0].label}" if self.alone else self.title


def panels(given: Sequence[Panel], t: Floats, title: str, wanted: str = "desired") -> Figure:
    """Panels over time, as many abreast as the page allows; `wanted`: what dashed curves are."""
    found = [p for panel in given for p in _parted(panel) if p.curves]
    if not found:
        names = ", ".join(panel.title for panel in given) or "it"
        raise InputError(f"{title.partition(':')[0]}: nothing to draw; zero throughout: {names}")
    at = page()
    columns = min(at.columns, len(found))
    rows, high = ceil(len(found) / columns), 2.9 if at.headed else 1.9
    wide = at.inches if columns > 1 or not at.headed else 9.0
    figure = new_figure((wide, (0.7 if at.headed else 0.3) + high * rows), title)
    cells = list(figure.subplots(rows, columns, sharex=True, squeeze=False).flat)
    for axes, panel in zip(cells, found, strict=False):
        _draw(axes, panel, t, wanted, wide / columns)
    for axes in cells[len(found) :]:
        axes.set_visible(False)
    for axes in cells[max(len(found) - columns, 0) : len(found)]:
        axes.set_xlabel("time [s]")
        axes.tick_params(labelbottom=True)
    return figure


def _parted(panel: Panel) -> list[Panel]:
    """Too many curves for one panel: one for each link, where links are few enough."""
    groups = list(dict.fromkeys(c.group for c in panel.curves))
    parts = [tuple(c for c in panel.curves if c.group == name) for name in groups]
    if len(panel.curves) <= FEW or not 1 < len(groups) <= MOST or max(map(len, parts)) > FEW:
        return [panel]
    pairs = zip(groups, parts, strict=True)
    return [
        Panel(f"{panel.title} of {name}", panel.unit, _short(name, part), listed=True)
        for name, part in pairs
    ]


def _short(link: str, curves: tuple[Curve, ...]) -> tuple[Curve, ...]:
    """Labels without the link's name, which is on the axis."""
    return tuple(replace(c, label=c.label.removeprefix(link).lstrip(" .")) for c in curves)


def _draw(axes: Axes, panel: Panel, t: Floats, wanted: str, inches: float) -> None:
    """One look a curve; names outside the data."""
    for curve, (colour, style) in zip(panel.curves, looks(len(panel.curves)), strict=True):
        axes.plot(t, curve.values, style, color=colour, label=curve.label)
        if curve.wanted is not None:
            axes.plot(t, curve.wanted, "--", color=paler(colour))
    dashed = any(c.wanted is not None for c in panel.curves)
    if dashed:
        axes.plot([], [], "--", color=GREY, label=wanted)
    axes.set_ylabel(label(panel.words, panel.unit, 2.2 if page().headed else 1.4))
    if dashed or not panel.alone:
        legend(axes, inches)


def seen(curves: Sequence[Curve], least: float = 1e-12) -> tuple[Curve, ...]:
    """Those that are not zero throughout, but for rounding."""
    largest = max((float(np.abs(c.values).max()) for c in curves), default=0.0)
    return tuple(c for c in curves if np.abs(c.values).max() > least * largest)


__all__ = ["Curve", "Panel", "panels", "seen"]
