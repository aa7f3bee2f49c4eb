"""The manual is whole: all names, all pages, links that lead somewhere, a notebook of the tour."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import supple
from notebook import TOUR, written
from public_names import reference

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))


def test_the_reference_has_every_public_name():
    named = set(re.findall(r"auto(?:function|class):: supple\.(\w+)", reference()))
    assert named | {"__version__"} == set(supple.__all__)


def test_every_page_is_in_the_table_of_contents():
    trees = [DOCS / "index.md", DOCS / "tutorials" / "index.md"]
    listed = {
        (tree.parent / f"{name}.md").resolve()
        for tree in trees
        for block in re.findall(r"```\{toctree\}\n(.*?)```", tree.read_text("utf-8"), re.DOTALL)
        for name in re.findall(r"^([\w/]+)$", block, re.MULTILINE)
    }
    assert {page.resolve() for page in PAGES} <= listed | {DOCS / "index.md"}


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md"], ids=lambda page: page.stem)
def test_links_lead_to_files_that_there_are(page):
    text = re.sub(r"```.*?^```|`[^`\n]*`", "", page.read_text("utf-8"), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        assert target.startswith("http") or (page.parent / target).exists(), target


def test_the_notebook_is_the_tour():
    made = written(TOUR.read_text("utf-8"))
    said = "run python docs/_ext/notebook.py"
    assert TOUR.with_suffix(".ipynb").read_text("utf-8") == made, said
