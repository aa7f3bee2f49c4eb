"""The page over all papers."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ...types import Json
from .cost import machine
from .formulas import formula
from .html import document, facts, table, titled_link

TITLE = "Five papers reproduced"


def index(papers: Sequence[dict[str, Json]], wall: float, cores: int) -> str:
    """A row a paper: what was compared, found and spent, and the way to its page."""
    total = [c for paper in papers for c in paper["compared"]]
    numbers = (
        (f"{wall:.0f} s", f"for all on {cores} core{'s' * (cores > 1)}"),
        (str(len(total)), "printed numbers and claims compared"),
        (str(sum(c["verdict"] == "agrees" for c in total)), "of them agree"),
        (str(sum(len(p["misprints"]) for p in papers)), "errata"),
        (str(sum(len(p["disputed"]) for p in papers)), "disputed"),
    )
    words = (
        "Every table and figure for which the texts give data, computed anew beside the print. "
        "What is misprinted is kept apart from what we dispute, and from how missing data were "
        "read. Each page is one file that can be mailed or printed."
    )
    return document(
        TITLE,
        f"<header><h1>{TITLE}</h1><p class='cite'>{words}</p>{facts(numbers)}</header>"
        f"{_contents(papers)}<main>{_papers(papers)}{_items(papers)}{_made(wall, cores)}</main>",
    )


def _contents(papers: Sequence[dict[str, Json]]) -> str:
    pages = "".join(
        f"<li><a href='{escape(p['paper'])}.html'>{formula(p['title'])}</a></li>" for p in papers
    )
    below = (("papers", "The papers"), ("items", "Every table and figure"), ("made", "How made"))
    own = "".join(f"<li><a href='#{name}'>{words}</a></li>" for name, words in below)
    return f"<nav aria-label='Contents'><ol>{own}{pages}</ol></nav>"


def _papers(papers: Sequence[dict[str, Json]]) -> str:
    columns = ("paper", "compared", "agree", "errata", "disputed", "wall, s", "CPU, s")
    rows = [
        (
            titled_link(f"{p['paper']}.html", p["title"]),
            len(p["compared"]),
            sum(c["verdict"] == "agrees" for c in p["compared"]),
            *(len(p[part]) for part in ("misprints", "disputed")),
            f"{p['cost']['wall']:.1f}",
            f"{p['cost']['processor']:.1f}",
        )
        for p in papers
    ]
    return f"<h2 id='papers'>The papers</h2>{table(columns, rows)}"


def _items(papers: Sequence[dict[str, Json]]) -> str:
    out = "<h2 id='items'>Every table and figure</h2>"
    for p in papers:
        rows = [
            (x["name"], x["what"], "reproduced" if x["where"] else "no data in the text", x["why"])
            for x in p["listed"]
        ]
        head = f"<h3 id='{escape(p['paper'])}'>{formula(p['title'])}</h3>"
        out += head + table(("in the paper", "what it shows", "here", "remark"), rows)
    return out


def _made(wall: float, cores: int) -> str:
    words = f"{wall:.1f} s of wall clock for all papers on {machine()}."
    return (
        "<h2 id='made'>How these pages were made</h2><pre><code>supple reproduce all --out FOLDER"
        f"</code></pre><p class='made'>{escape(words)}</p>"
    )
