"""supple bench counts and measures the user's own robot, and leaves nothing behind."""

import json

import pytest
from typer.testing import CliRunner

import supple
from supple.analyse import cost, stopwatch
from supple.cli import app
from supple.engine import BEAMS, CUTS, QUANTITIES, cache

ROBOT = "lin-lewis-rf"


def run(*words):
    result = CliRunner().invoke(app, ["bench", *words])
    assert result.exit_code == 0, result.output
    return result.stdout


def measured(*words):
    found = json.loads(run(ROBOT, "--seconds", "0.001", "--json", *words))
    assert found["robot"] == ROBOT
    return {x["quantity"]: x for x in found["quantities"]}


def test_the_main_quantities_are_counted_as_compile_counts_them():
    found, robot = measured(), supple.load(ROBOT)
    assert tuple(found) == cost.MAIN
    slopes = supple.compile(robot, "inverse_dynamics").jacobian("q", "qd", "qdd")
    assert found["inverse_dynamics_derivatives"]["operations"] == slopes.operations()
    J = supple.compile(robot, "jacobian", station="barrel.tip")
    assert found["jacobian"]["station"] == "barrel.tip"
    assert found["jacobian"]["operations"] == J.operations()
    times = ("call_s", "call_out_s", "batch_s_a_state", "compile_s", "found_s")
    assert all(0.0 < x[name] < 100.0 for x in found.values() for name in times)


@pytest.mark.parametrize("what", [x for x in QUANTITIES if x not in (*CUTS, *BEAMS)])
def test_every_quantity_can_be_measured(what):
    (found,) = cost.costs(supple.load("lin-lewis-rr"), [what], 1e-4)
    function = supple.compile(supple.load("lin-lewis-rr"), what, station=found.station)
    assert found.operations == function.operations()
    assert (found.out is None) == (len(function.results) > 1)


def test_several_results_have_no_out():
    found = measured("--quantity", "pose", "--quantity", "udu_factors_derivatives")
    assert [x["call_out_s"] for x in found.values()] == [None, None]


def test_the_table_says_what_its_columns_mean():
    text = run(ROBOT, "--seconds", "0.001", "--quantity", "mass_matrix")
    assert text.startswith(f"{ROBOT}: 2 links, 6 degrees of freedom, on this machine\n")
    assert all(word in text for word in ("call [µs]", "compile [ms]", "with an empty cache"))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("no-robot",), "no-robot"),
        ((ROBOT, "--quantity", "mass_matrx"), "Did you mean mass_matrix?"),
        ((ROBOT, "--quantity", "_derivatives"), "no quantity named '_derivatives'"),
        ((ROBOT, "--seconds", "0"), "--seconds 0: expected more than 0, at most 600"),
        ((ROBOT, "--seconds", "nan"), "--seconds nan: expected more than 0"),
    ],
)
def test_mistakes_are_told(words, told):
    error = CliRunner().invoke(app, ["bench", *words]).exception
    assert isinstance(error, supple.SuppleError)
    assert told in str(error)


def test_compiling_is_measured_with_an_empty_cache_of_its_own(tmp_path):
    robot = supple.load(ROBOT)
    with cache.kept_in(str(tmp_path)):
        supple.compile(robot, "mass_matrix")
        before = cache.entries()
        with cost.empty_cache():
            assert cache.entries() == []
        cost.costs(robot, ["mass_matrix", "gravity_force"], 0.001)
        assert cache.entries() == before != []


def test_the_best_time_of_a_call_is_found(monkeypatch):
    """On a clock that the calls themselves turn: 3 s and 2 s, the first time 5 s more."""
    now, first = [0.0], [5.0]

    def work(seconds):
        now[0] += seconds + (first.pop() if first else 0.0)

    monkeypatch.setattr(stopwatch.time, "perf_counter", lambda: now[0])
    calls = {"slow": stopwatch.Call(work, (3.0,)), "fast": stopwatch.Call(work, (2.0,))}
    assert stopwatch.in_turns(calls, 20.0) == {"slow": 3.0, "fast": 2.0}
    assert now[0] >= 30.0
