"""The papers again, beside what they print: one module a paper, and pages of what they hold.

A paper's module has `report() -> PaperReport`; its name is listed here. `pages` writes it down.
"""

from __future__ import annotations

from importlib import import_module

from ..errors import unknown_name
from .report import Figure, Misprint, PaperReport, ReportSection, ReportTable

PAPERS = {
    "cibicik-egeland": "cibicik_egeland",
    "lin-lewis": "lin_lewis",
    "mohan-saha": "mohan_saha",
    "piedboeuf": "piedboeuf",
    "saha": "saha",
}


def reproduce(paper: str) -> PaperReport:
    """A paper computed now: its numbers beside ours, tables, figures, errata, disputes."""
    if paper not in PAPERS:
        raise unknown_name("paper", paper, {**PAPERS, "all": ""}, where="supple reproduce")
    report: PaperReport = import_module(f".{PAPERS[paper]}", __name__).report()
    return report


__all__ = [
    "PAPERS",
    "Figure",
    "Misprint",
    "PaperReport",
    "ReportSection",
    "ReportTable",
    "reproduce",
]
