"""The README's picture: ratios beside the growth of long chains."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from supple.files import write_whole

from .table import Table

GREY = "#888888"


def draw(ratios: Table, growth: Table, path: Path) -> None:
    figure = Figure(figsize=(11, 5), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    _bars(left, ratios)
    _lines(right, growth)
    for axes in (left, right):
        axes.spines[["top", "right"]].set_visible(False)
    write_whole(path, lambda file: figure.savefig(file, dpi=130))


def _bars(axes: Any, ratios: Table) -> None:
    rows = ratios.records()[::-1]
    axes.barh(range(len(rows)), [r["times faster"] for r in rows], color="#4477aa")
    axes.set_yticks(range(len(rows)), [f"{r['what']}, {r['peer']}" for r in rows])
    for i, row in enumerate(rows):
        ratio = row["times faster"]
        axes.text(ratio, i, f" {ratio:.1f}", va="center", fontsize=8)
    axes.set(xscale="log", xlabel="times faster than the peer")
    axes.tick_params(axis="y", labelsize=8)


def _lines(axes: Any, growth: Table) -> None:
    for name, color in (("rigid", "#4477aa"), ("flexible", "#cc6677")):
        chain = [r for r in growth.records() if r["chain"] == name]
        _line(axes, chain, "ns a link", "o-", color, f"Supple, {name}")
        peers = [r for r in chain if r["Pinocchio"]]
        _line(axes, peers, "Pinocchio", "s--", GREY, f"Pinocchio, {name}")
    axes.set(xscale="log", yscale="log", xlabel="links", ylabel="forward dynamics, ns a link")


def _line(
    axes: Any, rows: list[dict[str, Any]], column: str, style: str, color: str, label: str
) -> None:
    if not rows:
        return
    x, y = [r["links"] for r in rows], [r[column] for r in rows]
    axes.plot(x, y, style, color=color)
    near: dict[str, Any] = {"xytext": (0, 6), "textcoords": "offset points"}
    axes.annotate(label, (x[-1], y[-1]), ha="right", color=color, **near)
