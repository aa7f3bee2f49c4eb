"""supple bench counts, measures and writes; the README shows the table it wrote."""

import copy
import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import supple
from supple.bench import STUDIES
from supple.bench.chains import general_chain
from supple.bench.operations import counted
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
    assert at_six["Luh et al. (1980)"] == (852, 834)  # as printed
    assert all(a < b for a, b in zip(at_six["Supple"], (489, 421), strict=True))


@pytest.mark.parametrize("what", ["inverse_dynamics", "forward_dynamics"])
@pytest.mark.parametrize("n", [6, 12])
def test_counts_of_the_general_chain_hold_for_other_constants(what, n):
    """Every mass, length, angle and moment drawn anew: the same multiplications."""
    rng = np.random.default_rng(0)
    chain = general_chain(n)
    words = copy.deepcopy(dict(chain.spec))
    for link in words["links"].values():
        G = rng.normal(size=(3, 3))
        J = G @ G.T + 3.0 * np.eye(3)
        pairs = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
        link["rigid"]["inertia"] = [float(J[p]) for p in pairs]
        link["rigid"] |= {"mass": rng.uniform(1, 3), "com": rng.uniform(0.1, 0.3, 3).tolist()}
    for joint in words["joints"][1:]:
        alpha, a, b = rng.uniform(0.2, 1.2, 3)
        place = [a, -b * np.sin(alpha), b * np.cos(alpha)]
        joint["origin"] = {"xyz": [float(x) for x in place], "rpy": [alpha, 0.0, 0.0]}
    counts = [counted(r, what) for r in (chain, supple.build(words))]
    assert counts[0]["multiplications"] == counts[1]["multiplications"]
    assert abs(counts[0]["additions"] - counts[1]["additions"]) <= 5


@pytest.mark.parametrize("name", ["operations", "papers", "instructions"])
def test_tables_are_whole(name):
    table = STUDIES[name](0.0)
    assert all(len(row) == len(table.columns) for row in table.rows)
    assert table.markdown().count("\n") == len(table.rows) + 2 + 2 * len(table.notes)


def test_calls_are_timed_in_turns():
    best = in_turns({"a": Call(sum, ([1] * 10,)), "b": Call(sum, ([1] * 100,))}, 0.02)
    assert set(best) == {"a", "b"}
    assert all(0.0 < t < float("inf") for t in best.values())


def test_readme_shows_the_measured_table():
    measured = (ROOT / "bench/results/ratios.md").read_text(encoding="utf-8")
    assert measured in (ROOT / "README.md").read_text(encoding="utf-8")
