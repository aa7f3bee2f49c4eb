"""supple bench counts, measures and writes; the README shows the table it wrote."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from supple.bench import STUDIES
from supple.bench.ratios import Call, in_turns
from supple.cli.commands import app

ROOT = Path(__file__).parents[2]


def run(*words):
    result = CliRunner().invoke(app, ["bench", *words])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_operations_are_as_few_as_claimed():
    tables = json.loads(run("--operations", "--json"))
    ours = {(r["robot"], r["quantity"]): (r["mult"], r["add"]) for r in tables["operations"]}
    for robot, most in (("puma", (350, 290)), ("flexible chain of 8", (5600, 4600))):
        assert all(a <= b for a, b in zip(ours[robot, "forward"], most, strict=True))
    assert {r["printed in"] for r in tables["papers"]} >= {"[Saha] Table 1", "[MohanSaha] Table 1"}
    at_six = {
        r["algorithm"]: (r["mult"], r["add"])
        for r in tables["papers"]
        if r["printed in"] == "[Saha] Table 1" and r["n"] == 6
    }
    assert at_six["Balafoutis et al. (1988)"] == (489, 421)  # as printed
    assert at_six["Supple"] < (489, 421)


@pytest.mark.parametrize("name", ["operations", "papers", "instructions"])
def test_tables_are_whole(name):
    table = STUDIES[name](0.0)
    assert all(len(row) == len(table.columns) for row in table.rows)
    assert table.markdown().count("\n") == len(table.rows) + 2


def test_calls_are_timed_in_turns():
    best = in_turns({"a": Call(sum, ([1] * 10,)), "b": Call(sum, ([1] * 100,))}, 0.02)
    assert set(best) == {"a", "b"}
    assert all(0.0 < t < float("inf") for t in best.values())


def test_readme_shows_the_measured_table():
    measured = (ROOT / "bench/results/ratios.md").read_text(encoding="utf-8")
    assert measured in (ROOT / "README.md").read_text(encoding="utf-8")
