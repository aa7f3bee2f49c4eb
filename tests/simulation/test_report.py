"""What a run says of itself: checks, report, the file, and the command."""

from __future__ import annotations

import json
import warnings
from typing import Any

import numpy as np
import pytest

import supple
from supple import SuppleWarning


def arm_run(**options: Any) -> supple.Result:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SuppleWarning)
        return supple.simulate(supple.load("stanford"), motion="paper", samples=51, **options)


@pytest.fixture(scope="module")
def run() -> supple.Result:
    return arm_run()


def test_every_check_is_listed_also_where_all_is_well(run: supple.Result) -> None:
    named = {check.name: check for check in run.checks}
    assert named["energy balance"].ok
    assert named["energy balance"].value == pytest.approx(run.energy_error)
    assert named["worst step"].value == run.data.attrs["defect"]
    assert {name for name, check in named.items() if not check.ok} == {
        "joints off the motion",
        "tip off the path",
    }


def test_warnings_are_the_sentences_of_failed_checks_each_once(run: supple.Result) -> None:
    failed = [check.words for check in run.checks if not check.ok]
    assert len(failed) == 2
    assert list(run.warnings) == list(dict.fromkeys(failed))


def test_a_report_has_method_steps_values_limits_and_remedies(run: supple.Result) -> None:
    text = str(run.report())
    assert repr(run.report()) == text
    assert "2 of 6 checks failed: joints off the motion, tip off the path" in text
    for part in (f"{run.data.attrs['steps']} steps", "refused", "rtol 1e-08", "explicit from 0 s"):
        assert part in text
    for check in run.checks:
        line = next(x for x in text.splitlines() if f"  {check.name}  " in x)
        assert f"{check.value:.3g}" in line
        assert f"{check.limit:.3g}" in line
        assert ("FAILED" in line) != check.ok
    assert text.count("Add feedback") == 1


def test_a_loaded_run_reports_the_same(run: supple.Result, tmp_path: Any) -> None:
    again = supple.load_result(run.save(tmp_path / "run.nc"))
    assert again.checks == run.checks
    assert again.report() == run.report()
    assert str(again) == str(run)


def test_checks_that_are_no_checks_are_refused(run: supple.Result) -> None:
    for text in ("no json", '[{"name": "x"}]', "[1]", '{"a": 1}'):
        with pytest.raises(supple.InputError, match="attributes"):
            supple.Result(run.data.assign_attrs(checks=text))


def test_calls_of_python_functions_are_counted_with_their_cost() -> None:
    switch = lambda t, q, qd: [0.0 if t < 2.0 else 1e-6 * float(np.floor(t))] * 6  # noqa: E731
    run = arm_run(torque=switch, duration=3.0)
    assert run.data.attrs["called_back"] > 100
    assert run.data.attrs["called_back_s"] > 0.0
    assert "of Python functions" in run.report()


def test_refused_steps_and_calls_are_counted_of_native_and_other_methods() -> None:
    for method in ("explicit", "DOP853"):
        has = arm_run(duration=1.0, method=method).data.attrs
        assert 8 * has["steps"] <= has["calls"] <= 60 * (has["steps"] + has["steps_refused"] + 10)


def test_an_interrupted_run_says_that_it_was_not_looked_at() -> None:
    def stop(t: float) -> None:
        if t > 0.5:
            raise KeyboardInterrupt

    from supple.simulation import Interrupted

    with pytest.raises(Interrupted) as caught:
        arm_run(method="DOP853", progress=stop)
    assert "it was not looked at" in str(caught.value.partial.report())
    assert json.loads(caught.value.partial.data.attrs["warnings"]) == []
