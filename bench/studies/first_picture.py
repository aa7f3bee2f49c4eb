"""From a clone to a 3D picture of one's own arm: the commands of docs/first_picture.md, timed.

They run in a fresh clone, in a new virtual environment, as a newcomer types them.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

from .table import Table

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "first_picture.md"


def commands() -> list[str]:
    """Every line of the page's shell blocks, in order."""
    blocks = re.findall(r"^ *```sh\n(.*?)^ *```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    return [line.strip() for block in blocks for line in block.splitlines() if line.strip()]


def study(seconds: float) -> list[Table]:
    rows: list[tuple[Any, ...]] = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name) / "supple"
        lines = ["git clone -q PROJECT supple", *commands()] if seconds else commands()[:0]
        for line in lines:
            start = perf_counter()
            if line.startswith("git clone"):
                words: list[str] | str = ["git", "clone", "-q", str(ROOT), str(folder)]
                subprocess.run(words, check=True)
            else:
                subprocess.run(line, shell=True, cwd=folder, check=True, capture_output=True)
            rows.append((f"`{_short(line)}`", perf_counter() - start))
        rows.append(("together", sum(row[1] for row in rows)))
        if seconds:
            assert (folder / "arm-run.html").stat().st_size > 500_000
    return [
        Table(("step", "seconds"), rows, ("Compiled code and packages as the machine has them.",))
    ]


def _short(line: str) -> str:
    return line if len(line) < 90 else line[:86] + " ..."
