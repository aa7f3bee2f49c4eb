"""All papers, as many side by side as there are cores, and the index page over them.

Each paper has a process of its own (`supple reproduce PAPER --out FOLDER --json`): they share
no memory, and one that fails takes no other along.
"""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter

from ...errors import SuppleError
from ...files import make_folder, write_whole
from ...types import Json
from .cost import cores
from .index import index

LONGEST_FIRST = ("mohan-saha", "saha", "cibicik-egeland", "piedboeuf", "lin-lewis")


def write_all(folder: str | Path) -> dict[str, Json]:
    """index.html and every paper's pages; what they hold, as facts."""
    home = make_folder(folder)
    begin, count = perf_counter(), cores()
    with ThreadPoolExecutor(min(count, len(LONGEST_FIRST))) as pool:
        found = list(pool.map(lambda paper: _in_a_process(paper, home), LONGEST_FIRST))
    papers = sorted(found, key=lambda facts: str(facts["paper"]))
    wall = perf_counter() - begin
    path = write_whole(home / "index.html", index(papers, wall, count))
    saved = [str(path), *(name for facts in papers for name in facts["saved"])]
    return {"papers": papers, "wall": wall, "cores": count, "saved": saved}


def _in_a_process(paper: str, folder: Path) -> dict[str, Json]:
    words = ["-m", "supple.cli", "reproduce", paper, "--out", str(folder), "--json"]
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
    if done.returncode:
        why = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        raise SuppleError(
            f"supple reproduce {paper} failed: {why[0]}. Run it alone to see all of it"
        )
    facts: dict[str, Json] = json.loads(done.stdout)
    return facts
