"""Every command, each option, a pool of nasty words: done, or one message; never a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer.main

from supple.cli import app
from supple.errors import SuppleError

WORDS = (
    *("", "x", "-", "=", ",", "0", "-1", "1.5", "1e308", "nan", "9" * 400, "\u00e9\U0001f916"),
    *("joint1=", "joint1=1,joint1=2", "joint1=1e400", "1,,2", "(" * 200, "9**9**9", "1/0"),
    *("a" * 300, "/", "a/b.nc", "[red]", "link2.tip=nan,0,0", "link2.tip=-,-,-", "joint1=t**t"),
)
COMMANDS = typer.main.get_command(app)  # as app() makes it, once
ROBOT = {"robot": "lin-lewis-rf", "file": "none.yaml", "paper": "nobody", "topic": "beam"}
ROBOT["run"] = "none.nc"
ROBOT |= {"source": "lin-lewis-rf", "kinds": "shapes", "sources": "lin-lewis-rf"}
ROBOT |= {"study": str(Path(__file__).parents[1] / "data" / "small_study.yaml"), "folder": "none"}
QUICK = {
    "sweep": ("--check",),
    "simulate": ("--duration", "0.01", "--samples", "2"),
    "bench": ("--quantity", "gravity_force"),
    "campbell": ("--steps", "2", "--to", "0.1"),
    "map": ("--joint", "azimuth=0:1:2"),
    "view": ("--export", "a.glb"),
}


def options():
    """(command, parameter) of all that takes a word."""
    for name, command in COMMANDS.commands.items():
        for parameter in command.params:
            takes = not getattr(parameter, "is_flag", False) and parameter.name != "help"
            if takes:
                yield name, parameter


CASES = list(options())


def words_of(name, parameter, word):
    needed = [p for p in COMMANDS.commands[name].params if not p.opts[0].startswith("-")]
    placed = [word if p is parameter or p.name == parameter.name else ROBOT[p.name] for p in needed]
    option = () if parameter.name in {p.name for p in needed} else (f"{parameter.opts[0]}={word}",)
    quick = [] if option and parameter.opts[0] in QUICK.get(name, ()) else QUICK.get(name, ())
    return [name, *quick, *option, "--", *placed]


def fault(words):
    """What came out that is neither work done nor a mistake told, or ''."""
    try:
        COMMANDS(words)
    except SystemExit as leaving:
        return "" if leaving.code in (0, 2, None) else f"exit code {leaving.code}"
    except SuppleError as error:
        return "" if len(str(error)) > 10 else f"said only {error}"
    except Exception as error:
        return repr(error)[:120]
    return ""


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("name", "parameter"), CASES, ids=[f"{name}-{parameter.name}" for name, parameter in CASES]
)
def test_a_word_of_any_kind_is_taken_or_refused_in_words(name, parameter, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    faults = {word[:40]: fault(words_of(name, parameter, word)) for word in WORDS}
    assert {word: words for word, words in faults.items() if words} == {}
