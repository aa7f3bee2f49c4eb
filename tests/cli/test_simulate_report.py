"""`supple simulate` says whether the run can be believed, and loses nothing of one that stops."""

import json

import supple

WILD = ("simulate", "canadarm", "--free", "--qd0", "joint1=10", "--q0", "link1.bending_y1=0.05")


def test_one_line_when_all_is_well(command):
    said = command("simulate", "canadarm", "--duration", "1")
    assert said.returncode == 0
    assert "checks passed" in said.stdout.splitlines()[-1]
    assert "warning" not in said.stderr


def test_failed_checks_are_named_and_report_shows_all(command):
    words = ("simulate", "stanford", "--samples", "51")
    said = command(*words)
    assert "2 of 6 checks failed: joints off the motion, tip off the path" in said.stdout
    assert "Add feedback" in said.stderr
    assert "worst step" not in said.stdout
    whole = command(*words, "--report").stdout
    assert all(part in whole for part in ("worst step", "FAILED", "limit", "refused"))


def test_json_holds_every_check(command):
    found = json.loads(command("simulate", "stanford", "--samples", "51", "--json").stdout)
    checks = {check["name"]: check for check in found["checks"]}
    assert checks["energy balance"]["ok"]
    assert not checks["tip off the path"]["ok"]


def test_a_run_that_stops_is_saved_up_to_there_and_says_so(command, tmp_path):
    said = command(*WILD, "--duration", "2", "--out", "run.nc")
    assert said.returncode == 3
    assert "s were saved to run.nc" in said.stderr
    assert "error: the run stopped: link link1 of canadarm bends" in said.stderr
    run = supple.load_result(tmp_path / "run.nc")
    assert run.interrupted
    assert "link1" in run.stopped
    assert 0.0 < run.time[-1] < 2.0


def test_a_run_that_stops_without_a_file_says_how_to_keep_it(command):
    said = command(*WILD, "--duration", "2")
    assert said.returncode == 3
    assert "nothing was saved; --out FILE keeps it" in said.stderr


def test_what_is_asked_for_is_saved(command, tmp_path):
    words = ("simulate", "puma", "--duration", "0.1", "--samples", "5", "--out", "run.nc")
    assert command(*words, "--keep", "power", "--keep", "acceleration").returncode == 0
    run = supple.load_result(tmp_path / "run.nc")
    assert {"power", "acceleration"} <= set(run.data)
    said = command(*words, "--keep", "powr")
    assert said.returncode == 2
    assert "power" in said.stderr
