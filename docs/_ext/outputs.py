"""Pages with `run: true` in their head are run when the manual is built: below each block stands
what it printed and drew. Nothing is kept from one build to the next."""

from __future__ import annotations

import os
import re
import tempfile
import warnings
from contextlib import chdir
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from blocks import COMMENT, FENCED, block_of
from running import Session, Shown

RUNS = re.compile(r"\A---\n(?:.*\n)*?run: true\n(?:.*\n)*?---\n")
MADE = "_made"  # folder of pictures, beside the pages


def with_outputs(app: Sphinx, name: str, source: list[str]) -> None:
    text = source[0]
    if RUNS.match(text):
        with tempfile.TemporaryDirectory() as folder, chdir(folder), warnings.catch_warnings():
            warnings.simplefilter("error")
            text = _run(text, name, Path(app.srcdir) / MADE)
    source[0] = re.sub(COMMENT, "", text, flags=re.DOTALL)


def _run(text: str, name: str, made: Path) -> str:
    session = Session()
    made.mkdir(exist_ok=True)

    def shown(found: re.Match[str]) -> str:
        block = block_of(found, name)
        if not block.runs:
            return found[0]
        picture = made / f"{name.replace('/', '-')}-{block.line}.png"
        return f"{found[0]}\n{_written(session.run(block), picture, name)}"

    return FENCED.sub(shown, text)


def _written(result: Shown, picture: Path, name: str) -> str:
    parts = []
    if result.text.strip():
        parts.append(f"```{{code-block}} text\n:class: output\n{result.text.rstrip()}\n```\n")
    if result.figure is not None:
        result.figure.savefig(picture, dpi=150)
        up = "../" * name.count("/")
        parts.append(f"![what the lines above draw]({up}{MADE}/{picture.name})\n")
    return "\n".join(parts)


def setup(app: Sphinx) -> dict[str, Any]:
    for library in ("OPENBLAS", "OMP", "MKL"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
    app.connect("source-read", with_outputs)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
