"""What a reproduction of a paper holds.

sections    tables and figures, by topic
compared    every number that the paper prints beside ours
listed      every table and figure of the paper: where it is here, or why it is not
misprints   what is printed wrongly, and what is right
disputed    what the paper claims and we find otherwise: no slip of the pen
readings    how data that are missing or doubtful were read
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from ..types import Json

Verdict = Literal["agrees", "misprint", "disputed", "reading"]
VERDICTS: dict[Verdict, str] = {
    "agrees": "within what the print rounds or claims",
    "misprint": "the print is wrong; see Errata",
    "disputed": "computed with care and found otherwise; see Disputed",
    "reading": "depends on how missing data were read; see Readings",
}


@dataclass(frozen=True)
class ReportTable:
    """A table with our values beside the printed ones; `notes` stand below it."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Figure:
    """A figure by name; `draw(axes)` draws it on matplotlib axes, or on a grid of them."""

    name: str
    draw: Callable[..., None]
    grid: tuple[int, int] = (1, 1)  # rows, columns
    size: tuple[float, float] = (7.0, 4.5)  # in
    caption: str = ""

    @property
    def label(self) -> str:
        """ "Figure 6" of figure-06-torque; what is ours has none of the paper's numbers."""
        word, number, *_ = *self.name.split("-"), ""
        return f"Figure {int(number)}" if word == "figure" and number.isdigit() else "Our figure"


@dataclass(frozen=True)
class ReportSection:
    """One topic of a paper."""

    title: str
    tables: tuple[ReportTable, ...] = ()
    figures: tuple[Figure, ...] = ()
    words: str = ""


@dataclass(frozen=True)
class Compared:
    """A number, or a claim, of the paper beside ours; `difference` in words or per cent."""

    where: str
    what: str
    printed: str
    ours: str
    difference: str
    verdict: Verdict


def compare(
    where: str, what: str, printed: float, ours: float, verdict: Verdict, shown: str = ""
) -> Compared:
    """Two numbers; the difference is ours less theirs, in per cent of theirs. `shown` is the
    print as it stands, where the bare number would lose digits."""
    away = 100.0 * (ours - printed) / abs(printed) if printed else ours
    words = "0" if ours == printed else f"{away:+.2g} %" if printed else f"{away:+.2g}"
    return Compared(where, what, shown or f"{printed:g}", f"{ours:.7g}", words, verdict)


@dataclass(frozen=True)
class PaperItem:
    """A table or figure of the paper. where: titles of tables and names of figures here; why: a
    remark, or the reason where nothing can be shown."""

    name: str
    what: str
    where: tuple[str, ...] = ()
    why: str = ""


@dataclass(frozen=True)
class Misprint:
    """What the paper prints wrongly: where, what, what is right."""

    where: str
    printed: str
    correct: str


@dataclass(frozen=True)
class Dispute:
    """What the paper claims, and what we find."""

    where: str
    claimed: str
    found: str


@dataclass(frozen=True)
class Reading:
    """Data that the paper does not give, or gives in doubt, and how they were read."""

    what: str
    read: str


@dataclass(frozen=True)
class PaperReport:
    """A whole paper."""

    paper: str
    title: str
    sections: tuple[ReportSection, ...]
    misprints: tuple[Misprint, ...]
    citation: str = ""
    compared: tuple[Compared, ...] = ()
    listed: tuple[PaperItem, ...] = ()
    disputed: tuple[Dispute, ...] = ()
    readings: tuple[Reading, ...] = ()

    @property
    def tables(self) -> tuple[ReportTable, ...]:
        return tuple(table for section in self.sections for table in section.tables)

    @property
    def figures(self) -> tuple[Figure, ...]:
        return tuple(figure for section in self.sections for figure in section.figures)


@cache
def printed_data(paper: str) -> Json:
    """What a paper prints, and what is to be said of it: the JSON file in its room."""
    room = paper.replace("-", "_")
    return json.loads((files(__package__) / room / f"{room}.json").read_text(encoding="utf-8"))


def report_of(
    paper: str,
    title: str,
    sections: tuple[ReportSection, ...],
    citation: str,
    compared: tuple[Compared, ...],
) -> PaperReport:
    """A report whose misprints, items, disputes and readings are listed in the paper's data."""
    data = printed_data(paper)
    return PaperReport(
        paper,
        title,
        sections,
        tuple(Misprint(*row) for row in data["misprints"]),
        citation,
        compared,
        tuple(PaperItem(a, b, tuple(where), why) for a, b, where, why in data["listed"]),
        tuple(Dispute(*row) for row in data["disputed"]),
        tuple(Reading(*row) for row in data["readings"]),
    )


def shown(cell: object) -> str:
    """A cell as text."""
    return f"{cell:.7g}" if isinstance(cell, float) else str(cell)
