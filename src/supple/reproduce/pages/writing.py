"""A paper computed, drawn, timed and written."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from ...files import make_folder, write_whole
from ...types import Json
from ..report import PaperReport
from .cost import clock
from .html import page
from .markdown import markdown
from .pictures import picture


def write(paper: str, folder: str | Path) -> dict[str, Json]:
    """PAPER.html, PAPER.md, and each figure as a file of its own in PAPER-figures; what is in
    them, as facts."""
    from .. import reproduce

    home = make_folder(folder)
    stop = clock()
    report = reproduce(paper)
    pictures = {figure.name: picture(figure) for figure in report.figures}
    cost = stop()
    saved = [
        write_whole(home / f"{paper}.html", page(report, pictures, cost)),
        write_whole(home / f"{paper}.md", markdown(report, pictures, cost)),
    ]
    drawings = make_folder(home / f"{paper}-figures")
    saved += [write_whole(drawings / f"{name}.png", p.png) for name, p in pictures.items()]
    return {**facts(report), "saved": [str(path) for path in saved], "cost": asdict(cost)}


def facts(report: PaperReport) -> dict[str, Json]:
    """The report as what JSON can hold."""
    return {
        "paper": report.paper,
        "title": report.title,
        "citation": report.citation,
        "compared": [asdict(c) for c in report.compared],
        "listed": [asdict(x) for x in report.listed],
        "tables": [
            {
                "title": t.title,
                "rows": [dict(zip(t.columns, row, strict=True)) for row in t.rows],
                "notes": list(t.notes),
            }
            for t in report.tables
        ],
        "misprints": [asdict(m) for m in report.misprints],
        "disputed": [asdict(d) for d in report.disputed],
        "readings": [asdict(r) for r in report.readings],
        "saved": [],
    }
