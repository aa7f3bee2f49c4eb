"""Every command and every line of Python in README and the manual does what it should: blocks run
page by page, in order; commands within sentences are at least such as there are."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import pytest
import typer.main

from blocks import Block, blocks
from running import Session
from studies import STUDIES
from supple.cli import app

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
    "optional-dependencies"
]
COMMANDS = typer.main.get_command(app)
NOT_RUN = {  # page and reason: each says who runs it instead
    ("README.md", "it installs Supple; CI runs it"),
    ("docs/guide.md", "it installs Supple; CI runs it"),
    ("CONTRIBUTING.md", "these are the checks themselves; CI runs them"),
}
HELD = r"^(?:\$ |supple (?!robots \|)|pip |python3? )"  # a line that is a command


def of(page: Path) -> list[Block]:
    return blocks(page, ROOT)


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


ELSEWHERE = {"docs/first_picture.md": "tests/page/test_first_picture.py"}  # who runs it
WITH_BLOCKS = [
    page for page in PAGES if name(page) not in ELSEWHERE and any(block.runs for block in of(page))
]


@pytest.mark.parametrize("page", WITH_BLOCKS, ids=name)
def test_the_blocks_of_a_page_run(page, tmp_path, monkeypatch, recwarn):
    monkeypatch.chdir(tmp_path)
    session, shown = Session(), "run: true" in page.read_text("utf-8")[:40]
    for block in of(page):
        if block.runs:
            session.run(block)
    assert not (shown and [str(found.message) for found in recwarn])  # tutorials surprise nobody


def test_what_is_not_run_is_listed_with_its_reason():
    assert {(b.page, b.not_run) for page in PAGES for b in of(page) if b.not_run} == NOT_RUN


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_no_command_hides_in_a_block_that_is_not_run(page):
    for block in of(page):
        if not block.runs and not block.not_run:
            assert not re.search(HELD, block.text, re.MULTILINE), block.place


def inline(program: str) -> list[str]:
    """Commands that sentences and tables name, each once."""
    texts = [
        re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.M | re.S) for page in PAGES
    ]
    return sorted({line for text in texts for line in re.findall(rf"`{program} ([^`\n|]*)`", text)})


@pytest.mark.parametrize("line", inline("supple"))
def test_a_command_within_a_sentence_is_one_that_there_is(line):
    word, *rest = shlex.split(line)
    if word.startswith("-") or word == "COMMAND":
        return  # what every command has
    known = COMMANDS.commands[word]
    options = {option for each in known.params for option in each.opts}
    assert {text for text in rest if text.startswith("--")} <= options | {"--help", "--quiet"}
    if rest and not rest[-1].startswith("--") and not re.search(r"\b[A-Z]{3,}\b", line):
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(ROOT)
            known.make_context(word, list(rest))  # it is parsed, not run


@pytest.mark.parametrize("line", inline("python"))
def test_a_script_within_a_sentence_is_there_and_so_are_its_studies(line):
    script, *rest = shlex.split(line)
    if script == "-m":
        return  # a module: CI builds the manual, and installs
    assert (ROOT / script).exists()
    if "--only" in rest:
        assert {rest[rest.index("--only") + 1]} <= {*STUDIES, "NAME"}


@pytest.mark.parametrize("line", inline("pip"))
def test_extras_within_a_sentence_are_those_of_the_project(line):
    named = {name for found in re.findall(r"\[([\w,]+)\]", line) for name in found.split(",")}
    assert named <= EXTRAS.keys()
