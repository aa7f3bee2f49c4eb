"""All studies in one run: tables as Markdown, and a plot."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..files import make_folder, write_whole
from .growth import Length
from .ratios import Row
from .tables import STUDIES


def write_report(folder: Path, seconds: float = 1.5) -> str:
    """Measure everything, write the tables and the plot, and give the text of the ratios."""
    make_folder(folder)
    tables = {name: study(seconds) for name, study in STUDIES.items()}
    for name, table in tables.items():
        write_whole(folder / f"{name}.md", table.markdown())
    _plot(tables["ratios"].source, tables["growth"].source, folder / "ratios.png")
    return tables["ratios"].markdown()


def _plot(ratios: Sequence[Row], growth: Sequence[Length], path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 5), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    left.barh(range(len(ratios)), [r.ratio for r in ratios][::-1], color="#4477aa")
    left.set_yticks(range(len(ratios)), [f"{r.what}, {r.versus}" for r in ratios][::-1])
    for i, row in enumerate(ratios[::-1]):
        left.text(row.ratio, i, f" {row.ratio:.1f}", va="center", fontsize=8)
    left.set_xscale("log")
    left.set_xlabel("times faster than the peer")
    left.tick_params(axis="y", labelsize=8)
    left.spines[["top", "right"]].set_visible(False)
    for name, color in (("rigid", "#4477aa"), ("flexible", "#cc6677")):
        chain = [r for r in growth if r.chain == name]
        right.plot([r.links for r in chain], [r.nanoseconds for r in chain], "o-", color=color)
        right.annotate(
            f"Supple, {name}", (chain[-1].links, chain[-1].nanoseconds), ha="right",
            xytext=(0, 6), textcoords="offset points", color=color,
        )  # fmt: skip
        peers = [(r.links, r.peer) for r in chain if r.peer]
        if peers:
            right.plot(*zip(*peers, strict=True), "s--", color="#888888")
            right.annotate(
                "Pinocchio, rigid", peers[-1], ha="right", xytext=(0, 6),
                textcoords="offset points", color="#888888",
            )  # fmt: skip
    right.set(xscale="log", yscale="log", xlabel="links", ylabel="forward dynamics, ns a link")
    right.spines[["top", "right"]].set_visible(False)
    write_whole(path, lambda file: figure.savefig(file, dpi=130))
