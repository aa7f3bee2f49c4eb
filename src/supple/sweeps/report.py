"""What a study says: distributions, main effects, correlations, the best compromises, the worst;
in words, as plain data, and as a picture.

The main effect of a number on an outcome is the share of the outcome's variance that its mean over
points of like values of the number has,

    S = Var( E[ outcome | number ] ) / Var( outcome ),

the first-order index of Sobol'; 1: the number alone decides, 0: it has no effect of its own. Of a
full grid these means are exact (analysis of variance); of other points they are taken over bins of
equal counts, and S is freed of what chance alone would give.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..errors import InputError, unknown_name
from ..text_table import columns
from ..types import Floats
from ..view.style import COLOURS, GREY, new_figure, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from .store import Sweep

QUANTILES = (0.05, 0.5, 0.95)
WORST = 5
MOST_OUTCOMES, MOST_NUMBERS, DOTS = 6, 3, 5000  # of the picture


@dataclass(frozen=True)
class Distribution:
    """Of one outcome over the points that have it."""

    name: str
    mean: float
    deviation: float
    least: float
    quantiles: tuple[float, ...]
    largest: float


def distribution(name: str, values: Floats) -> Distribution:
    """Of the points that have the outcome: a function may give it for some only."""
    values = values[np.isfinite(values)]
    if not len(values):
        nothing = float("nan")
        return Distribution(name, *(nothing,) * 3, (nothing,) * len(QUANTILES), nothing)
    scale = float(np.abs(values).max()) or 1.0  # squares of huge and tiny numbers are none
    quantiles = tuple(float(x) for x in np.quantile(values, QUANTILES))
    spread = scale * float((values / scale).std(ddof=1)) if len(values) > 1 else 0.0
    mean = scale * float((values / scale).mean())
    return Distribution(name, mean, spread, float(values.min()), quantiles, float(values.max()))


def main_effects(numbers: dict[str, Floats], y: Floats) -> dict[str, float]:
    """S of y on each number that varies."""
    there = np.isfinite(y) & np.all([np.isfinite(x) for x in numbers.values()], axis=0)
    grid = _full_grid([x[there] for x in numbers.values()])
    return {name: main_effect(x, y, grid) for name, x in numbers.items()}


def _full_grid(numbers: list[Floats]) -> bool:
    """Whether the points are all combinations of the numbers' values, each as often as its values
    would have it."""
    levels = [np.unique(x, return_inverse=True, return_counts=True)[1:] for x in numbers]
    shape = tuple(len(counts) for _, counts in levels)
    n = len(numbers[0])
    if math.prod(shape) > n or n == 0:
        return False
    cells = np.ravel_multi_index([where for where, _ in levels], shape)
    expected = reduce(np.multiply.outer, [counts / n for _, counts in levels]).ravel()
    return np.allclose(np.bincount(cells, minlength=len(expected)), n * expected)


def main_effect(x: Floats, y: Floats, grid: bool = False) -> float:
    """S of y on x; NaN where y does not vary or there are too few points. grid: the points are a
    full one."""
    x, y = _both(x, y)
    different, n = np.unique(x), len(y)
    if n < (2 if grid else 8) or np.all(y == y[0]) or len(different) < 2:
        return float("nan")
    y = y / np.abs(y).max()  # squares of huge and tiny numbers are none
    y = (y - y.min()) / (y.max() - y.min())
    total = float(y.var())
    groups = np.searchsorted(different, x) if grid else _groups(x, different)
    counts = np.bincount(groups)
    means = np.bincount(groups, y) / np.maximum(counts, 1)
    between = float((counts * (means - y.mean()) ** 2).sum()) / n
    used = int((counts > 0).sum())
    # what groups of noise would show; of a grid nothing is left to chance
    chance = 0.0 if grid else (total - between) * (used - 1) / max(n - used, 1)
    return float(np.clip((between - chance) / total, 0.0, 1.0))


def _both(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """The points that have both numbers."""
    there = np.isfinite(x) & np.isfinite(y)
    return x[there], y[there]


def _groups(x: Floats, different: Floats) -> npt.NDArray[np.intp]:
    """The bin of each point: one for each value where most of them come again, else of equal
    counts."""
    if len(different) <= len(x) // 2:
        return np.searchsorted(different, x)
    bins = int(min(50, max(2, round(len(x) ** (1 / 3)))))
    edges = np.quantile(x, np.linspace(0.0, 1.0, bins + 1)[1:-1])
    return np.searchsorted(edges, x, side="right")


def rank_correlation(x: Floats, y: Floats) -> float:
    """Spearman's; NaN where one of them does not vary."""
    x, y = _both(x, y)
    if len(x) < 3 or np.all(x == x[0]) or np.all(y == y[0]):
        return float("nan")
    from scipy.stats import rankdata

    return float(np.corrcoef(rankdata(x), rankdata(y))[0, 1])


def pareto_front(a: Floats, b: Floats) -> list[int]:
    """Rows of which no other is less in both, from the least a to the least b."""
    out, best = [], np.inf
    for k in np.lexsort((b, a)):
        if b[k] < best and np.isfinite(a[k]):
            out.append(int(k))
            best = float(b[k])
    return out


def worst(sweep: Sweep, name: str, count: int = WORST) -> list[int]:
    """Points with the largest size of an outcome."""
    values = np.where(sweep.sound & np.isfinite(sweep[name]), np.abs(sweep[name]), -np.inf)
    rows = np.argsort(-values, kind="stable")[:count]
    points = sweep.points
    return [int(points[k]) for k in rows if np.isfinite(values[k])]


def again(sweep: Sweep, point: int) -> str:
    """The command that computes a point once more; a study without a file shows its numbers."""
    if not sweep.source:
        return f"supple.load_sweep({str(sweep.folder)!r}).data.sel(point={point})"
    return f"supple sweep {shlex.quote(sweep.source)} --point {point}"


def text(sweep: Sweep, pareto: tuple[str, str] | None = None) -> str:
    """The whole report."""
    sound = {name: sweep[name][sweep.sound] for name in (*sweep.varied, *sweep.outcomes)}
    parts = [[_standing(sweep)]]
    if sweep.sound.any():
        parts += [_distributions(sweep, sound), _effects(sweep, sound)]
        parts += [_outcome_pairs(sweep, sound)] if len(sweep.outcomes) > 1 else []
        parts += [_pareto(sweep, pareto)] if pareto is not None else []
        parts += [_worst(sweep)]
    parts += [_failures(sweep)] if sweep.failed else []
    return "\n\n".join("\n".join(lines) for lines in parts)


def _standing(sweep: Sweep) -> str:
    left = sweep.total - len(sweep)
    words = f"{sweep.name}: {len(sweep)} of {sweep.total} points"
    words += f", {len(sweep.failed)} failed" if sweep.failed else ", none failed"
    return words + (f"; {left} are not computed yet (--resume)" if left else "")


def _number(x: float) -> str:
    return "" if np.isnan(x) else f"{x:.4g}"


def _distributions(sweep: Sweep, sound: dict[str, Floats]) -> list[str]:
    heads = ["outcome", "mean", "deviation", "least", "5 %", "median", "95 %", "largest"]
    rows = []
    for name in sweep.outcomes:
        d = distribution(name, sound[name])
        numbers = (d.mean, d.deviation, d.least, *d.quantiles, d.largest)
        rows.append([name, *(_number(x) for x in numbers)])
    return columns(heads, rows)


def _effects(sweep: Sweep, sound: dict[str, Floats]) -> list[str]:
    cells: dict[str, list[str]] = {x: [] for x in sweep.varied}
    for x, _, effect, rank in _effect_rows(sweep, sound):
        cells[x].append("" if np.isnan(rank) else f"{_number(effect) or '-'} ({rank:.4g})")
    heads = ["main effect, (rank correlation)", *sweep.outcomes]
    return columns(heads, [[x, *row] for x, row in cells.items()])


def _effect_rows(sweep: Sweep, sound: dict[str, Floats]) -> Iterator[tuple[str, str, float, float]]:
    """(number, outcome, main effect, rank correlation)."""
    numbers = {x: sound[x] for x in sweep.varied}
    effects = {y: main_effects(numbers, sound[y]) for y in sweep.outcomes}
    for x in sweep.varied:
        for y in sweep.outcomes:
            yield x, y, effects[y][x], rank_correlation(sound[x], sound[y])


def _outcome_pairs(sweep: Sweep, sound: dict[str, Floats]) -> list[str]:
    heads = ["rank correlation", *sweep.outcomes]
    rows = [
        [a, *(_number(rank_correlation(sound[a], sound[b])) for b in sweep.outcomes)]
        for a in sweep.outcomes
    ]
    return columns(heads, rows)


def checked_pair(sweep: Sweep, pareto: tuple[str, str]) -> tuple[str, str]:
    for name in pareto:
        if name not in sweep.outcomes:
            raise unknown_name("outcome", name, sweep.outcomes)
    return pareto


def _front(sweep: Sweep, a: str, b: str) -> list[int]:
    """Rows of all points that are best in both outcomes."""
    rows = np.flatnonzero(sweep.sound)
    return [int(rows[k]) for k in pareto_front(sweep[a][rows], sweep[b][rows])]


def _pareto(sweep: Sweep, pareto: tuple[str, str]) -> list[str]:
    a, b = checked_pair(sweep, pareto)
    front, points = _front(sweep, a, b), sweep.points
    table = [[str(points[k]), _number(sweep[a][k]), _number(sweep[b][k])] for k in front[:20]]
    more = [f"... and {len(front) - 20} more"] if len(front) > 20 else []
    return [*columns(["least of both: point", a, b], table), *more]


def _worst(sweep: Sweep) -> list[str]:
    rows = []
    points = list(sweep.points)
    for name in sweep.outcomes:
        for point in worst(sweep, name, 3):
            value = sweep[name][points.index(point)]
            rows.append([name, _number(value), again(sweep, point)])
    return columns(["largest", "value", "again"], rows)


def _failures(sweep: Sweep) -> list[str]:
    kinds: dict[str, list[int]] = {}
    for point, words in sweep.failed.items():
        kinds.setdefault(words, []).append(point)
    ranked = sorted(kinds.items(), key=lambda item: -len(item[1]))
    rows = [[str(len(p)), again(sweep, p[0]), words[:100]] for words, p in ranked[:10]]
    more = [f"... and {len(ranked) - 10} other reasons"] if len(ranked) > 10 else []
    return [*columns(["failed", "one of them again", "why"], rows), *more]


def facts(sweep: Sweep, pareto: tuple[str, str] | None = None) -> dict[str, object]:
    """The report as plain data."""
    sound = {name: sweep[name][sweep.sound] for name in (*sweep.varied, *sweep.outcomes)}
    out: dict[str, object] = {
        "study": sweep.name,
        "folder": str(sweep.folder),
        "points": sweep.total,
        "computed": len(sweep),
        "failed": [{"point": k, "why": words} for k, words in sweep.failed.items()],
        "outcomes": [],
        "effects": [],
        "worst": [],
    }
    if not sweep.sound.any():
        return out
    out["outcomes"] = [
        asdict(distribution(n, sound[n])) for n in sweep.outcomes if np.isfinite(sound[n]).any()
    ]
    keys = ("number", "outcome", "main_effect", "rank_correlation")
    rows = (dict(zip(keys, row, strict=True)) for row in _effect_rows(sweep, sound))
    out["effects"] = [{k: None if x != x else x for k, x in row.items()} for row in rows]  # no NaN
    out["worst"] = [
        {"outcome": n, "point": k, "again": again(sweep, k)}
        for n in sweep.outcomes
        for k in worst(sweep, n)
    ]
    if pareto is not None:
        out["pareto"] = [int(sweep.points[row]) for row in _front(sweep, *pareto)]
    return out


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
        _pareto_panel(panels[-1, 0], sweep, pareto)
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


def _pareto_panel(axes: Axes, sweep: Sweep, pareto: tuple[str, str]) -> None:
    a, b = (sweep[name] for name in pareto)
    best, rows = _front(sweep, *pareto), np.flatnonzero(sweep.sound)
    some = rows[:: max(1, len(rows) // DOTS)]
    axes.scatter(a[some], b[some], s=4, color=GREY, linewidths=0, rasterized=True)
    axes.plot(a[best], b[best], "o-", color=COLOURS[1], markersize=3)
    axes.margins(0.03)
    axes.set_xlabel(pareto[0])
    axes.set_ylabel(pareto[1])
    axes.set_title("none is less in both")
