"""The fenced blocks of a Markdown page, and what an invisible comment above one says about it.

<!-- before: robot = supple.load("canadarm") -->     Python to run first, not shown
<!-- file: arm.yaml -->                              a block that the reader saves
<!-- not run: it installs packages; CI does it -->   a block that the tests leave alone, and why
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

COMMENT = r"<!-- (?P<kind>before|file|not run):(?P<note>(?:(?!-->).)*)-->\n\n?"
FENCED = re.compile(
    rf"^(?P<indent> *)(?:{COMMENT}(?P=indent))?(?P<fence>```+)(?P<language>\w*)[^\n]*\n"
    r"(?P<text>.*?)^(?P=indent)(?P=fence)$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Block:
    """A fenced block: where its text begins, its language, and the comment above it."""

    page: str
    line: int
    language: str
    text: str
    before: str = ""
    file: str = ""
    not_run: str = ""

    @property
    def runs(self) -> bool:
        return not self.not_run and (bool(self.file) or self.language in ("python", "sh"))

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"


def block_of(found: re.Match[str], page: str) -> Block:
    line = found.string.count("\n", 0, found.start("text")) + 1
    notes = {str(found["kind"]).replace(" ", "_"): found["note"].strip()} if found["kind"] else {}
    return Block(page, line, found["language"], dedent(found["text"]), **notes)


def blocks(path: Path, root: Path) -> list[Block]:
    """All fenced blocks of a page, in order."""
    text, page = path.read_text(encoding="utf-8"), path.relative_to(root).as_posix()
    return [block_of(found, page) for found in FENCED.finditer(text)]
