"""The command as a user runs it, in an empty folder: in this process, or in one of its own."""

import os
import signal
import subprocess
import sys
from functools import cache
from types import SimpleNamespace

import pytest
import typer.main
import typer.testing

START = "from supple.cli import main; main()"
PLAIN = {"COLUMNS": "100", "NO_COLOR": "1"}


made_once = cache(typer.main.get_command)


@pytest.fixture(scope="module", autouse=True)
def commands_made_once():
    """Typer makes all commands anew at each call: 10 ms, of which a user's process has one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typer.main, "get_command", made_once)
        patch.setattr(typer.testing, "_get_command", made_once)
        yield


@pytest.fixture
def command(tmp_path, monkeypatch, capfd):
    """command("check", "arm.yaml") -> its exit code and what it wrote: all of main(), here."""
    from supple.cli import main

    def run(*words):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", ["supple", *words])
        for name, value in PLAIN.items():
            monkeypatch.setenv(name, value)
        before = signal.getsignal(signal.SIGINT)
        with pytest.raises(SystemExit) as leaving:
            main()
        signal.signal(signal.SIGINT, before)
        out, err = capfd.readouterr()
        return SimpleNamespace(returncode=leaving.value.code, stdout=out, stderr=err)

    return run


@pytest.fixture
def process(tmp_path):
    """process("check", "arm.yaml") -> the finished process."""

    def run(*words):
        return subprocess.run(
            [sys.executable, "-c", START, *words],
            cwd=tmp_path,
            env={**os.environ, **PLAIN},
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
