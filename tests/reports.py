"""What must hold of the report of any paper."""

from __future__ import annotations

from functools import cache
from typing import Any

from supple.reproduce import reproduce
from supple.reproduce.pages.html import anchor
from supple.reproduce.report import VERDICTS

report_of = cache(reproduce)
"""The report of a paper, computed once in a process."""


def check_report(report: Any) -> None:
    """Every table and figure that is listed is there, every figure of the paper is listed, all
    draw, and each dispute, erratum and reading that a verdict sends to exists."""
    from matplotlib.figure import Figure as Canvas

    names = [*(t.title for t in report.tables), *(f.name for f in report.figures)]
    assert len({anchor(name) for name in names}) == len(names)
    told = [where for item in report.listed for where in item.where]
    assert set(told) <= set(names), set(told) - set(names)
    assert {f.name for f in report.figures if f.name.startswith("figure-")} <= set(told)
    assert all(item.where or item.why for item in report.listed)
    rows = {len(t.columns) == len(row) for t in report.tables for row in t.rows}
    assert rows == {True}
    used = {c.verdict for c in report.compared}
    assert used <= set(VERDICTS)
    assert report.misprints
    assert bool(report.readings)
    assert report.disputed or "disputed" not in used
    for figure in report.figures:
        assert figure.caption
        figure.draw(Canvas(figsize=figure.size).subplots(*figure.grid))
