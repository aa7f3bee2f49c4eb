"""A report as one Markdown file. Figures are inside: links by name, their data at the end, so
that the text can be read as text and the file needs no other."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence

from ..report import PaperReport, ReportTable, shown
from .cost import PageCost
from .pictures import Picture


def markdown(report: PaperReport, pictures: Mapping[str, Picture], cost: PageCost) -> str:
    """The whole text; `pictures` without a figure leave it out."""
    lines = [f"# {_plain(report.title)}", "", _plain(report.citation), "", cost.words(), ""]
    for title, columns, rows in _lists(report):
        if rows:
            lines += [f"## {title}", "", *_table(columns, rows), ""]
    for section in report.sections:
        lines += [f"## {_plain(section.title)}", ""]
        lines += [_plain(section.words), ""] if section.words else []
        for table in section.tables:
            lines += _titled(table)
        for figure in section.figures:
            words = f"{figure.label}. {figure.caption}".strip()
            lines += [f"![{_plain(words)}][{figure.name}]", "", f"*{_plain(words)}*", ""]
    lines += [f"[{name}]: {_data(p.png)}" for name, p in pictures.items()]
    return "\n".join(lines) + "\n"


def _lists(report: PaperReport) -> Iterable[tuple[str, Sequence[str], Sequence[Sequence[object]]]]:
    yield (
        "The paper's numbers beside ours",
        ("where", "what", "printed", "ours", "difference", ""),
        [(c.where, c.what, c.printed, c.ours, c.difference, c.verdict) for c in report.compared],
    )
    yield (
        "Tables and figures of the paper",
        ("in the paper", "what it shows", "here", "remark"),
        [
            (x.name, x.what, "; ".join(x.where) or "no data in the text", x.why)
            for x in report.listed
        ],
    )
    yield (
        "Errata: what is misprinted",
        ("where", "printed", "correct"),
        [(m.where, m.printed, m.correct) for m in report.misprints],
    )
    yield (
        "Disputed: what we find otherwise",
        ("where", "claimed", "what we find"),
        [(d.where, d.claimed, d.found) for d in report.disputed],
    )
    yield (
        "Readings: how doubtful data were read",
        ("data", "read as"),
        [(r.what, r.read) for r in report.readings],
    )


def _titled(table: ReportTable) -> list[str]:
    lines = [f"### {_plain(table.title)}", "", *_table(table.columns, table.rows), ""]
    return lines + [line for note in table.notes for line in (_plain(note), "")]


def _table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    def line(cells: Sequence[object]) -> str:
        return "| " + " | ".join(_plain(shown(c)) for c in cells) + " |"

    return [line(columns), "|" + "---|" * len(columns), *(line(row) for row in rows)]


_MEANT = str.maketrans({c: f"\\{c}" for c in "\\|*_[]`~#^"} | {"<": "&lt;", ">": "&gt;"})


def _plain(text: str) -> str:
    """Letters that Markdown would take for its own are kept as they are."""
    return " ".join(text.split()).translate(_MEANT)


def _data(png: bytes) -> str:
    return f"data:image/png;base64,{b64encode(png).decode()}"
