"""The tour as a notebook: python docs/_ext/notebook.py writes docs/tour.ipynb from docs/tour.md.

A test holds the two together; so the notebook's lines are those that the tests run.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from blocks import FENCED, block_of

TOUR = Path(__file__).parents[1] / "tour.md"
FIRST = "%matplotlib inline\n"
HEAD = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)


def notebook(text: str) -> dict[str, Any]:
    """Cells of text between the blocks, cells of code for the blocks."""
    body, cells, last = HEAD.sub("", text), [_code(FIRST)], 0
    for found in FENCED.finditer(body):
        cells.append(_words(body[last : found.start()]))
        block = block_of(found, "tour.md")
        sign = "!" if block.language == "sh" else ""
        cells.append(_code("".join(f"{sign}{line}\n" for line in block.text.splitlines())))
        last = found.end()
    cells.append(_words(body[last:]))
    for number, cell in enumerate(cells):
        cell["id"] = f"cell{number}"
    python = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": python}, "nbformat": 4, "nbformat_minor": 5}


def _words(text: str) -> dict[str, Any]:
    plain = re.sub(r" The same page is a notebook: .*", "", text.strip())
    return {"cell_type": "markdown", "metadata": {}, "source": plain.splitlines(keepends=True)}


def _code(text: str) -> dict[str, Any]:
    lines = text.rstrip("\n").splitlines(keepends=True)
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
        "source": lines,
    }


def written(text: str) -> str:
    return json.dumps(notebook(text), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    made = written(TOUR.read_text(encoding="utf-8"))
    TOUR.with_suffix(".ipynb").write_text(made, encoding="utf-8")
