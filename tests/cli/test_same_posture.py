"""A posture given to a command is the one that its Python function takes, for every robot."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import supple
from supple.cli.commands import app
from supple.errors import InputError

AT = {  # open, behind elastic gears, closed
    "canadarm": {"joint2": 0.5},
    "flexible-joint-arm": {"shoulder": 0.5},
    "four-bar-flexible": {"crank_joint": 1.3},
}
ROBOTS = pytest.mark.parametrize("name", AT)


def run(*words: str) -> Any:
    told = CliRunner().invoke(app, [*words, "--json"])
    assert told.exit_code == 0, told.output
    return json.loads(told.stdout)


def options(name: str, option: str = "--q") -> list[str]:
    return [word for joint, x in AT[name].items() for word in (option, f"{joint}={x!r}")]


@ROBOTS
def test_statics(name):
    found = run("statics", name, *options(name))
    want = supple.statics(supple.load(name), AT[name])
    assert found["joints"] == pytest.approx(want.joints, abs=1e-12)
    (joint,) = AT[name]
    near = 0.01 if name == "flexible-joint-arm" else 1e-12  # its gear gives way a little
    assert found["joints"][joint] == pytest.approx(AT[name][joint], abs=near)


@ROBOTS
def test_frequencies_and_zeros(name):
    robot = supple.load(name)
    found = [row["rad_s"] for row in run("frequencies", name, *options(name))]
    assert found == pytest.approx(list(supple.frequencies(robot, AT[name]).omega), rel=1e-9)
    (zeros,) = run("zeros", name, *options(name))
    want = supple.zeros(robot, q=AT[name]).zeros
    assert np.array(zeros["zeros"]) == pytest.approx(np.column_stack([want.real, want.imag]))


@ROBOTS
def test_linearise(name):
    want = supple.linearise(supple.load(name), AT[name])
    assert run("linearise", name, *options(name))["q"] == pytest.approx(want.q, abs=1e-12)


@ROBOTS
def test_a_run_starts_there_and_as_fast(name):
    robot, (joint, rate) = supple.load(name), (next(iter(AT[name])), 0.2)
    words = ["--free", "--duration", "0.002", "--samples", "3", "--qd0", f"{joint}={rate}"]
    found = run("simulate", name, *options(name, "--q0"), *words)["coordinates"]
    want = supple.simulate(robot, None, 0.002, samples=3, q0=AT[name], qd0={joint: rate})
    assert [row["start"] for row in found] == pytest.approx(list(want["q"][0]), abs=1e-12)
    assert [row["end"] for row in found] == pytest.approx(list(want["q"][-1]), abs=1e-9)


@pytest.mark.parametrize("kind", ["modes", "statics"])
@ROBOTS
def test_plots(name, kind, tmp_path: Path):
    if name == "flexible-joint-arm" and kind == "statics":
        pytest.skip("its links are rigid: there is no bent shape to draw")
    robot = supple.load(name)
    CliRunner().invoke(app, ["plot", name, kind, *options(name), "--out", str(tmp_path / "a.svg")])
    drawn = [supple.plot(robot, kind, q=AT[name])]
    drawn += [supple.plot(robot, kind, q=supple.statics(robot, AT[name]).q)]
    assert (tmp_path / "a.svg").exists()
    assert all(figure.axes for figure in drawn)


@ROBOTS
def test_names_mean_for_every_function_what_they_mean_for_a_run(name):
    """The place in which a run starts, loops closed and gears not wound up."""
    robot = supple.load(name)
    q = supple.simulate(robot, None, 1e-4, samples=2, q0=AT[name])["q"][0]
    tip = [link.name for link in robot.links if "tip" in link.body.stations][-1]
    assert supple.pose(robot, AT[name], tip).p == pytest.approx(supple.pose(robot, q, tip).p)
    inertia = supple.mass_matrix(robot, AT[name])
    assert inertia == pytest.approx(supple.mass_matrix(robot, q))
    found = supple.frequencies(robot, AT[name], locked=True).omega
    assert found == pytest.approx(supple.frequencies(robot, q, locked=True).omega, rel=1e-9)


def test_a_gauge_takes_a_posture_by_name():
    robot, at = supple.load("canadarm"), {"joint2": 0.5}
    q = supple.simulate(robot, None, 1e-4, samples=2, q0=at)["q"][0]
    by_name, by_number = (supple.gauge(robot, x, "link2.root") for x in (at, q))
    assert by_name.moment == pytest.approx(by_number.moment)


def test_joints_alone_leave_the_shapes_at_zero_and_wrong_names_are_told():
    robot = supple.load("canadarm")
    found = supple.pose(robot, [0.5, -0.3, 0.2], "link3.tip").p
    named = {"joint1": 0.5, "joint2": -0.3, "joint3": 0.2}
    assert np.array_equal(found, supple.pose(robot, named, "link3.tip").p)
    with pytest.raises(InputError, match="no coordinate named 'joint9'"):
        supple.frequencies(robot, {"joint9": 0.5})
    with pytest.raises(InputError, match="q of joint1 is nan"):
        supple.mass_matrix(robot, {"joint1": np.nan})
