"""Tables say what their numbers mean, and what they leave out."""

import pytest
from typer.testing import CliRunner

from supple.cli import app
from supple.cli.console import print_table


def run(*words):
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_long_title_is_one_line(capsys):
    title = "a title that is far longer than its table " * 5
    print_table(title.strip(), ("a", "b"), [(1, 2.0)], notes=("a note " * 40,))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].rstrip() == title.strip()
    assert lines[-1].rstrip() == ("  " + "a note " * 40).rstrip()


def test_the_title_of_zeros_does_not_wrap():
    assert run("zeros", "lin-lewis-f").splitlines()[0].endswith("modes 2: marginally stable")


def test_show_says_what_it_leaves_out():
    assert "modes 25 to 32 are left out here; supple frequencies" in run("show", "space-robot")
    assert "left out" not in run("show", "canadarm")


@pytest.mark.parametrize(
    ("words", "note"),
    [
        (("piedboeuf-arm", "--q", "90*deg"), "negative: no vibration; a small push grows"),
        (("canadarm",), "zero: it moves freely"),
        (("canadarm", "--locked"), "locked: all joints are held where they are; only shapes"),
        (("space-robot", "--locked"), "(the floating base too)"),
        (("lin-lewis-f", "--rate", "joint1=2"), "joints turn as told, the others are held"),
    ],
)
def test_frequencies_are_explained_where_they_appear(words, note):
    assert note in run("frequencies", *words)


def test_what_needs_no_words_has_none():
    text = run("frequencies", "piedboeuf-arm")
    assert "negative" not in text
    assert "locked" not in text
