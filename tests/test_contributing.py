"""CONTRIBUTING.md speaks of the code as it is: its files are there, its rooms in order."""

from __future__ import annotations

import re
from pathlib import Path

from test_import_order import ORDER

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_every_file_that_is_named_is_there() -> None:
    found = re.findall(r"`((?:src|tests|bench|docs)/[\w./]+)`", TEXT)
    named = sorted({name for name in found if "NAME" not in name})
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_names_in_a_recipe_are_in_the_file_it_names() -> None:
    """`word` of `file`, `word` in `file`, and `file`: ... `word`."""
    pairs = re.findall(r"`(\w+)` (?:of|in) `((?:src|tests|bench)/[\w./]+)`", TEXT)
    assert pairs
    wrong = [(word, file) for word, file in pairs if word not in (ROOT / file).read_text()]
    assert wrong == []


def test_the_rooms_stand_in_the_order_of_imports() -> None:
    table = TEXT.partition("## The rooms")[2].partition("\n## ")[0]
    assert tuple(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == ORDER
