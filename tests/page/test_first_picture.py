"""The steps of docs/first_picture.md lead to pictures."""

from __future__ import annotations

import shlex
import subprocess
import sys

from typer.testing import CliRunner

import supple
from studies.first_picture import commands
from supple.cli import app


def test_the_steps_to_a_first_picture_are_commands_that_work(built, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    install, *lines = commands()
    assert install == "python3 -m venv .venv && .venv/bin/pip install -q ."
    for line in lines:
        program, *words = shlex.split(line)
        if program.endswith("python"):
            subprocess.run([sys.executable, *words], check=True)
            continue
        assert program == ".venv/bin/supple"
        done = CliRunner().invoke(app, words)
        assert done.exit_code == 0, done.output
    assert supple.load("arm.yaml").links[1].body.line.beam.length == 1.4
    for page in ("arm.html", "arm-run.html"):
        assert (tmp_path / page).stat().st_size > 500_000
