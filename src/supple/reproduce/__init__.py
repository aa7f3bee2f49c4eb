"""The papers' tables again, beside what they print: one file a paper.

A paper's module has `report() -> Report`; its name is listed here.
"""

from __future__ import annotations

from importlib import import_module

from ..errors import unknown_name
from .report import Figure, Misprint, Report, ReportTable

PAPERS = {
    "cibicik-egeland": "cibicik_egeland",
    "lin-lewis": "lin_lewis",
    "mohan-saha": "mohan_saha",
    "piedboeuf": "piedboeuf",
    "saha": "saha",
}


def reproduce(paper: str) -> Report:
    """All tables of a paper, computed now, with the printed values and the misprints."""
    if paper not in PAPERS:
        raise unknown_name("paper", paper, PAPERS, where="supple reproduce")
    report: Report = import_module(f".{PAPERS[paper]}", __name__).report()
    return report


__all__ = ["PAPERS", "Figure", "Misprint", "Report", "ReportTable", "reproduce"]
