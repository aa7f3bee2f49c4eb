"""Many processes that fill one empty folder of compiled code at once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import numpy as np, supple
for name in ("puma", "four-bar-flexible"):
    f = supple.compile(supple.load(name), "forward_dynamics")
    state = [np.linspace(0.1, 0.3, n) for n in f.arguments.values()]
    rows = [np.tile(x, (300, 1)) for x in state]
    print(f(*state).tobytes().hex(), f.batch(*rows).tobytes() == 300 * f(*state).tobytes())
"""


@pytest.mark.slow
def test_sixteen_cold_processes_agree_with_one(tmp_path: Path) -> None:
    def started(folder: str) -> subprocess.Popen[str]:
        known = {**os.environ, "SUPPLE_CACHE": str(tmp_path / folder)}
        command = [sys.executable, "-c", SCRIPT]
        return subprocess.Popen(command, env=known, stdout=subprocess.PIPE, text=True)

    alone = started("one").communicate(timeout=120)[0]
    together = [started("many") for _ in range(16)]
    assert [x.communicate(timeout=240)[0] for x in together] == [alone] * 16
    assert alone.count("True") == 2
    found = [sorted(path.name for path in (tmp_path / x).iterdir()) for x in ("one", "many")]
    assert found[0] == found[1]
