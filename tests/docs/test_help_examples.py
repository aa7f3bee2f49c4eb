"""The examples at the end of each command's help, which the manual shows too, all work."""

from __future__ import annotations

import typer.main

from running import command
from supple.cli import commands

ELSEWHERE = {  # who runs them instead
    "reproduce": "tests/papers: some take minutes",
    "bench": "tests/cli/test_bench.py: they wait for a clock",
    "cache": "tests/cli: they clear what other tests have compiled",
    "view": "tests/page: they open a browser",
    "body": "tests/finite_elements: they read files of other programs",
    "sweep": "tests/sweeps: they start workers",
}


def test_the_examples_of_every_help_work(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = list(typer.main.get_command(commands.app).commands)
    for name in sorted(names, key=lambda name: name != "new"):  # it writes what others read
        for line in getattr(commands, name).EXAMPLES:
            if name not in ELSEWHERE:
                assert command(line)
