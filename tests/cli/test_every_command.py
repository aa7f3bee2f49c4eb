"""What all commands share: --json with the keys of the guide, --quiet, examples, completion, exit
codes, and tables that fit narrow terminals."""

from __future__ import annotations

import io
import json
import re
import shlex
from pathlib import Path

import pytest
import typer.main
from typer.testing import CliRunner

import supple
from supple.cli import app, commands, completing
from supple.cli.console import broken
from supple.cli.tables import fitting_tables

COMMANDS = typer.main.get_command(app)
NAMES = list(COMMANDS.commands)
GUIDE = (Path(__file__).parents[2] / "docs" / "guide.md").read_text(encoding="utf-8")
QUICK = {
    "robots": "",
    "show": "lin-lewis-f",
    "check": f"{supple.__path__[0]}/robots/puma.yaml",
    "new": "mine.yaml",
    "body": "part.sid",
    "simulate": "lin-lewis-f --duration 0.01 --samples 3 --rtol 1e-4",
    "statics": "lin-lewis-f --points 2",
    "frequencies": "lin-lewis-f",
    "linearise": "lin-lewis-f",
    "bode": "lin-lewis-f --w 1",
    "campbell": "lin-lewis-f --steps 2 --to 0.1",
    "map": "lin-lewis-f --joint joint1=0:1:2",
    "inverse": "puma --samples 5",
    "energy": "run.nc",
    "plot": "lin-lewis-f shapes --out a.svg",
    "view": "run.nc --export a.glb",
    "sweep": f"{Path(__file__).parents[1] / 'data' / 'small_study.yaml'} --check",
    "equations": "lin-lewis-rr",
    "export": "lin-lewis-f mine.urdf",
    "zeros": "lin-lewis-f",
    "reproduce": "lin-lewis",
    "cache": "",
    "bench": "lin-lewis-rr --quantity gravity_force --seconds 0.001",
    "help": "beam",
}


@pytest.fixture
def run(tmp_path, monkeypatch):
    """run("show puma --json") -> the result, in a folder with a saved run and a body."""
    monkeypatch.chdir(tmp_path)
    supple.write_sid(supple.load("lin-lewis-f"), "link1", "part.sid")

    def command(line, **env):
        return CliRunner().invoke(app, shlex.split(line), env=env)

    return command


@pytest.fixture(scope="module")
def saved():
    robot = supple.load("lin-lewis-f")
    return supple.simulate(robot, [0.1], 0.01, samples=3, rtol=1e-4)


def keys_of_the_guide():
    table = GUIDE.partition("### What `--json` holds")[2].partition("\n#")[0]
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \|$", table, re.MULTILINE)
    return {name: set(re.findall(r"`(\w+)`", text)) for name, text in rows}


@pytest.mark.parametrize("name", NAMES)
def test_json_is_all_of_standard_output_and_its_keys_are_in_the_guide(run, saved, name):
    saved.save("run.nc")
    done = run(f"{name} {QUICK[name]} --json --quiet")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    keys = set(found[0] if isinstance(found, list) else found)
    assert keys <= keys_of_the_guide()[name]


@pytest.mark.parametrize("name", NAMES)
def test_quiet_says_nothing_and_does_its_work(run, saved, name, tmp_path):
    saved.save("run.nc")
    if name == "reproduce":
        return  # slow, and like the others
    done = run(f"{name} {QUICK[name]} --quiet")
    assert (done.exit_code, done.stdout) == (0, "")
    made = {"new": "mine.yaml", "plot": "a.svg", "view": "a.glb"}
    assert name not in made or (tmp_path / made[name]).exists()


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_of_the_help_are_lines_that_the_command_takes(run, name):
    examples = commands.EXAMPLES[name]
    help_text = " ".join(run(f"{name} --help", COLUMNS="80").output.split())
    assert len(examples) >= 1
    for line in examples:
        program, word, *rest = shlex.split(line)
        assert program == "supple"
        COMMANDS.commands[word].make_context(word, rest)  # it is parsed, not run
        assert len(line) <= 78
        assert line.replace('"', "") in help_text.replace('"', "")


def test_supple_alone_says_three_things_to_try(run):
    done = run("")
    tries = [line for line in done.stdout.splitlines() if line.startswith("  supple ")]
    assert (done.exit_code, len(tries)) == (0, 3)
    assert max(map(len, done.stdout.splitlines())) <= 80


@pytest.mark.parametrize(
    ("words", "incomplete", "expected"),
    [
        (["show"], "canad", ["canadarm", "canadarm-spatial"]),
        (["show"], "ar", ["arm.yaml"]),
        (["show"], "mod", ["models/"]),
        (["show"], "models/t", ["models/two.yaml"]),
        (["plot"], "r", ["run.nc"]),
        (["plot", "run.nc"], "torque,po", ["torque,power"]),
        (["energy"], "", ["run.nc", "models/"]),
        (["view"], "r", ["run.nc"]),
        (["reproduce"], "pied", ["piedboeuf"]),
        (["help"], "bea", ["beam"]),
        (["bench", "puma", "--quantity"], "gravity_f", ["gravity_force"]),
        (["statics", "puma", "--width"], "s", ["screen", "single"]),
        ([], "frequ", ["frequencies"]),
    ],
)
def test_a_shell_completes_names_and_files(tmp_path, monkeypatch, words, incomplete, expected):
    from typer._completion_classes import BashComplete

    monkeypatch.chdir(tmp_path)
    (tmp_path / "models").mkdir()
    for name in ("arm.yaml", "models/two.yaml", "run.nc", "notes.txt"):
        (tmp_path / name).touch()
    complete = BashComplete(COMMANDS, {}, "supple", "_SUPPLE_COMPLETE")
    found = complete.get_completions(words, incomplete)
    assert [item.value for item in found] == expected


def test_completion_imports_nothing_heavy_for_robots():
    source = Path(completing.__file__).read_text()
    assert re.findall(r"^(?:from|import) (\S+)", source, re.MULTILINE) == [
        "__future__",
        "collections.abc",
        "importlib.resources",
        "pathlib",
    ]


def test_exit_codes_tell_mistakes_stopped_runs_and_own_faults_apart(command, monkeypatch):
    from supple.cli import cache

    assert command("cache").returncode == 0
    assert command("show", "canadram").returncode == 2
    assert command("show").returncode == 2
    for error, code in ((supple.SimulationError("it fell"), 3), (ZeroDivisionError("ours"), 1)):

        def fail(*_, error=error, **__):
            raise error

        monkeypatch.setattr(cache, "print_table", fail)
        done = command("cache")
        assert (done.returncode, done.stdout) == (code, "")
        assert ("Traceback" in done.stderr) == ("fault of Supple" in done.stderr) == (code == 1)


@pytest.mark.parametrize("columns", [40, 60, 80])
@pytest.mark.parametrize("count", [1, 3, 12])
def test_tables_fit_and_break_no_word_and_no_number(columns, count):
    from rich.console import Console

    names = ["coordinate", *(f"peak power of {k}" for k in range(count)), "what it is"]
    numbers = [-1.23456e-7 * k for k in range(count)]
    row = ["slider-crank-flexible", *numbers, "a text of words " * 4]
    console = Console(width=columns, record=True, file=io.StringIO())
    for part in fitting_tables(names, [row], columns):
        console.print(part)
    text = console.export_text()
    assert max(len(line.rstrip()) for line in text.splitlines()) <= columns
    words = {w for name in names for w in name.split()} | {f"{x:.6g}" for x in numbers}
    assert set(text.replace("─", "").split()) == words | {row[0], *row[-1].split()}


@pytest.mark.parametrize("columns", ["60", "80"])
@pytest.mark.parametrize("line", ["show stewart", "statics canadarm-spatial --points 3", "robots"])
def test_commands_fit_narrow_terminals(run, line, columns):
    wide, narrow = (run(line, COLUMNS=n).stdout for n in ("1000", columns))
    assert max(len(row.rstrip()) for row in narrow.splitlines()) <= int(columns)
    new = set(narrow.replace("─", "").split()) - set(wide.replace("─", "").split())
    assert new <= {"│"}


def test_long_lines_are_broken_between_words_only_where_a_terminal_ends(monkeypatch):
    text = "  one two " + "x" * 70 + " three"
    assert broken(text) == text
    monkeypatch.setenv("COLUMNS", "60")
    assert broken(text).split() == text.split()
    assert [len(line) <= 60 for line in broken(text).splitlines()] == [True, False, True]
