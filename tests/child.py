"""Scripts in processes of their own, where a crash or a hang is a failed test and not its end."""

from __future__ import annotations

import os
import subprocess
import sys

LIMIT = 120.0  # seconds


def run_child(script: str, limit: float = LIMIT, **environment: str) -> str:
    """What a script prints; it must end well, and in time."""
    known = {**os.environ, "PYTHONFAULTHANDLER": "1", **environment}
    command = [sys.executable, "-c", script]
    made = subprocess.run(command, env=known, capture_output=True, text=True, timeout=limit)
    assert made.returncode == 0, f"exit status {made.returncode}\n{made.stderr[-3000:]}"
    return made.stdout
