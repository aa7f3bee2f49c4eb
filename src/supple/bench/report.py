"""All figures in one run: tables as Markdown, and a plot."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .growth import Length, growth_rows
from .instructions import instruction_rows
from .operations import operation_rows
from .ratios import Row, ratio_rows


def write_report(folder: Path, seconds: float = 1.5) -> str:
    """Measure everything, write the tables and the plot, and give the text of the ratios."""
    folder.mkdir(parents=True, exist_ok=True)
    ratios, growth = ratio_rows(seconds), growth_rows(seconds)
    text = ratio_table(ratios)
    (folder / "ratios.md").write_text(text, encoding="utf-8")
    (folder / "growth.md").write_text(growth_table(growth), encoding="utf-8")
    names = ("robot", "quantity", "mult", "add", "div", "printed mult", "printed add", "printed in")
    (folder / "operations.md").write_text(_table(names, operation_rows()), encoding="utf-8")
    names4 = ("robot", "quantity", "instructions, one state", "a state in a batch")
    (folder / "instructions.md").write_text(_table(names4, instruction_rows()), encoding="utf-8")
    _plot(ratios, growth, folder / "ratios.png")
    return text


def ratio_table(rows: Sequence[Row]) -> str:
    """Ours, the peer's, and how many times faster."""
    cells = [(r.what, f"{r.ours:.3f}", f"{r.peer:.3f}", r.versus, f"{r.ratio:.1f}") for r in rows]
    return _table(("what", "ours [µs]", "peer [µs]", "peer", "times faster"), cells)


def growth_table(rows: Sequence[Length]) -> str:
    """Nanoseconds a link, and compile times."""
    cells = [
        (r.chain, r.links, f"{r.nanoseconds:.0f}", f"{r.peer:.0f}" if r.peer else "",
         f"{r.peer / r.nanoseconds:.1f}" if r.peer else "", f"{r.compile_s:.2f}",
         f"{r.cached_ms:.1f}")
        for r in rows
    ]  # fmt: skip
    names = (
        "chain",
        "links",
        "ns a link",
        "Pinocchio",
        "times faster",
        "compile [s]",
        "found [ms]",
    )
    return _table(names, cells)


def _table(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    lines = ["| " + " | ".join(names) + " |", "|" + "---|" * len(names)]
    lines += ["| " + " | ".join(str(x) for x in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def _plot(ratios: Sequence[Row], growth: Sequence[Length], path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 5), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    labels = [r.what for r in ratios][::-1]
    left.barh(labels, [r.ratio for r in ratios][::-1], color="#4477aa")
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
    figure.savefig(path, dpi=130)
