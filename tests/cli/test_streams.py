"""Closed and full streams: one message, an exit code that is not zero, no traceback."""

import json
import os
import subprocess
import sys

import pytest
from typer.testing import CliRunner

import supple
from supple.cli import app
from supple.errors import caution

START = "from supple.cli import main; main()"
FILE = f"{supple.__path__[0]}/robots/puma.yaml"
pytestmark = pytest.mark.skipif(os.name == "nt", reason="the shell is another one there")
LETTERS = """\
supple: 1
links:
  bras_\xe9_\u8155: {beam: {length: 1, mass: 1, EI: 4, modes: {bending_y: 1}}}
joints:
  - {name: pivot, type: revolute, child: bras_\xe9_\u8155}
"""
COMMANDS = [["robots"], ["show", "puma", "--json"], ["check", FILE], ["--help"]]


def run(words, redirection, shell="sh"):
    script = f'"$0" -c "{START}" "$@" {redirection}'
    return subprocess.run(
        [shell, "-c", script, sys.executable, *words], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("words", COMMANDS, ids=lambda w: w[0])
@pytest.mark.parametrize("where", [">&-", "> /dev/full"])
def test_a_standard_output_that_takes_nothing_is_one_message(words, where):
    if "full" in where and not os.path.exists("/dev/full"):
        pytest.skip("there is no full device here")
    done = run(words, where)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: cannot write to standard output: ")
    assert done.stderr.count("\n") == 1


def test_a_reader_that_leaves_is_no_fault():
    done = run(["show", "space-robot", "--json"], "| head -n 1")
    assert (done.returncode, done.stdout, done.stderr) == (0, "{\n", "")
    left = run(["robots"], "2>&1 | true; echo ${PIPESTATUS[0]}", "bash")
    assert left.stdout == "0\n"


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [
        ("ascii", "bras_\\xe9_\\u8155"),
        ("latin-1", "bras_\xe9_\\u8155"),
        ("ascii:replace", "bras_?_?"),
    ],
)
def test_letters_that_the_output_cannot_write_are_escaped(encoding, shown, tmp_path, monkeypatch):
    (tmp_path / "arm.yaml").write_text(LETTERS, encoding="utf-8")
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    words = [sys.executable, "-c", START, "show", str(tmp_path / "arm.yaml")]
    done = subprocess.run(words, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert shown in done.stdout.decode("latin-1")


def test_json_is_ascii_whatever_letters_names_have(tmp_path):
    (tmp_path / "arm.yaml").write_text(LETTERS, encoding="utf-8")
    done = CliRunner().invoke(app, ["show", str(tmp_path / "arm.yaml"), "--json"])
    assert done.stdout.isascii()
    assert json.loads(done.stdout)["links"][0]["name"] == "bras_\xe9_\u8155"


def test_closed_input_and_errors_change_nothing():
    assert run(["check", FILE], "<&- 2>&-").stdout == run(["check", FILE], "").stdout
    silent = run(["check", "none.yaml"], "2>&-")
    assert (silent.returncode, silent.stdout, silent.stderr) == (2, "", "")


def test_a_file_never_takes_the_number_of_a_closed_stream(tmp_path):
    words = ["simulate", "puma", "--duration", "0.01", "--samples", "2", "--json"]
    done = run([*words, "--out", str(tmp_path / "run.nc")], ">&- <&-")
    assert "cannot write to standard output" in done.stderr
    assert supple.load_result(tmp_path / "run.nc").robot_name == "puma"


def test_warnings_are_one_line_each_and_kept_for_json(monkeypatch):
    import warnings

    from supple.cli import cache

    def doubtful():
        caution("the shapes\nare large")
        caution("the shapes\nare large")
        warnings.warn("for programmers", stacklevel=1)
        return {}

    monkeypatch.setattr(cache, "print_json", lambda v, p=cache.print_json: p({**v, **doubtful()}))
    done = CliRunner().invoke(app, ["cache", "--json"])
    assert done.stderr == "warning: the shapes are large\n"
    assert json.loads(done.stdout)["warnings"] == ["the shapes are large"]
    assert json.loads(CliRunner().invoke(app, ["show", "puma", "--json"]).stdout)["warnings"] == []
