"""The command as a user runs it: a process of its own, in an empty folder."""

import os
import subprocess
import sys

import pytest

START = "from supple.cli import main; main()"


@pytest.fixture
def command(tmp_path):
    """command("check", "arm.yaml") -> the finished process."""

    def run(*words):
        return subprocess.run(
            [sys.executable, "-c", START, *words],
            cwd=tmp_path,
            env={**os.environ, "COLUMNS": "100", "NO_COLOR": "1"},
            capture_output=True,
            text=True,
            check=False,
        )

    return run


@pytest.fixture
def started(tmp_path):
    """A process that runs the command and has not finished yet."""

    def start(*words, code=START):
        return subprocess.Popen(
            [sys.executable, "-c", code, *words],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return start
