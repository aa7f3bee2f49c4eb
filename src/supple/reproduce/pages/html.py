"""The page of a paper: one HTML file that needs nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files

from ..report import VERDICTS, Compared, PaperItem, PaperReport, ReportSection, ReportTable, shown
from .cost import PageCost
from .formulas import formula
from .pictures import Picture

FOLDED = 30  # rows from which on a table is folded
_NUMBER = re.compile(r"[<>~]?\s*[-+−]?\d[\d.]*(e[-+]?\d+)?(\s*%)?")


def page(report: PaperReport, pictures: Mapping[str, Picture], cost: PageCost) -> str:
    """The whole page."""
    chapters = list(_chapters(report, pictures))
    contents = "".join(
        f'<li><a href="#part-{anchor(title)}">{formula(title)}</a></li>' for title, _ in chapters
    )
    body = "".join(
        f'<section id="part-{anchor(title)}"><h2>{formula(title)}</h2>{inner}</section>'
        for title, inner in chapters
    )
    return document(
        report.title,
        f"{_head(report, cost)}<nav aria-label='Contents'><ol>{contents}</ol></nav>"
        f"<main>{body}{_made(report, cost)}</main>",
    )


def document(title: str, body: str) -> str:
    """A page in the house's clothes."""
    css = (files(__package__) / "page.css").read_text(encoding="utf-8")
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="generator" content="supple reproduce">'
        f"<title>{escape(title)}</title><style>{css}</style></head>"
        f'<body><div class="page">{body}</div></body></html>\n'
    )


def anchor(title: str) -> str:
    """A name for links: letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "part"


def _head(report: PaperReport, cost: PageCost) -> str:
    numbers = (
        (f"{cost.wall:.0f} s", "to compute and draw"),
        (str(len(report.compared)), "printed numbers and claims compared"),
        (str(sum(c.verdict == "agrees" for c in report.compared)), "of them agree"),
        (str(len(report.misprints)), "errata"),
        (str(len(report.disputed)), "disputed"),
    )
    return (
        f"<header><h1>{formula(report.title)}</h1>"
        f'<p class="cite">{formula(report.citation)}</p>{facts(numbers)}</header>'
    )


def facts(numbers: Iterable[tuple[str, str]]) -> str:
    """Big numbers with their names."""
    cells = "".join(f"<div><dt>{escape(b)}</dt><dd>{escape(a)}</dd></div>" for a, b in numbers)
    return f'<dl class="facts">{cells}</dl>'


def _chapters(report: PaperReport, pictures: Mapping[str, Picture]) -> Iterable[tuple[str, str]]:
    if report.compared:
        yield "The paper's numbers beside ours", _compared(report.compared)
    if report.listed:
        yield "Tables and figures of the paper", _listed(report, report.listed)
    for section in report.sections:
        yield section.title, _section(section, pictures)
    rows: list[tuple[object, ...]] = [(m.where, m.printed, m.correct) for m in report.misprints]
    yield "Errata: what is misprinted", table(("where", "printed", "correct"), rows)
    if report.disputed:
        words = "Here the print says what its authors meant; we compute it and find otherwise."
        rows = [(d.where, d.claimed, d.found) for d in report.disputed]
        inner = table(("where", "claimed", "what we find"), rows)
        yield "Disputed: what we find otherwise", f"<p>{words}</p>{inner}"
    if report.readings:
        rows = [(r.what, r.read) for r in report.readings]
        yield "Readings: how doubtful data were read", table(("data", "read as"), rows)


def _compared(rows: Sequence[Compared]) -> str:
    legend = "".join(
        f'<p class="note"><span class="verdict {name}">{name}</span>: {escape(words)}</p>'
        for name, words in VERDICTS.items()
        if any(row.verdict == name for row in rows)
    )
    cells = [
        (r.where, r.what, r.printed, r.ours, r.difference, _Html(_badge(r.verdict))) for r in rows
    ]
    columns = ("where", "what", "printed", "ours", "difference", "")
    return table(columns, cells) + legend


def _badge(verdict: str) -> str:
    return f'<span class="verdict {verdict}">{verdict}</span>'


def titled_link(address: str, title: str) -> str:
    """A link as a cell of a table."""
    return _Html(f'<a href="{escape(address)}">{formula(title)}</a>')


class _Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def _listed(report: PaperReport, items: Sequence[PaperItem]) -> str:
    names = {figure.name: figure.label for figure in report.figures}
    rows = []
    for item in items:
        links = (
            f'<a href="#{anchor(w)}">{formula(names.get(w, _short(w)))}</a>' for w in item.where
        )
        state = "reproduced" if item.where else "no data in the text"
        rows.append((item.name, item.what, state, _Html("; ".join(links)), item.why))
    return table(("in the paper", "what it shows", "here", "where", "remark"), rows)


def _short(title: str) -> str:
    return title if len(title) < 48 else f"{title[:45].rsplit(' ', 1)[0]} ..."


def _section(section: ReportSection, pictures: Mapping[str, Picture]) -> str:
    words = f"<p>{formula(section.words)}</p>" if section.words else ""
    tables = "".join(_table(t) for t in section.tables)
    return words + tables + "".join(_figure(pictures[f.name]) for f in section.figures)


def _table(t: ReportTable) -> str:
    inner = table(t.columns, t.rows)
    if len(t.rows) > FOLDED:
        inner = f"<details><summary>{len(t.rows)} rows</summary>{inner}</details>"
    notes = "".join(f'<p class="note">{formula(note)}</p>' for note in t.notes)
    return f'<div id="{anchor(t.title)}"><h3>{formula(t.title)}</h3>{inner}{notes}</div>'


def table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Numbers on the right; smaller letters where there are many columns."""
    kinds = ["number" if _numeric(rows, k) else "" for k in range(len(columns))]
    head = "".join(_cell("th", c, k) for c, k in zip(columns, kinds, strict=True))
    lines = "".join(
        f"<tr>{''.join(_cell('td', c, k) for c, k in zip(row, kinds, strict=True))}</tr>"
        for row in rows
    )
    size = "widest" if len(columns) > 11 else "wide" if len(columns) > 7 else ""
    return (
        f'<div class="scroll"><table class="{size}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{lines}</tbody></table></div>"
    )


def _cell(tag: str, value: object, kind: str) -> str:
    text = str(value) if isinstance(value, _Html) else formula(_text(value))
    return f'<{tag} class="{kind}">{text}</{tag}>' if kind else f"<{tag}>{text}</{tag}>"


def _text(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else shown(value)


def _numeric(rows: Sequence[Sequence[object]], k: int) -> bool:
    cells = [shown(row[k]) for row in rows if shown(row[k])]
    return bool(cells) and all(_NUMBER.fullmatch(cell) for cell in cells)


def _figure(p: Picture) -> str:
    words = f"<b>{p.figure.label}.</b> {formula(p.figure.caption)}"
    return f'<figure id="{anchor(p.figure.name)}">{p.svg}<figcaption>{words}</figcaption></figure>'


def _made(report: PaperReport, cost: PageCost) -> str:
    return (
        f'<section id="made"><h2>How this page was made</h2><pre><code>supple reproduce '
        f'{escape(report.paper)} --out FOLDER</code></pre><p class="made">{escape(cost.words())}'
        "</p></section>"
    )
