"""Pages of reports: whole, valid, alone, escaped; the index over them."""

from __future__ import annotations

import re
from base64 import b64decode
from html.parser import HTMLParser
from typing import Any

import pytest

from reports import check_report, report_of
from supple.reproduce import Figure, Misprint, PaperReport, ReportSection, ReportTable
from supple.reproduce.pages import facts
from supple.reproduce.pages.cost import PageCost
from supple.reproduce.pages.formulas import formula
from supple.reproduce.pages.html import page
from supple.reproduce.pages.index import index
from supple.reproduce.pages.markdown import markdown
from supple.reproduce.pages.pictures import picture
from supple.reproduce.report import Compared, Dispute, PaperItem, Reading, compare

COST = PageCost(1.0, 0.5, "two cores")
NASTY = "<script>alert('1')</script> & \"quotes\" | [x](javascript:1) `a`"
VOID = {"meta", "br", "img", "use", "path", "circle", "rect", "line"}


def nasty() -> PaperReport:
    """Hostile words in every place that a page shows."""
    table = ReportTable(NASTY, (NASTY, "b"), ((NASTY, 1.5e-9),), (NASTY,))
    figure = Figure("figure-01-x", lambda axes: axes.set_title(NASTY), caption=NASTY)
    return PaperReport(
        "nasty",
        NASTY,
        (ReportSection(NASTY, (table,), (figure,), NASTY),),
        (Misprint(NASTY, NASTY, NASTY),),
        NASTY,
        (Compared(NASTY, NASTY, NASTY, NASTY, NASTY, "misprint"),),
        (PaperItem(NASTY, NASTY, (NASTY, "figure-01-x"), NASTY),),
        (Dispute(NASTY, NASTY, NASTY),),
        (Reading(NASTY, NASTY),),
    )


@pytest.fixture(scope="module", params=["lin-lewis", "nasty"])
def made(request: Any) -> tuple[PaperReport, str, str]:
    """A report, its page and its text."""
    report = nasty() if request.param == "nasty" else report_of(request.param)
    pictures = {f.name: picture(f) for f in report.figures}
    return report, page(report, pictures, COST), markdown(report, pictures, COST)


class Reader(HTMLParser):
    """Tags that open and close, all ids, all links, all text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attributes: Any) -> None:
        self.tags.append(tag)
        found = dict(attributes)
        self.ids += [found["id"]] if "id" in found else []
        self.links += [v for k, v in attributes if k in ("href", "src", "xlink:href")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: Any) -> None:
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag


def test_a_page_is_whole_and_needs_nothing_else(made: Any) -> None:
    _, text, _ = made
    read = Reader(text)
    assert text.startswith("<!DOCTYPE html>")
    assert read.open == []
    assert len(set(read.ids)) == len(read.ids)
    assert all(link.startswith("#") and link[1:] in read.ids for link in read.links)
    for address in re.findall(r"url\(([^)]*)\)", text):
        assert address.strip("'\"")[1:] in read.ids
    assert not {"script", "link", "img", "iframe", "object"} & set(read.tags)
    assert "http" not in re.sub(r'xmlns(:\w+)?="[^"]*"', "", text)
    assert "@import" not in text


def test_hostile_words_stay_words() -> None:
    report = nasty()
    pictures = {f.name: picture(f) for f in report.figures}
    html, text = page(report, pictures, COST), markdown(report, pictures, COST)
    assert "<script" not in html
    assert "<script" not in text
    assert not re.search(r"(?<!\\)\]\(", text)
    whole = index([{**facts(report), "cost": {"wall": 1.0, "processor": 1.0}}], 2.0, 2)
    assert "<script" not in whole
    assert Reader(whole).open == []


def test_markdown_holds_its_figures(made: Any) -> None:
    report, _, text = made
    for figure in report.figures:
        assert f"][{figure.name}]" in text
        (data,) = re.findall(rf"^\[{figure.name}\]: data:image/png;base64,(\S+)$", text, re.M)
        assert b64decode(data)[:4] == b"\x89PNG"
    for line in text.splitlines():
        if line.startswith("| "):
            assert "<" not in line


def test_a_page_shows_every_part_and_the_time(made: Any) -> None:
    report, html, text = made
    for words in ("printed", "Errata", "Disputed", "Readings", "s of wall clock"):
        assert words in html
        assert words in text
    assert html.count("<figure ") == len(report.figures)
    assert html.count("<h3>") >= len(report.tables)


def test_drawings_take_the_colours_of_the_page() -> None:
    svg = picture(nasty().figures[0]).svg
    assert "currentColor" in svg
    assert "var(--grid)" in svg
    assert "#3d3d3d" not in svg


def test_lin_lewis_holds_what_it_lists() -> None:
    check_report(report_of("lin-lewis"))


@pytest.mark.parametrize(
    ("plain", "shown"),
    [
        ("psi_i = psi^_i / m^_i", "ψ<sub>i</sub> = ψ̂<sub>i</sub> / m̂<sub>i</sub>"),
        ("M_FF^-1 U_FF", "M<sub>FF</sub><sup>−1</sup> U<sub>FF</sub>"),
        ("thdd_i - theta_dot_3", "θ̈<sub>i</sub> − θ̇<sub>3</sub>"),
        ("-1.5e-09", "−1.5·10<sup>−9</sup>"),
        ("int phi' phi'^T", "∫ φ′ φ′<sup>T</sup>"),
        ("first_order of link2.bending_y1", "first_order of link2.bending_y1"),
        ("the paper's `a_b`", "the paper’s <code>a_b</code>"),
        ("0e+00 and 2.5e+00", "0 and 2.5"),
        ("a < b & c", "a &lt; b &amp; c"),
    ],
)
def test_formulas_in_plain_letters(plain: str, shown: str) -> None:
    assert formula(plain) == shown


def test_differences_are_of_the_print() -> None:
    c = compare("4.2", "zero", 76.98, 76.95351, "misprint")
    assert (c.printed, c.ours, c.difference) == ("76.98", "76.95351", "-0.034 %")
    assert compare("T", "n", 10, 10, "agrees").difference == "0"
