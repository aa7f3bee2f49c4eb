"""Bode plots: gain and phase of a linear model over frequency."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ..checks import real_numbers
from ..errors import InputError
from ..types import Floats
from .style import label, legend, looks, new_figure, page, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..analyse import LinearModel

MOST = 14  # curves in a panel
LIGHT = 0.7  # damping ratio: below it a pole shows as a peak
NEAR = np.array([-1.0, 1.0])[:, None] * np.geomspace(1e-5, 0.3, 24)  # about a peak, of its place


@styled
def bode(model: LinearModel, w: ArrayLike | None, rows: list[int], columns: list[int]) -> Figure:
    """A pair of panels, gain above phase, for each unit of the outputs over that of the inputs;
    side by side, or one pair below the other on a narrow page."""
    if not rows or not columns:
        raise InputError(f"the linear model of {model.robot.name} has no outputs, or no inputs")
    at = frequencies_of(model) if w is None else real_numbers(w).ravel()
    if len(at) < 2 or np.any(np.diff(at) <= 0.0) or not at[0] > 0.0:
        raise InputError("w of a Bode plot must rise from above zero, at least two frequencies")
    response = model.frequency_response(at)
    groups = _groups(model, rows, columns, response)
    if not groups:
        raise InputError(f"the inputs of the linear model of {model.robot.name} move no output")
    what = "" if np.any(model.qd) else " at rest"
    poles = model.poles()
    bare = "; no damping: peaks have no bound" if np.any((poles.real == 0.0) & (poles != 0)) else ""
    title = f"{model.robot.name}{what}: frequency response{bare}"
    narrow = page().columns == 1
    wide = page().inches if narrow else max(7.5, 5.5 * len(groups))
    figure = new_figure((wide, 4.6 * len(groups) if narrow else 6.5), title)
    shape = (2 * len(groups), 1) if narrow else (2, len(groups))
    cells = figure.subplots(*shape, sharex=True, squeeze=False)
    pairs = cells[:, 0].reshape(-1, 2) if narrow else cells.T
    each = figure.get_size_inches()[0] / (1 if narrow else len(groups))
    for (unit, curves), (gain, phase) in zip(groups.items(), pairs, strict=True):
        shown = _strongest(curves, response)
        _draw(gain, phase, model, at, response, shown)
        if len(shown) < len(curves):
            gain.plot([], [], " ", label=f"and {len(curves) - len(shown)} weaker pairs")
        gain.set_ylabel(label(_quantity(model, curves, "gain"), unit, 2.4))
        phase.set_ylabel("phase [deg]")
        legend(gain, each)
    for axes in cells[-1]:
        axes.set_xlabel("frequency [rad/s]")
    return figure


def _quantity(model: LinearModel, pairs: list[tuple[int, int]], word: str) -> str:
    """The input is named on the axis where there is but one."""
    driving = {j for _, j in pairs}
    return word if len(driving) > 1 else f"{word} from {model.inputs[driving.pop()]}"


def frequencies_of(model: LinearModel) -> Floats:
    """From a tenth of the lowest pole to three times the highest that shows as a peak, finer about
    peaks and notches, so that these are drawn as high and deep as they are."""
    poles = model.poles()
    light = poles[(poles.imag > 0.0) & (np.abs(poles.real) < LIGHT * np.abs(poles))]
    sizes = np.abs(poles[poles != 0.0])
    if not len(sizes):
        return np.geomspace(0.01, 100.0, 400)
    low, high = 0.1 * sizes.min(), 3.0 * (light.imag if len(light) else sizes).max()
    low = max(low, 1e-6 * high)
    about = (light.imag[:, None, None] * (1.0 + NEAR)).ravel()
    about = about[(about > low) & (about < high)]
    return np.unique(np.concatenate([np.geomspace(low, high, 800), about]))


def _groups(
    model: LinearModel, rows: list[int], columns: list[int], response: np.ndarray
) -> dict[str, list[tuple[int, int]]]:
    """Pairs (output, input) by the unit of their gain; those that are not zero throughout."""
    out: dict[str, list[tuple[int, int]]] = {}
    for i in rows:
        for j in columns:
            out.setdefault(gain_unit(model, i, j), []).append((i, j))
    return {unit: seen for unit, pairs in out.items() if (seen := _seen(pairs, response))}


def _strongest(pairs: list[tuple[int, int]], response: np.ndarray) -> list[tuple[int, int]]:
    """As many as can be told apart: those with the largest gains half of the way along."""
    size = [-float(np.median(np.abs(response[:, i, j]))) for i, j in pairs]
    keep = sorted(np.argsort(size, kind="stable")[:MOST])
    return [pairs[k] for k in keep]


def _seen(pairs: list[tuple[int, int]], response: np.ndarray) -> list[tuple[int, int]]:
    sizes = [float(np.abs(response[:, i, j]).max()) for i, j in pairs]
    return [p for p, size in zip(pairs, sizes, strict=True) if size > 1e-12 * max(sizes)]


def gain_unit(model: LinearModel, i: int, j: int) -> str:
    """Unit of output i over input j."""
    if model.robot.units != "SI":
        return "model units"
    top, bottom = model.units[1][i], model.units[0][j]
    return f"{top} per {bottom}"


def _draw(
    gain: Axes,
    phase: Axes,
    model: LinearModel,
    w: Floats,
    response: np.ndarray,
    pairs: list[tuple[int, int]],
) -> None:
    from matplotlib.ticker import MultipleLocator

    many = len({j for _, j in pairs}) > 1
    for (i, j), (colour, style) in zip(pairs, looks(len(pairs)), strict=True):
        values = response[:, i, j]
        name = f"{model.outputs[i]} / {model.inputs[j]}" if many else model.outputs[i]
        gain.loglog(w, np.abs(values), style, color=colour, label=name)
        turns = np.degrees(np.unwrap(np.angle(values)))
        turns = turns - 360.0 * np.ceil((turns[0] - 91.0) / 360.0)  # begin within -270 .. 90
        phase.semilogx(w, turns, style, color=colour, label=name)
    phase.yaxis.set_major_locator(MultipleLocator(_degrees(phase)))


def _degrees(phase: Axes) -> float:
    """Between the ticks of the phase: quarter turns, or whole multiples where it turns far."""
    low, high = phase.get_ylim()
    return 90.0 * max(1, ceil((high - low) / 90.0 / 8.0))
