"""Campbell diagrams: frequencies over speed, with engine orders and critical speeds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .style import GREY, INK, colours, legend, new_figure, page, styled

FEW = 4  # modes that are always seen

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..analyse import Campbell


@styled
def diagram(found: Campbell) -> Figure:
    """A curve a mode, a thin line an engine order, a dot where they meet, a band where a motion
    grows."""
    figure = new_figure((9.0, 6.0), f"{found.robot.name}: Campbell diagram")
    axes = figure.subplots()
    speeds, omega = found.speeds, found.grounded
    top = _top(found)
    low = np.nanmin(np.where(np.isfinite(omega), omega, np.inf), axis=0)
    seen = [k for k in range(omega.shape[1]) if low[k] < top]
    for k, colour in zip(seen, colours(len(seen)), strict=True):
        axes.plot(speeds, omega[:, k], color=colour, label=found.modes[k])
    for order in found.orders:
        axes.plot(speeds, order * np.abs(speeds), "--", color=GREY, linewidth=0.7 * page().line)
        _name_order(axes, order, float(speeds[-1]), top)
    if found.crossings:
        axes.plot(
            [c.speed for c in found.crossings],
            [c.omega for c in found.crossings],
            "o",
            color=INK,
            markersize=0.5 * page().font,
            label="critical speed",
        )
    for k, band in enumerate(found.unstable):
        name = "not stable" if k == 0 else ""
        axes.axvspan(band.first, band.last, color=GREY, alpha=0.25, linewidth=0.0, label=name)
    axes.set_xlim(float(speeds[0]), float(speeds[-1]))
    axes.set_ylim(0.0, top)
    axes.set_xlabel(f"speed of {found.joint} [rad/s]")
    whirls = np.isfinite(found.data["whirl"].values).any()
    axes.set_ylabel(f"frequency{' seen from the ground' if whirls else ''} [rad/s]")
    legend(axes, figure.get_size_inches()[0])
    return figure


def _top(found: Campbell) -> float:
    """How far up to look: a little beyond the engine orders and the lowest modes."""
    highest = np.nan_to_num(found.grounded).max(axis=0)
    lines = max(found.orders, default=0.0) * float(np.abs(found.speeds).max())
    return 1.1 * max(lines, float(np.sort(highest)[:FEW].max(initial=0.0)), 1e-300)


def _name_order(axes: Axes, order: float, last: float, top: float) -> None:
    """The order's name near the place where its line leaves the picture."""
    x = 0.93 * min(last, top / order)
    axes.annotate(
        f"{order:g}x",
        (x, order * x),
        xytext=(-4, 3),
        textcoords="offset points",
        ha="right",
        va="bottom",
        fontsize=page().font - 2,
        color=INK,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8},
    )
