"""--q means the same in every command: joint positions, all coordinates, or some by name."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import supple
from supple.checks import configuration
from supple.cli import app
from supple.cli.arguments import positions, start_rates
from supple.cli.console import print_json


def run(*words):
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code == 0, result.output
    return result.stdout


WORDS = ["0.5,-30*deg,pi/4", ["0.5,-30*deg", "pi/4"], ["joint2=-30*deg", "joint3=pi/4,joint1=0.5"]]


@pytest.mark.parametrize("words", WORDS, ids=str)
def test_joint_positions_leave_the_shapes_at_zero(words):
    robot = supple.load("canadarm")
    q = configuration(robot, positions(robot, words))
    joints = [q[link.q.start] for link in robot.links]
    assert np.array_equal(joints, [0.5, -np.pi / 6, np.pi / 4])
    assert np.count_nonzero(q) == 3


def test_all_coordinates_shapes_and_quaternions_are_taken():
    robot = supple.load("canadarm")
    q = np.arange(9) / 7
    assert np.array_equal(positions(robot, ",".join(map(repr, q.tolist()))), q)
    shape = robot.coordinate_names[2]
    assert positions(robot, f"{shape}=1e-3") == {shape: 1e-3}
    floating = supple.load("space-robot")
    name = next(n for n in floating.coordinate_names if n.endswith("qx"))
    q = configuration(floating, positions(floating, f"{name}=1"))
    assert np.isclose(np.sum(q[floating.links[0].q][:4] ** 2), 1.0)
    assert positions(floating, "") is None


@pytest.mark.parametrize("command", ["frequencies", "zeros"])
def test_the_commands_take_every_way_of_saying_it(command):
    ways = [("--q", "0.5,0,pi/4"), ("--q", "0.5,0,0,0,0,0,pi/4,0,0"), ("--q", "joint1=0.5")]
    ways[2] += ("--q", "joint3=pi/4")
    robot = supple.load("canadarm")
    assert [i for i, n in enumerate(robot.coordinate_names) if n.startswith("joint")][-1] == 6
    found = [json.loads(run(command, "canadarm", *way, "--json")) for way in ways]
    assert found[0] == found[1] == found[2]
    assert found[0] != json.loads(run(command, "canadarm", "--json"))


@pytest.mark.parametrize("name", [c.name for c in app.registered_commands])
def test_json_is_a_flag_wherever_it_is(name):
    import typer.main

    command = typer.main.get_command(app).commands[name]
    for option in (o for o in command.params if "--json" in o.opts):
        assert option.is_flag
        assert "takes no value" in option.help


def test_rates_at_the_start_of_a_closed_chain_are_those_named():
    robot = supple.load("five-bar")
    first, *_ = robot.velocity_names
    assert start_rates(robot, [f"{first}=-30*deg"]) == {first: -np.pi / 6}


def test_json_keeps_the_warnings_that_it_is_given(capsys):
    print_json({"warnings": ["its own"]})
    assert json.loads(capsys.readouterr().out) == {"warnings": ["its own"]}
