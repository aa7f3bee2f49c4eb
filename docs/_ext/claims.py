"""`{{ claims of tests/identities/test_random_trees.py }}` in a page becomes the list of what that
file tests: its tests are named by their claims, so the list is true as long as they pass."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

ROOT = Path(__file__).parents[2]
ASKED = re.compile(r"\{\{ claims of (\S+) \}\}")


def claims(path: str) -> str:
    """The names of a file's tests as sentences."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    told = [name.removeprefix("test_").replace("_", " ") for name in names if "test_" in name[:5]]
    return "\n".join(f"- {text[0].upper()}{text[1:]}." for text in told)


def _page(app: Sphinx, name: str, source: list[str]) -> None:
    source[0] = ASKED.sub(lambda found: claims(found[1]), source[0])


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("source-read", _page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
